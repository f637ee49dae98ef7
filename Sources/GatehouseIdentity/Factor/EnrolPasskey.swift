// A passkey becomes a factor of an account: its client makes it from options with a challenge, and answers once.

import Foundation
import GatehousePolicy
package import GatehousePrimitives
package import GatehouseWire

package enum StartPasskey {
  /// The options for a new passkey. Refuses `not_found` where the policy has none, `passkeys_unavailable`,
  /// `reauthentication_required`, `conflict` beyond `Passkey.perUser`.
  package static func run(_ input: Nothing, _ call: Call, _ services: Services) async throws
    -> StartPasskeyEndpoint.Output
  {
    let me = try await call.signedIn(services)
    try call.demandFactor(.passkey)
    let ceremony = try PasskeyCeremony(call)
    // GUARD: passkey: added by a fresh proof
    try me.demandFreshProof(for: .factors, call, services)
    let store = services.store.open(call.tenant.id)
    let passkeys = try await store.factors(of: me.user.id).passkeys
    guard passkeys.count < Passkey.perUser else { throw Enrolment.full(Passkey.perUser) }
    let terms = Ticket.Purpose.addPasskey.terms
    let token = OpaqueToken.generate(terms.token)
    try await store.commit([.ticket(.begin(Ticket(token, .addPasskey, of: me, call)))], as: me.proven)
    return StartPasskeyEndpoint.Output(
      challengeID: token.text.expose { $0 },
      publicKey: ceremony.creation(of: me.user, beside: passkeys, ticket: token.digest), expiresIn: terms.seconds)
  }
}

