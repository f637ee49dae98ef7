package import Foundation
import GatehouseWire

/// Evidence that the owner of an account authenticated, with the method, the factor and the time. Features that
/// establish the identity of a caller make one.
package struct Proof: Sendable, Hashable {
  package let method: Method
  /// The stored factor that proved it; nil for what the account has one of.
  package let factor: UUID?
  package let at: Date
  /// Whether the factor saw to it that its owner used it, by a PIN or a fingerprint (WebAuthn's user verification).
  package let isUserVerified: Bool
  /// Of a provider that sends `auth_time`: whether it says that the person signed in there just then, and was not
  /// merely signed in still (OpenID Connect Core 1.0 section 3.1.2.1). Nil where it does not say.
  package let isActive: Bool?

  package init(
    method: Method, factor: UUID? = nil, at: Date, isUserVerified: Bool = false, isActive: Bool? = nil
  ) {
    self.method = method
    self.factor = factor
    self.at = at
    self.isUserVerified = isUserVerified
    self.isActive = isActive
  }

  /// How the owner proved it.
  package enum Method: Sendable, Hashable {
    case password
    /// A sign-in at an identity provider.
    case provider
    /// A code that was mailed to the account's proven address.
    case emailCode
    /// A code of an authenticator app (RFC 6238).
    case totp
    case recoveryCode
    /// A credential of WebAuthn. One that verified its user is two factors.
    case passkey
    /// A second factor that was used on the device before. It takes the place of another one where the policy remembers
    /// devices, and makes an authentication no stronger.
    case rememberedDevice
    /// A method of a later build, by the name that it stores: sessions that it opened go on while an older build runs
    /// again.
    case later(String)

    /// Those that this build makes.
    package static let known: [Method] = [
      .password, .provider, .emailCode, .totp, .passkey, .recoveryCode, .rememberedDevice,
    ]

    /// The name as it is stored.
    package var name: String {
      switch self {
      case .password: "password"
      case .provider: "provider"
      case .emailCode: "email_code"
      case .totp: "totp"
      case .recoveryCode: "recovery_code"
      case .passkey: "passkey"
      case .rememberedDevice: "remembered_device"
      case .later(let name): name
      }
    }

    /// Its Authentication Method Reference (RFC 8176), which has no word for a provider and none for a mail.
    package var reference: String {
      switch self {
      case .password: "pwd"
      case .provider: "fed"
      case .emailCode, .totp, .recoveryCode: "otp"
      case .passkey: "pop"
      case .rememberedDevice, .later: name
      }
    }

    /// Its role beside other methods. A mailed code has none (NIST SP 800-63B-4 section 3.1.3.1), and neither has a
    /// method that this build cannot judge.
    var role: Role? {
      switch self {
      case .password, .provider: .first
      case .totp, .recoveryCode: .second
      case .passkey: .either
      case .emailCode, .rememberedDevice, .later: nil
      }
    }

    /// Whether it is one of the second factors.
    var isSecond: Bool { role == .second || role == .either }

    /// The names of those that are second factors.
    package static let seconds = known.filter(\.isSecond).map(\.name)

    package init(name: String) { self = Method.known.first { $0.name == name } ?? .later(name) }
    package init(reference: String) { self = Method.known.first { $0.reference == reference } ?? .later(reference) }
  }

  /// Two first proofs are no second factor.
  enum Role: Sendable {
    case first, second
    /// First where it stands alone, and second beside another one.
    case either
  }
}

/// How strong an authentication is (`acr`, OpenID Connect Core 1.0 section 2), by the levels of NIST SP 800-63B.
package enum AuthenticationLevel: String, Sendable, CaseIterable, Comparable {
  /// Below the levels: a mailed code alone.
  case zero = "0"
  /// A first proof or a second one.
  case aal1
  /// A first proof and a second one.
  case aal2
  /// The same, one of them by a factor that resists phishing (OpenID Connect EAP ACR Values 1.0).
  case phr

  package static func < (one: Self, other: Self) -> Bool { one.rank < other.rank }

  private var rank: Int {
    // INVARIANT: each level is one of all.
    Self.allCases.firstIndex(of: self) ?? 0
  }
}

