/// So many in a span: `10/15m`.
public struct Limit: Sendable, Hashable, CustomStringConvertible {
  /// At least 1.
  public let count: Int64
  /// Seconds.
  public let window: Int64

  /// Nil unless both are at least 1, the count at most a million and the window at most 31 days.
  public init?(count: Int64, window: Int64) {
    guard (1...1_000_000).contains(count), (1...31 * 86_400).contains(window) else { return nil }
    self.count = count
    self.window = window
  }

  /// Reads `10/15m`, `100/1h`.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let count = Seconds.digits(parts[0].utf8), let window = Seconds.parse(String(parts[1]))
    else { return nil }
    self.init(count: count, window: window)
  }

  /// `10/15m`
  public var description: String { "\(count)/\(Seconds.text(window))" }
}

/// How often things may be tried.
public struct Limits: Sendable, Hashable {
  /// What is limited, and per what.
  public enum Name: String, Sendable, Hashable, CaseIterable {
    case signInPerAccount = "sign_in_per_account"
    case signInPerIP = "sign_in_per_ip"
    case signInPerTenant = "sign_in_per_tenant"
    case signUpPerIP = "sign_up_per_ip"
    case signUpPerTenant = "sign_up_per_tenant"
    case mailPerRecipient = "mail_per_recipient"
    case mailPerIP = "mail_per_ip"
    case mailPerTenant = "mail_per_tenant"
    case codePerAccount = "code_per_account"
    case requestsPerIP = "requests_per_ip"
    case requestsPerTenant = "requests_per_tenant"
  }

  /// Limits the file sets; the others are the server's.
  public var byName: [Name: Limit]

  /// Limits by name.
  public init(_ byName: [Name: Limit] = [:]) { self.byName = byName }

  /// The limit the file sets, if any.
  public subscript(_ name: Name) -> Limit? { byName[name] }
}
