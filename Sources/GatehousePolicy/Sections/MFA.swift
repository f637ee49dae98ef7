/// Second factors. A policy without the section lets nobody add one, and demands none.
public struct MFA: Sendable, Hashable {
  /// The kinds that people may add; at least one.
  public var factors: [Factor]
  /// Seconds within which a remembered device stands in for a second factor; 0: never.
  public var rememberDevice: Int64
  /// Seconds after which the second factor of a session is asked for again; nil: not in its life.
  public var validFor: Int64?
  /// Where the file says so.
  public let position: SourcePosition

  /// The defaults are those of a section that is silent.
  public init(
    factors: [Factor], rememberDevice: Int64 = 0, validFor: Int64? = nil, position: SourcePosition = .none
  ) {
    self.factors = factors
    self.rememberDevice = rememberDevice
    self.validFor = validFor
    self.position = position
  }
}

/// A kind of second factor, by the name that files and answers have for it.
public enum Factor: String, Sendable, Hashable, CaseIterable {
  /// A code of an authenticator app (RFC 6238).
  case totp
  /// A credential of WebAuthn.
  case passkey

  /// Those that this version can enrol; a file that names another is refused.
  public static let available: [Factor] = [.totp]
}
