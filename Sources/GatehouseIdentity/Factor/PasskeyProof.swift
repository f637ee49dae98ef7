import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// The answer of a client with a passkey, and the challenge that it answers.
struct AnsweredPasskey {
  let answer: AuthenticationAnswer
  let challenge: [UInt8]
  /// Whether the passkey alone says who the person is.
  let isAlone: Bool
}

extension FactorProof {
  /// Verifies the answer by the stored passkey of this account. Refuses `passkey_invalid`, and `validation_failed` for
  /// one that can be synced where the policy allows none.
  static func passkey(
    _ given: AnsweredPasskey, _ known: Passkey, of user: StoredUser, _ call: Call, _ services: Services
  ) async throws -> FactorProof {
    let ceremony = try PasskeyCeremony(call)
    let used: PasskeyAssertion.Used
    do throws(PasskeyProblem) {
      used = try PasskeyAssertion.verify(given.parts, ceremony.expectation(given, known, of: user))
    } catch {
      throw try await refused(given, error.rawValue, of: user, call, services)
    }
    if let decision = call.policy.refusal(ofPasskeySynced: used.isBackupEligible, attested: nil) {
      throw Refusal(.validationFailed, violations: decision.violations)
    }
    var changes: [Change] = [
      .factor(
        .usePasskey(
          PasskeyUse(
            id: known.id, user: user.id, signCount: used.signCount, isBackupEligible: used.isBackupEligible,
            isBackedUp: used.isBackedUp, demandsCount: ceremony.rules.counter == .refuse)))
    ]
    if used.hasCounterFallen {
      // GUARD: passkey: a counter that did not rise
      guard ceremony.rules.counter == .report else {
        throw try await refused(given, "counter", of: user, call, services)
      }
      changes.append(
        .audit(
          call.entry(
            .passkeyCounterFell, services, user: user.id,
            details: ["factor": known.id.text, "stored": "\(known.signCount)", "answered": "\(used.signCount)"])))
    }
    if used.becameBackupEligible {
      changes.append(
        .audit(
          call.entry(
            .passkeyChanged, services, actor: .user(user.id), user: user.id,
            details: ["factor": known.id.text, "synced": "true"])))
    }
    // Each change is told once: the stored state is the new one from then on.
    if known.isBackedUp, !used.isBackedUp {
      changes.append(
        .audit(
          call.entry(
            .passkeyChanged, services, actor: .user(user.id), user: user.id,
            details: ["factor": known.id.text, "backed_up": "false"])))
      changes += try Messaging.notice(.passkeyUnsynced, to: user, call, services)
    }
    return FactorProof(
      proofs: Proofs(of: user.id, by: .passkey, factor: known.id, isUserVerified: used.isUserVerified, call),
      changes: changes)
  }

  /// The refusal of an answer, after it is in the audit log.
  static func refused(
    _ given: AnsweredPasskey, _ reason: String, of user: StoredUser?, _ call: Call, _ services: Services
  ) async throws -> Refusal {
    let event: AuditEvent = given.isAlone ? .signInFailed : .secondProofFailed
    try await services.store.open(call.tenant.id).commit(
      [
        call.bounded(
          event, services, user: user?.id, details: ["method": Proof.Method.passkey.name, "reason": reason])
      ], as: .anonymous)
    return Refusal(.passkeyInvalid)
  }
}

extension AnsweredPasskey {
  fileprivate var parts: PasskeyAssertion.Answer {
    PasskeyAssertion.Answer(
      id: answer.id, clientDataJSON: answer.clientData, authenticatorData: answer.authenticatorData,
      signature: answer.signature, userHandle: answer.userHandle)
  }
}

extension PasskeyCeremony {
  fileprivate func expectation(
    _ given: AnsweredPasskey, _ known: Passkey, of user: StoredUser
  ) throws(PasskeyProblem) -> PasskeyAssertion.Expectation {
    guard let algorithm = PasskeyAlgorithm(rawValue: known.algorithm) else { throw .otherAlgorithm }
    let own = party(of: known)
    guard
      own != nil  // GUARD: passkey: of a relying party that proves
    else { throw .otherParty }
    return PasskeyAssertion.Expectation(
      challenge: given.challenge, origins: (own ?? party).origins, rpIDHash: SHA256.digest(known.rpID),
      isVerificationRequired: rules.verification == .required, isUserHandleRequired: given.isAlone,
      known: PasskeyAssertion.Known(
        id: known.credentialID, key: try PasskeyKey(spki: known.publicKey, algorithm: algorithm),
        signCount: known.signCount, isBackupEligible: known.isBackupEligible, userHandle: handle(of: user.id)))
  }
}
