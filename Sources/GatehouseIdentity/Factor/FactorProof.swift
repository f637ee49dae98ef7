import Foundation
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// A second factor as a request gives it.
enum TypedFactor {
  /// Six digits of an authenticator app.
  case totp(String)
  case recoveryCode(String)
  case passkey(AnsweredPasskey)
}

/// A code of a second factor that was found to be right. Its use is not committed yet, and the commit may find that
/// another request used the code first: `refused(.factorIsUnused)`.
struct FactorProof {
  let proofs: Proofs
  /// The use, and what is told of it.
  let changes: [Change]

  /// Refuses `passkey_invalid`, `code_invalid` for a wrong code, and for any code of an authenticator app after
  /// `AuthenticatorApp.maxFailures` wrong ones. The caller counts the try before.
  static func verify(
    _ typed: TypedFactor, of user: StoredUser, _ call: Call, _ services: Services
  ) async throws -> FactorProof {
    switch typed {
    case .totp(let digits): try await app(digits, of: user, call, services)
    case .recoveryCode(let text): try await recovery(text, of: user, call, services)
    case .passkey(let given): try await passkey(given, of: user, call, services)
    }
  }

  private static func passkey(
    _ given: AnsweredPasskey, of user: StoredUser, _ call: Call, _ services: Services
  ) async throws -> FactorProof {
    let passkeys = try await services.store.open(call.tenant.id).factors(of: user.id).passkeys
    guard let known = passkeys.first(where: { $0.credentialID == given.answer.id }) else {
      throw try await refused(given, "unknown", of: user, call, services)
    }
    return try await passkey(given, known, of: user, call, services)
  }

  private static func app(
    _ digits: String, of user: StoredUser, _ call: Call, _ services: Services
  ) async throws -> FactorProof {
    let apps = try await services.store.open(call.tenant.id).reserveAppTry(of: user.id)
    for app in apps {
      let seed = try call.tenant.vault.open(app.sealedSeed, for: .totpSeed(app.id))
      guard let step = TOTP.matchingStep(digits, seed: seed, at: call.now), step > app.lastStep else { continue }
      return FactorProof(
        proofs: Proofs(of: user.id, by: .totp, factor: app.id, call),
        changes: [.factor(.useApp(app.id, of: user.id, step: step))])
    }
    if apps.contains(where: { $0.failures >= AuthenticatorApp.maxFailures }) {
      try await services.store.open(call.tenant.id).commit(
        [.audit(call.entry(.secondProofLocked, services, user: user.id))], as: .anonymous)
    }
    throw try await refused(.totp, of: user, call, services)
  }

  private static func recovery(
    _ text: String, of user: StoredUser, _ call: Call, _ services: Services
  ) async throws -> FactorProof {
    guard let code = RecoveryCode(typed: text) else {
      throw try await refused(.recoveryCode, of: user, call, services)
    }
    let mac = code.mac(of: user.id, in: call.tenant.vault)
    guard try await services.store.open(call.tenant.id).isLive(recoveryCode: mac, of: user.id) else {
      throw try await refused(.recoveryCode, of: user, call, services)
    }
    return FactorProof(
      proofs: Proofs(of: user.id, by: .recoveryCode, call),
      changes: [
        .factor(.useCode(user.id, mac)),
        .audit(call.entry(.recoveryCodeUsed, services, actor: .user(user.id), user: user.id)),
      ] + (try Messaging.notice(.recoveryCodeUsed, to: user, call, services)))
  }

  private static func refused(
    _ method: Proof.Method, of user: StoredUser, _ call: Call, _ services: Services
  ) async throws -> Refusal {
    try await services.store.open(call.tenant.id).commit(
      [call.bounded(.secondProofFailed, services, user: user.id, details: ["method": method.name])], as: .anonymous)
    return Refusal(.codeInvalid)
  }
}

extension RecoveryCode {
  /// The form in which it is stored. Without the tenant's key it does not show which code it is of.
  func mac(of user: UserID, in vault: Vault) -> [UInt8] {
    vault.pseudonym(Array("recovery code".utf8), user.uuid.bytes, bytes)
  }
}
