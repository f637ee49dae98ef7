/// Passkeys (WebAuthn). Without the section no user can add one.
public struct Passkeys: Sendable, Hashable {
  /// A place of a passkey in a sign-in.
  public enum Use: String, Sendable, Hashable, CaseIterable {
    /// It opens a session by itself.
    case signIn = "sign_in"
    /// It is asked for after another proof.
    case secondFactor = "second_factor"
    /// It makes an account, which then has no password.
    case signUp = "sign_up"
  }

  /// Whether an authenticator has to verify its user, by a PIN or a fingerprint.
  public enum Verification: String, Sendable, Hashable, CaseIterable {
    case required
    /// A passkey that did not verify its user is one proof, and no two.
    case preferred
  }

  /// The statement about an authenticator that a registration has to carry (WebAuthn section 6.5).
  public enum Attestation: String, Sendable, Hashable, CaseIterable {
    /// None is read.
    case none
    /// One that the roots vouch for.
    case direct
  }

  /// The answer to a counter of signatures that did not rise: perhaps a copy of the authenticator exists.
  public enum CounterRule: String, Sendable, Hashable, CaseIterable {
    /// The proof counts, and the audit log has an event.
    case report
    /// The proof does not count.
    case refuse
  }

  /// An app on Android that may use the passkeys.
  public struct AndroidApp: Sendable, Hashable {
    /// The application id.
    public var package: String
    /// SHA-256 of each certificate that signs it: 32 bytes in upper-case hexadecimal, with colons between them.
    public var fingerprints: [String]

    /// The whole of it.
    public init(package: String, fingerprints: [String]) {
      self.package = package
      self.fingerprints = fingerprints
    }
  }

  /// The offer of a passkey to people who sign in by a password and have none.
  public struct Upgrade: Sendable, Hashable {
    /// Its first day.
    public var from: Day
    /// Conditions of the profile, which all must hold; none: all people.
    public var when: [Admins.Condition]

    /// The whole of it.
    public init(from: Day, when: [Admins.Condition] = []) {
      self.from = from
      self.when = when
    }
  }

  /// A relying party that passkeys were made for before. Until a day they prove as those of today's do.
  public struct FormerParty: Sendable, Hashable {
    /// Its id, a domain.
    public var id: String
    /// The first day on which they prove no more.
    public var until: Day

    /// The whole of it.
    public init(id: String, until: Day) {
      self.id = id
      self.until = until
    }
  }

  /// In this order; at least one.
  public var use: [Use]
  /// The relying party's id, a domain that the tenant's own host is or is below; nil: the host itself.
  public var rpID: String?
  /// The relying party before this one; nil: none.
  public var former: FormerParty?
  /// The offer of a passkey; nil: none is offered.
  public var upgrade: Upgrade?
  /// Further origins of web pages that may use the passkeys, byte for byte as browsers send them.
  public var origins: [String]
  /// App IDs on Apple platforms: team, full stop, bundle.
  public var apple: [String]
  /// Apps on Android.
  public var android: [AndroidApp]
  /// Whether the user has to be verified.
  public var verification: Verification
  /// The attestation that a registration has to carry.
  public var attestation: Attestation
  /// The certificates that vouch for authenticators, as PEM, one each. With `direct` alone.
  public var roots: [String]
  /// The models of authenticators that are allowed (AAGUID); nil: all that the roots vouch for. With `direct` alone.
  public var aaguids: [String]?
  /// Whether passkeys that can be synced between devices are allowed.
  public var synced: Bool
  /// The answer to a counter that did not rise.
  public var counter: CounterRule
  /// Where the file says so.
  public let position: SourcePosition

  /// The defaults are those of a section that is silent.
  public init(
    use: [Use], rpID: String? = nil, former: FormerParty? = nil, upgrade: Upgrade? = nil, origins: [String] = [],
    apple: [String] = [], android: [AndroidApp] = [], verification: Verification = .required,
    attestation: Attestation = .none, roots: [String] = [], aaguids: [String]? = nil, synced: Bool = true,
    counter: CounterRule = .report, position: SourcePosition = .none
  ) {
    self.use = Use.allCases.filter(use.contains)
    self.rpID = rpID
    self.former = former
    self.upgrade = upgrade
    self.origins = origins
    self.apple = apple
    self.android = android
    self.verification = verification
    self.attestation = attestation
    self.roots = roots
    self.aaguids = aaguids
    self.synced = synced
    self.counter = counter
    self.position = position
  }

  /// The names of the refusals of a passkey that the policy does not admit.
  public enum Refusal: String, Sendable, CaseIterable {
    /// No root vouches for its authenticator, or the model is not allowed.
    case attestation = "passkeys.attestation"
    /// It can be synced between devices.
    case synced = "passkeys.synced"
  }
}

extension Policy {
  /// Whether passkeys have a place in sign-ins.
  public func uses(passkeysFor use: Passkeys.Use) -> Bool { passkeys?.use.contains(use) ?? false }

  /// Whether people may add a passkey.
  public var admitsPasskeys: Bool { passkeys != nil }

  /// The decision on a passkey that a registration or a sign-in brings; nil where the policy admits it.
  /// - Parameters:
  ///   - isAttested: Whether its authenticator is vouched for as the policy demands; nil where none is asked.
  public func refusal(ofPasskeySynced isSynced: Bool, attested isAttested: Bool?) -> Decision? {
    let refused: Passkeys.Refusal? =
      // GUARD: passkeys: attested where the policy demands it
      if isAttested == false { .attestation }
      // GUARD: passkeys: synced where the policy allows it
      else if isSynced, passkeys?.synced == false { .synced } else { nil }
    guard let refused else { return nil }
    var decision = Decision()
    decision.allow = false
    let text = refused.text.texts
    decision.violations = [
      Violation(rule: refused.rawValue, pointer: "/credential", params: [:], message: text, sentence: text)
    ]
    return decision
  }
}

extension Passkeys.Refusal {
  fileprivate var text: Spoken {
    switch self {
    case .attestation:
      Spoken(
        "This kind of passkey is not accepted here.", "Aquí no se acepta este tipo de llave de acceso.",
        "Diese Art von Passkey wird hier nicht angenommen.", "لا يُقبل هذا النوع من مفاتيح المرور هنا.")
    case .synced:
      Spoken(
        "Passkeys that are synced between devices are not accepted here. Please use a security key.",
        "Aquí no se aceptan llaves de acceso sincronizadas entre dispositivos. Usa una llave de seguridad.",
        "Passkeys, die zwischen Geräten synchronisiert werden, werden hier nicht angenommen. "
          + "Bitte verwenden Sie einen Sicherheitsschlüssel.",
        "لا تُقبل هنا مفاتيح المرور التي تُزامَن بين الأجهزة. يُرجى استخدام مفتاح أمان.")
    }
  }
}
