// Redeeming a mailed link or code: by the link's token alone, or by address and six digits. Tries at the digits are
// counted before they are compared; the use itself is one conditional statement in the transaction of its effect.

import Foundation
import GatehousePrimitives
import GatehouseWire
import GatehousePolicy

/// What a caller sends to redeem.
enum Presented {
  case token(String)
  case digits(String, email: String)

  /// Refuses a request that gives neither or both.
  init(token: String?, email: String?, code: String?) throws {
    switch (token, email, code) {
    case (let token?, nil, nil): self = .token(token)
    case (nil, let email?, let code?): self = .digits(code, email: email)
    default: throw Refusal.malformed("", "give \"token\", or \"email\" and \"code\"")
    }
  }
}

/// A code that was found to be right; its change still has to be committed, and may then find that somebody was faster.
struct Redeemed {
  let code: OneTimeCode
  /// Marks the code as used; belongs into the commit of the effect.
  let use: Change
}

enum Redemption {
  /// Refuses `code_invalid`, `code_expired` or `code_used`. Purposes are tried in order; the first that knows it counts.
  static func find(
    _ presented: Presented, for purposes: [CodePurpose], _ call: Call, _ services: Services
  ) async throws -> Redeemed {
    let tried = try await Tried(presented, call, services)
    for purpose in purposes {
      if let found = try await find(tried, for: purpose, call, services) { return found }
    }
    var concerned: AccountID?
    if case .digits(_, let destination) = tried {
      concerned = try await services.store.open(call.tenant.id).account(email: destination)?.account.id
    }
    await call.note(.codeRefused, about: tried.key(call), services, account: concerned)
    throw Refusal(.codeInvalid)
  }

  /// A try that was counted: once, however many kinds of code it might be.
  private enum Tried {
    case token(String)
    case digits(NumericCode, destination: String)

    /// Whose refusals are counted together.
    func key(_ call: Call) -> String {
      switch self {
      case .token: "token \(call.address?.text ?? "")"
      case .digits(_, let destination): Hex.encode(SignInKey(call.tenant, destination).bytes)
      }
    }

    init(_ presented: Presented, _ call: Call, _ services: Services) async throws {
      switch presented {
      case .token(let token): self = .token(token)
      case .digits(let text, let email):
        guard let digits = NumericCode(typed: text),
          let destination = call.policy.normalisedEmail(email, using: services.facts)
        else { throw Refusal(.codeInvalid) }
        try await Limiting.reserve(.code(destination: destination), call, services)
        self = .digits(digits, destination: destination)
      }
    }
  }

  private static func find(
    _ tried: Tried, for purpose: CodePurpose, _ call: Call, _ services: Services
  ) async throws -> Redeemed? {
    let store = services.store.open(call.tenant.id)
    switch tried {
    case .token(let token):
      guard let hash = OpaqueToken.digest(of: token, kind: purpose.tokenKind),
        let code = try await store.code(tokenHash: hash, purpose: purpose)
      else { return nil }
      return try judge(code, byToken: true, expiresAt: code.tokenExpiresAt, call)
    case .digits(let digits, let destination):
      guard
        let code = try await store.reserveCodeAttempt(
          purpose: purpose, destination: destination, decoy: call.hashed(destination)),
        code.attempts <= CodeMint.maxAttempts, services.codes.matches(digits, code, call.tenant.id)
      else { return nil }
      return try judge(code, byToken: false, expiresAt: code.codeExpiresAt, call)
    }
  }

  private static func judge(_ code: OneTimeCode, byToken: Bool, expiresAt: Date, _ call: Call) throws -> Redeemed {
    guard code.usedAt == nil else { throw Refusal(.codeUsed) }
    guard code.supersededAt == nil else { throw Refusal(.codeInvalid) }
    guard call.now < expiresAt else { throw Refusal(.codeExpired) }
    return Redeemed(code: code, use: .useCode(code.id, byToken: byToken))
  }

  /// Commits an effect with the use of its code; somebody who was faster is `code_used`.
  static func commit(_ redeemed: Redeemed, _ changes: [Change], _ call: Call, _ services: Services) async throws {
    do {
      try await services.store.open(call.tenant.id).commit([redeemed.use] + changes)
    } catch StoreError.refused(.codeIsLive) {
      throw Refusal(.codeUsed)
    }
  }
}