/// The proofs of an account's owner: at least one, all of one account of one tenant. Tokens and rules compute their
/// statements about an authentication from them.
package struct Proofs: Sendable, Hashable {
  package let tenant: TenantID
  package let user: UserID
  /// In the order in which they came, one for each method.
  package private(set) var all: [Proof]

  /// One proof, made in this request.
  init(
    of user: UserID, by method: Proof.Method, factor: UUID? = nil, isUserVerified: Bool = false,
    isActive: Bool? = nil, _ call: Call
  ) {
    let proof = Proof(
      method: method, factor: factor, at: call.now, isUserVerified: isUserVerified, isActive: isActive)
    self.init(tenant: call.tenant.id, user: user, first: proof, [])
  }

  /// Proofs as they were stored, oldest first.
  package init(tenant: TenantID, user: UserID, first: Proof, _ others: [Proof]) {
    self.tenant = tenant
    self.user = user
    all = [first] + others
  }

  /// These and newer ones of the same account. Of one method the newer proof counts. Refuses `forbidden` for those of
  /// another account.
  func joined(by newer: Proofs) throws -> Proofs {
    guard
      newer.user == user,  // GUARD: proofs: of one account
      newer.tenant == tenant  // GUARD: proofs: of one tenant
    else { throw Refusal(.forbidden) }
    var joined = self
    joined.all.removeAll { old in newer.all.contains { $0.method == old.method } }
    joined.all += newer.all
    return joined
  }

  /// These, and that a second factor was used on the device at a time before them.
  func remembering(deviceSince used: Date) -> Proofs {
    var proofs = self
    proofs.all.insert(Proof(method: .rememberedDevice, at: used), at: 0)
    return proofs
  }

  /// The proof that came last.
  package var newest: Proof {
    // INVARIANT: there is at least one.
    all[all.count - 1]
  }

  /// `auth_time` (OpenID Connect Core 1.0 section 2): when the owner was last there.
  package var authTime: Date { newest.at }

  /// `amr` (RFC 8176): the methods, and that there were several factors. A remembered device is no method.
  package var amr: [String] {
    var references: [String] = []
    for proof in all where proof.method != .rememberedDevice && !references.contains(proof.method.reference) {
      references.append(proof.method.reference)
    }
    return references + (level >= .aal2 ? ["mfa"] : [])
  }

  /// `acr`: how strong the authentication is.
  package var level: AuthenticationLevel {
    let roles = Set(all.compactMap(\.method.role))
    if roles.isEmpty { return .zero }
    let passkey = all.first { $0.method == .passkey }
    // A passkey that verified its user is a key and a PIN or a finger.
    guard roles.count > 1 || passkey?.isUserVerified == true else { return .aal1 }
    return passkey == nil ? .aal2 : .phr
  }

  /// Whether a proof is one by a second factor. A passkey that did not verify its user is one beside another proof.
  func isSecond(_ proof: Proof) -> Bool {
    switch proof.method.role {
    case .second: true
    case .either: level >= .aal2
    case .first, nil: false
    }
  }

  /// Whether one by this method is of the last five minutes.
  func hasRecent(_ method: Proof.Method, at now: Date) -> Bool {
    all.contains { $0.method == method && isRecent($0, at: now) }
  }

  private func isRecent(_ proof: Proof, at now: Date) -> Bool {
    now.timeIntervalSince(proof.at) < Double(SignedIn.recentSeconds)
  }

  /// Whether there is a fresh proof: one of the last five minutes for which the owner was present. Of an account that
  /// `owesSecond`, only a second factor is one. A browser that is signed in at a provider passes there without the
  /// owner, so that a sign-in by one counts if the provider says that they were present; one that never says so counts
  /// where `countsSilent`.
  package func isRecent(at now: Date, owesSecond: Bool, countsSilent: Bool) -> Bool {
    all.contains { proof in
      isRecent(proof, at: now)
        && (!owesSecond || isSecond(proof))  // GUARD: fresh proof: by a second factor
        && (proof.method != .provider || proof.isActive ?? countsSilent)  // GUARD: fresh proof: by no silent provider
        && proof.method != .rememberedDevice  // GUARD: fresh proof: by no remembered device
    }
  }
}
