/// Second factors. Without the section no user can add one, and none is demanded.
public struct MFA: Sendable, Hashable {
  /// A demand for a second factor: of all users, or of those whose profile meets its conditions.
  public struct Demand: Sendable, Hashable {
    /// `mfa.admins`
    public let id: String
    /// All must hold; none: all users. The fields are those that administrators alone write.
    public var when: [Admins.Condition]
    /// The level that a session has to reach.
    public var level: AssuranceLevel
    /// Whether the demand limits access, or only warns.
    public var enforcement: Enforcement
    /// Where the file says so.
    public let position: SourcePosition

    /// The defaults are those of a demand that is silent.
    public init(
      id: String, when: [Admins.Condition] = [], level: AssuranceLevel = .aal2, enforcement: Enforcement = .enforced,
      position: SourcePosition = .none
    ) {
      self.id = id
      self.when = when
      self.level = level
      self.enforcement = enforcement
      self.position = position
    }
  }

  /// The kinds that people may add; at least one.
  public var factors: [Factor]
  /// In file order. Each that matches binds.
  public var requiredIf: [Demand]
  /// Seconds of full access without a factor, from the first session under a demand.
  public var grace: Int64
  /// Seconds within which a remembered device stands in for a second factor; 0: never.
  public var rememberDevice: Int64
  /// Seconds after which the second factor of a session is asked for again; nil: not in its life.
  public var validFor: Int64?
  /// Where the file says so.
  public let position: SourcePosition

  /// The defaults are those of a section that is silent.
  public init(
    factors: [Factor], requiredIf: [Demand] = [], grace: Int64 = 0, rememberDevice: Int64 = 0, validFor: Int64? = nil,
    position: SourcePosition = .none
  ) {
    self.factors = factors
    self.requiredIf = requiredIf
    self.grace = grace
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

  /// The level of a session with a first proof and one by this factor.
  public var reached: AssuranceLevel {
    switch self {
    case .totp: .aal2
    case .passkey: .phr
    }
  }
}

/// How strong a session is (`acr`, OpenID Connect Core 1.0 section 2), weakest first.
public enum AssuranceLevel: String, Sendable, Hashable, CaseIterable, Comparable {
  /// A first proof or less.
  case aal1
  /// Two proofs (NIST SP 800-63B).
  case aal2
  /// Two proofs, one of them by a factor that resists phishing.
  case phr

  /// Weaker first.
  public static func < (left: AssuranceLevel, right: AssuranceLevel) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .aal1: 1
    case .aal2: 2
    case .phr: 3
    }
  }
}

extension Policy {
  /// The demands for second factors, in file order.
  public var demands: [MFA.Demand] { mfa?.requiredIf ?? [] }

  /// Whether people may add a factor of this kind. A passkey may also be there to sign in with alone.
  public func admits(_ factor: Factor) -> Bool {
    (mfa?.factors.contains(factor) ?? false)  // GUARD: factors: kinds of the policy alone
      || (factor == .passkey && uses(passkeysFor: .signIn))
  }

  /// Whether the account has a factor that the policy admits and that reaches a level.
  public func reaches(_ level: AssuranceLevel, _ user: StoredFacts) -> Bool {
    Factor.allCases.contains { admits($0) && $0.reached >= level && user.factors.contains($0.rawValue) }
  }

  /// Whether a demand is about the owner of this stored profile, at any stage.
  public func concerns(_ demand: MFA.Demand, profile: [String: FieldValue]) -> Bool {
    holds(demand.when, of: profile)
  }
}
