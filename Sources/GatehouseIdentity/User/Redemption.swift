// Redeeming a mailed link or code: by the link's token, or by address and six digits. Tries at the digits are
// counted before they are compared; the use itself is one conditional statement in the transaction of its effect.

import Foundation
import GatehousePrimitives
import GatehouseWire
import GatehousePolicy

/// The input of a redemption.
enum Presented {
  case token(String)
  case digits(String, email: String, signUp: UUID? = nil)
  /// The digits that this caller's session asked for.
  case asked(String, by: SignedIn)

  /// Refuses a request that gives neither or both. `signUp`: the sign-up that the digits complete.
  init(_ input: some MailedCodeInput, signUp: UUID? = nil) throws {
    switch (input.token, input.email, input.code) {
    case (let token?, nil, nil): self = .token(token)
    case (nil, let email?, let code?): self = .digits(code, email: email, signUp: signUp)
    default: throw Refusal.malformed("", "give \"token\", or \"email\" and \"code\"")
    }
  }
}

/// A code that was found to be right. Its change is not committed yet, and the commit may find that another request
/// used the code first.
struct Redeemed {
  let code: OneTimeCode
  /// Marks the code as used; belongs into the commit of the effect.
  let use: Change
  /// What the try counted and a right one gives back, in the same commit.
  var returned = Counted.none
}

enum Redemption {
  /// Refuses `code_invalid`, `code_expired` or `code_used`. Purposes are tried in order; the first that knows it
  /// counts.
  static func find(
    _ presented: Presented, for purposes: [CodePurpose], _ call: Call, _ services: Services
  ) async throws -> Redeemed {
    let tried = try await Tried(presented, call, services)
    for purpose in purposes {
      if let found = try await find(tried, for: purpose, call, services) { return found }
    }
    var concerned: UserID?
    if case .digits(_, let destination, _, _, _) = tried {
      concerned = try await services.store.open(call.tenant.id).user(email: destination)?.user.id
    }
    await call.note(.codeRefused, about: tried.key(call), services, user: concerned)
    throw Refusal(.codeInvalid)
  }

  /// A try that was counted: once, however many kinds of code it might be.
  private enum Tried {
    case token(String)
    case digits(NumericCode, destination: String, signUp: UUID?, session: SessionID?, counted: Counted)

    /// Whose refusals are counted together.
    func key(_ call: Call) -> String {
      switch self {
      case .token: "token \(call.address?.text ?? "")"
      case .digits(_, let destination, _, _, _): Hex.encode(SignInKey(call.tenant, destination).bytes)
      }
    }

    init(_ presented: Presented, _ call: Call, _ services: Services) async throws {
      switch presented {
      case .token(let token): self = .token(token)
      case .digits(let text, let email, let signUp):
        guard let digits = NumericCode(typed: text),
          let destination = call.policy.normalisedEmail(email, using: services.facts)
        else { throw Refusal(.codeInvalid) }
        // Tries at a sign-up are its own: who knows the address alone can not use them up.
        let ownKey = signUp?.text ?? destination
        // GUARD: code: tries are counted per day
        let counted = try await Limiting.reserve(.code(destination: ownKey), call, services)
        self = .digits(digits, destination: destination, signUp: signUp, session: nil, counted: counted)
      case .asked(let text, let me):
        guard let digits = NumericCode(typed: text) else { throw Refusal(.codeInvalid) }
        // The account's own: a stranger, who knows its address alone, can not use them up.
        let counted = try await Limiting.reserve(.code(destination: me.user.id.text), call, services)
        self = .digits(
          digits, destination: me.user.email, signUp: nil, session: me.session.id, counted: counted)
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
      return try judge(code, byToken: true, expiresAt: code.tokenExpiresAt, returning: .none, call)
    case .digits(let digits, let destination, let signUp, let session, let counted):
      guard
        let code = try await store.reserveCodeAttempt(
          purpose: purpose, destination: destination, decoy: call.hashed(destination), id: signUp, session: session),
        code.attempts <= CodeMint.maxAttempts,  // GUARD: code: five tries
        services.codes.matches(digits, code, call.tenant.id)  // GUARD: code: its digits
      else { return nil }
      let redeemed = try judge(
        code, byToken: false, expiresAt: code.codeExpiresAt, returning: Limiting.returned(counted), call)
      // GUARD: code: a right try that a failure of the server wastes
      call.tries.note(.counts([.code(.giveBackTry(code.id)), .limit(.giveBack(counted))]))
      return redeemed
    }
  }

  private static func judge(
    _ code: OneTimeCode, byToken: Bool, expiresAt: Date, returning returned: Counted, _ call: Call
  ) throws -> Redeemed {
    guard code.usedAt == nil else { throw Refusal(.codeUsed) }
    guard code.supersededAt == nil else { throw Refusal(.codeInvalid) }
    // GUARD: code: not beyond its time
    guard call.now < expiresAt else { throw Refusal(.codeExpired) }
    return Redeemed(code: code, use: .code(.use(code.id, byToken: byToken)), returned: returned)
  }

  /// Commits an effect with the use of its code. Refuses `code_used` when another request used the code first.
  static func commit(
    _ redeemed: Redeemed, _ changes: [Change], as authority: Authority, _ call: Call, _ services: Services
  ) async throws {
    do {
      // Counters come last, as nothing that holds one waits for an account.
      try await services.store.open(call.tenant.id).commit(
        [redeemed.use] + changes + [.limit(.giveBack(redeemed.returned))], as: authority)
      call.tries.forget()
    } catch StoreError.refused(.codeIsLive) {
      throw Refusal(.codeUsed)
    }
  }
  /// Commits what a code decides about an account as it stands at that moment: where another request changes the
  /// account meanwhile, all is looked at again. The last try asks no more. Otherwise a thief could keep the reader of
  /// the mail out by changes.
  static func settle(
    _ redeemed: Redeemed, about id: UserID, _ call: Call, _ services: Services,
    changes: (StoredUser) throws -> [Change]
  ) async throws {
    for isLast in [false, false, true] {
      guard let user = try await services.store.open(call.tenant.id).user(id: id) else {
        throw Refusal(.codeInvalid)
      }
      let authority = isLast ? Authority.code : .proven(id, epoch: user.epoch)
      do {
        return try await commit(redeemed, changes(user), as: authority, call, services)
      } catch StoreError.refused(.userIsUnchanged) {}
    }
  }
}
