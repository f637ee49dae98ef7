// A passkey that a client has just made, for an account that is there or for one that it makes.

import Foundation
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// The answer of a client that made a passkey, and the challenge that it answers.
struct MadePasskey {
  let answer: RegistrationAnswer
  let challenge: [UInt8]
  /// The account that the passkey is for.
  let owner: UserID
  /// The name that the owner gives it.
  let name: String?
  /// Whether a client may have made it without asking the owner (`mediation: conditional`): it proves no presence then.
  var maySkipOwner = false
}

extension PasskeyCeremony {
  /// The passkey of an answer that keeps the rules of WebAuthn and those of the policy, as it is to be stored, and
  /// whether it verified its user. Refuses `passkey_invalid` for a broken rule of WebAuthn, which `failed` notes by its
  /// name, `validation_failed` for a passkey that the policy does not admit, `conflict` for one that an account has.
  func passkey(
    of made: MadePasskey, _ call: Call, _ services: Services, failed: (_ reason: String) -> Change
  ) async throws -> (passkey: Passkey, isUserVerified: Bool) {
    let found = try await verified(made, call, services, failed: failed)
    guard try await services.store.open(call.tenant.id).passkey(found.id) == nil else { throw AddPasskey.taken }
    let passkey = Passkey(
      id: services.clock.makeID(), user: made.owner, found, for: party,
      transports: Passkey.transports.filter(made.answer.transports.contains), name: FactorName.stored(made.name),
      at: call.now)
    return (passkey, found.isUserVerified)
  }

  private func verified(
    _ given: MadePasskey, _ call: Call, _ services: Services, failed: (_ reason: String) -> Change
  ) async throws -> PasskeyRegistration.Made {
    let isAttestationAsked = rules.attestation == .direct
    let answer = given.answer
    let made: PasskeyRegistration.Made
    do throws(PasskeyProblem) {
      var expected = PasskeyRegistration.Expectation(
        challenge: given.challenge, origins: party.origins, rpIDHash: party.idHash,
        isVerificationRequired: rules.verification == .required && !given.maySkipOwner)
      expected.isPresenceRequired = !given.maySkipOwner
      if isAttestationAsked { expected.attestation = try demand(at: call.now) }
      made = try PasskeyRegistration.verify(
        PasskeyRegistration.Answer(
          id: answer.id, clientDataJSON: answer.clientData, attestationObject: answer.attestationObject), expected)
    } catch {
      try await services.store.open(call.tenant.id).commit([failed(error.rawValue)], as: .anonymous)
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
