/// A number of times per duration: `10/15m`.
public struct Limit: Sendable, Hashable, CustomStringConvertible {
  /// At least 1.
  public let count: Int64
  /// Seconds.
  public let window: Int64

  /// The highest count of a limit.
  static let mostCount: Int64 = 1_000_000

  /// Nil unless both are at least 1, the count at most a million and the window at most 31 days.
  public init?(count: Int64, window: Int64) {
    guard (1...Limit.mostCount).contains(count), (1...31 * 86_400).contains(window) else { return nil }
    self.count = count
    self.window = window
  }

  /// For limits of ours, which are within the bounds.
  init(_ count: Int64, per window: Int64) {
    self.count = count
    self.window = window
  }

  /// The same with a count `factor` times as high, at most a million.
  public func relaxed(by factor: Int) -> Limit {
    factor > 1 ? Limit(min(count * Int64(factor), Limit.mostCount), per: window) : self
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

/// The limits on attempts.
public struct Limits: Sendable, Hashable {
  /// The name of a limit: the action and the key of its count.
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
    case codePerIP = "code_per_ip"
    case codePerTenant = "code_per_tenant"
    case mfaPerAccount = "mfa_per_account"
    case passkeyPerIP = "passkey_per_ip"
    case resetPerIP = "reset_per_ip"
    case requestsPerIP = "requests_per_ip"
    case requestsPerTenant = "requests_per_tenant"

    /// Whether attempts beyond the limit are delayed rather than refused until the window ends. Limits that count wrong
    /// guesses of an address do so: many people share an address, and the guesses of one refuse no other for long.
    public var backsOff: Bool { self == .signInPerIP || self == .codePerIP }
  }

  /// Limits the file sets.
  public var byName: [Name: Limit]

  /// Limits by name.
  public init(_ byName: [Name: Limit] = [:]) { self.byName = byName }

  /// The limit that holds: the file's, or the server's own.
  public subscript(_ name: Name) -> Limit? { byName[name] ?? Limits.defaults[name] }

  /// The same limits with counts `factor` times as high, at most a million each. Where the file is silent about
  /// requests of an address, the result is too: servers count those in memory, up to a million.
  public func relaxed(by factor: Int) -> Limits {
    guard factor > 1 else { return self }
    let holding = Limits.defaults.filter { $0.key != .requestsPerIP }.merging(byName) { $1 }
    return Limits(holding.mapValues { $0.relaxed(by: factor) })
  }

  /// The limits where a file is silent. A campus or a company behind one address stays below: 300 people who sign up in
  /// one hour, mistype and reset a password meet none of them.
  public static let defaults: [Name: Limit] = [
    .signInPerIP: limit(1000, 900), .signUpPerIP: limit(600, 3600), .mailPerIP: limit(1200, 3600),
    .mailPerTenant: limit(20_000, 3600),
    .codePerAccount: limit(30, 86_400), .codePerIP: limit(100, 3600), .codePerTenant: limit(5000, 3600),
    .mfaPerAccount: limit(10, 900), .passkeyPerIP: limit(300, 900), .resetPerIP: limit(600, 3600),
    .requestsPerIP: limit(1_000_000, 60),
  ].compactMapValues { $0 }

  private static func limit(_ count: Int64, _ window: Int64) -> Limit? { Limit(count: count, window: window) }
}