package enum AddPasskey {
  /// Enrols the passkey. It is a proof: the session rises to its level, under another id. Refuses `passkey_invalid` for
  /// an answer that breaks a rule of WebAuthn, `validation_failed` for a passkey that the policy does not admit,
  /// `conflict` for one that an account has, `code_expired` for a challenge that is unknown, over, used or another
  /// session's. A challenge has one try.
  package static func run(_ input: AddPasskeyEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> AddPasskeyEndpoint.Output
  {
    let (passkey, codes, joined) = try await enrol(input, call, services)
    return AddPasskeyEndpoint.Output(
      factor: FactorRecord(passkey), recoveryCodes: codes.map { $0.map(\.shown) },
      session: try joined.answer(call, services))
  }

  /// The same, for any client.
  package static func enrol(
    _ input: AddPasskeyEndpoint.Input, _ call: Call, _ services: Services
  ) async throws -> (passkey: Passkey, codes: [RecoveryCode]?, session: JoinedSession) {
    let me = try await call.signedIn(services)
    try call.demandFactor(.passkey)
    let ceremony = try PasskeyCeremony(call)
    let tried = try await TriedTicket.find(input.challengeID, .addPasskey, of: me.session.id, call, services)
    let store = services.store.open(call.tenant.id)
    let made = try await ceremony.verified(
      input.credential, challenge: ceremony.challenge(ofTry: tried.number, ticket: tried.hash), of: me.user, call,
      services)
    guard try await store.passkey(made.id) == nil else { throw AddPasskey.taken }
    let passkey = Passkey(
      id: services.clock.makeID(), user: me.user.id, made, for: ceremony.party,
      transports: Passkey.transports.filter(input.credential.transports.contains),
      name: FactorName.stored(input.name), at: call.now)
    let adding: [Change] = [.ticket(.take(tried.claim)), .factor(.addPasskey(passkey))]
    do {
      let (codes, joined) = try await Enrolment(
        method: .passkey, factor: passkey.id, isUserVerified: made.isUserVerified, adding: adding
      ).commit(Passkey.perUser, of: me, call, services)
      return (passkey, codes, joined)
    } catch StoreError.exists {
      throw AddPasskey.taken
    }
  }

  private static var taken: Refusal { Refusal(.conflict, detail: "This passkey belongs to an account already.") }
}

extension PasskeyCeremony {
  /// The passkey of an answer, where it keeps the rules of WebAuthn and those of the policy.
  fileprivate func verified(
    _ answer: RegistrationAnswer, challenge: [UInt8], of user: StoredUser, _ call: Call, _ services: Services
  ) async throws -> PasskeyRegistration.Made {
    let isAttestationAsked = rules.attestation == .direct
    let made: PasskeyRegistration.Made
    do throws(PasskeyProblem) {
      var expected = PasskeyRegistration.Expectation(
        challenge: challenge, origins: party.origins, rpIDHash: party.idHash,
        isVerificationRequired: rules.verification == .required)
      if isAttestationAsked { expected.attestation = try demand(at: call.now) }
      made = try PasskeyRegistration.verify(
        PasskeyRegistration.Answer(
          id: answer.id, clientDataJSON: answer.clientData, attestationObject: answer.attestationObject), expected)
    } catch {
      try await services.store.open(call.tenant.id).commit(
        [
          call.bounded(
            .secondProofFailed, services, user: user.id,
            details: ["method": Proof.Method.passkey.name, "reason": error.rawValue])
        ], as: .anonymous)
      if error.isOfAttestation, let decision = call.policy.refusal(ofPasskeySynced: false, attested: false) {
        throw Refusal(.validationFailed, violations: decision.violations)
      }
      throw Refusal(.passkeyInvalid)
    }
    let isAttested = isAttestationAsked ? made.isAttested : nil
    if let decision = call.policy.refusal(ofPasskeySynced: made.isBackupEligible, attested: isAttested) {
      throw Refusal(.validationFailed, violations: decision.violations)
    }
    return made
  }

  private func demand(at now: Date) throws(PasskeyProblem) -> AttestationDemand {
    let roots: CertificateRoots
    do throws(CertificateError) {
      roots = try CertificateRoots(pem: Array(rules.roots.joined(separator: "\n").utf8))
    } catch {
      throw .attestationUntrusted
    }
    let models = rules.aaguids.map { $0.compactMap { UUID(uuidString: $0)?.bytes } }
    return AttestationDemand(roots: roots, models: models, at: Int64(now.timeIntervalSince1970))
  }
}

extension PasskeyProblem {
  /// Whether the authenticator is not vouched for, or is of a model that is not allowed.
  fileprivate var isOfAttestation: Bool {
    switch self {
    case .attestationFormat, .badAttestation, .attestationUntrusted, .attestationNotValidNow, .attestationProfile,
      .attestationSignature, .attestationNonce, .attestationKey, .attestationModel, .modelNotAllowed:
      true
    case .tooLarge, .badClientData, .otherType, .otherChallenge, .otherOrigin, .crossOrigin, .badAttestationObject,
      .badAuthenticatorData, .otherParty, .userNotPresent, .userNotVerified, .backedUpUneligible,
      .backupEligibilityLost, .otherAlgorithm, .badKey, .badCredentialID, .otherCredential, .otherUser, .badSignature:
      false
    }
  }
}

extension Passkey {
  fileprivate init(
    id: UUID, user: UserID, _ made: PasskeyRegistration.Made, for party: RelyingParty, transports: [String],
    name: String?, at now: Date
  ) {
    self.init(
      id: id, user: user, credentialID: made.id, rpID: party.id, publicKey: made.key.spki,
      algorithm: made.key.algorithm.rawValue, signCount: made.signCount, model: made.model,
      isAttested: made.isAttested, isBackupEligible: made.isBackupEligible, isBackedUp: made.isBackedUp,
      transports: transports, name: name, createdAt: now, lastUsedAt: now)
  }
}

extension FactorRecord {
  package init(_ passkey: Passkey) {
    self.init(
      id: passkey.id.text, type: Proof.Method.passkey.name, name: passkey.name,
      createdAt: Timestamp(passkey.createdAt), lastUsedAt: passkey.lastUsedAt.map(Timestamp.init),
      synced: passkey.isBackedUp)
  }
}
