// Redeeming a mailed link or code: by the link's token, or by address and six digits. A client that sends digits has
// shown before whose they are; tries are counted for that, before they are compared. The use itself is one conditional
// statement in the transaction of its effect.

import Foundation
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// The input of a redemption.
enum Presented {
  case token(String)
  case digits(TypedCode)

  /// Refuses a request that gives neither or both.
  init(_ input: some MailedCodeInput, _ call: Call, _ services: Services) throws {
    switch (input.token, input.email, input.code) {
    case (let token?, nil, nil): self = .token(token)
    case (nil, let email?, let code?): self = .digits(TypedCode(code, email: email, call, services))
    default: throw Refusal.malformed("", "give \"token\", or \"email\" and \"code\"")
    }
  }
}

/// Digits of a mail, as they were typed.
struct TypedCode {
  /// The address, as an account can have it where it can be one.
  let email: String
  /// Nil for what no mail can hold.
  fileprivate let digits: NumericCode?

  init(_ code: String, email: String, _ call: Call, _ services: Services) {
    let address = call.policy.normalisedEmail(email, using: services.facts)
    self.email = address ?? email
    digits = address == nil ? nil : NumericCode(typed: code)
  }

  /// Digits of a mail to the address that an account has, as it is stored.
  init(_ code: String, stored email: String) {
    self.email = email
    digits = NumericCode(typed: code)
  }
}

extension NumericCode {
  /// The code that a person typed or pasted; nil where the text holds none.
  init?(typed text: String) {
    guard let digits = TypedText.code(in: text, digits: NumericCode.digitCount) else { return nil }
    self.init(digits: digits)
  }
}

/// A code that was found to be right. Its change is not committed yet, and the commit may find that another request
/// used the code first.
struct Redeemed {
  let code: OneTimeCode
  /// Marks the code as used; belongs into the commit of the effect.
  let use: Change
  /// The counts of the try that a right one returns, in the same commit.
  var returned = Counted.none
  /// All that the try was counted with, for a right one that has no effect.
  var tried: [Change] = []
}

enum Redemption {
  /// The code of a link. Refuses `code_invalid`, `code_expired` or `code_used`. Purposes are tried in order; the first
  /// that knows it counts.
  static func find(token: String, for purposes: [CodePurpose], _ call: Call, _ services: Services) async throws
    -> Redeemed
  {
    let store = services.store.open(call.tenant.id)
    for purpose in purposes {
      guard let hash = OpaqueToken.digest(of: token, kind: purpose.terms.token),
        let code = try await store.code(tokenHash: hash, purpose: purpose)
      else { continue }
      return try judge(code, byToken: true, expiresAt: code.tokenExpiresAt, returning: .none, call)
    }
    await call.note(.codeRefused, about: "token \(call.address?.text ?? "")", services)
    throw Refusal(.codeInvalid)
  }

  /// The code of these digits, which its `holder` tries. Refuses `code_invalid`, `code_expired`, `code_used` or
  /// `rate_limited`.
  ///
  /// An account is the holder only where the requester has proven it in this request: its tries are used up here.
  static func find(
    _ typed: TypedCode, for purpose: CodePurpose, of holder: CodeHolder, _ call: Call, _ services: Services
  ) async throws -> Redeemed {
    guard let digits = typed.digits else { throw Refusal(.codeInvalid) }
    // GUARD: code: tries are counted per day
    let counted = try await Limiting.reserve(.code(holder, at: .email(typed.email)), call, services)
    let codes = try await services.store.open(call.tenant.id).tryCodes(
      purpose, at: .email(typed.email), decoy: call.hashed(.email(typed.email)), of: holder)
    let right = codes.first { code in
      code.attempts <= CodeMint.maxAttempts  // GUARD: code: five tries
        && services.codes.matches(digits, code, call.tenant.id)  // GUARD: code: its digits
    }
    guard let right else {
      try await refuse(codes, typed, holder, call, services)
      var refusal = Refusal(.codeInvalid)
      refusal.isUsedUp = try await isUsedUp(codes, purpose, holder, call, services)
      throw refusal
    }
    var redeemed = try judge(
      right, byToken: false, expiresAt: right.codeExpiresAt, returning: Limiting.returned(counted), call)
    let tries = holder == .reader ? [] : codes.map { Change.code(.giveBackTry($0.id)) }
    redeemed.tried = tries + [.limit(.giveBack(counted))]
    // GUARD: code: a right try that a failure of the server wastes
    call.tries.note(.counts(redeemed.tried))
    return redeemed
  }

  /// Whether wrong digits were the last try. Holders of an id are told by the counter of that id, which counts alike
  /// whether or not a code has it; the account of a code by the code itself. A change of address has no such answer:
  /// where accounts are hidden, a taken address has no code of the account that asks.
  private static func isUsedUp(
    _ codes: [OneTimeCode], _ purpose: CodePurpose, _ holder: CodeHolder, _ call: Call, _ services: Services
  ) async throws -> Bool {
    switch holder {
    case .id(let id):
      // GUARD: code: tries are told by the id
      guard let counter = Limits.Name.codePerAccount.count(for: id.text, call).first else { return false }
      return try await services.store.open(call.tenant.id).count(of: counter) >= CodeMint.maxAttempts
    case .account, .session:
      // GUARD: enumeration: a change of address tells no tries
      guard purpose != .changeEmail else { return false }
      return !codes.isEmpty && codes.allSatisfy { $0.attempts >= CodeMint.maxAttempts }
    case .reader: return false
    }
  }

  /// Gives the try at a right code back that has no effect.
  static func giveBack(_ redeemed: Redeemed, _ call: Call, _ services: Services) async throws {
    guard !redeemed.tried.isEmpty else { return }
    try await services.store.open(call.tenant.id).commit(redeemed.tried, as: .anonymous)
    call.tries.forget()
  }

  /// Counts wrong digits: a try at a living code draws on what the tenant allows, any other one is counted apart, by
  /// the same statement.
  private static func refuse(
    _ codes: [OneTimeCode], _ typed: TypedCode, _ holder: CodeHolder, _ call: Call, _ services: Services
  ) async throws {
    let isLiving = codes.contains { code in
      code.destination.value == typed.email && code.attempts <= CodeMint.maxAttempts && code.isLive(at: call.now)
    }
    try await Limiting.count(wrongCodeAtLiving: isLiving, call, services)
    var user = codes.first?.user
    switch holder {
    case .account(let id), .session(_, let id): user = id
    case .id, .reader: break
    }
    let key = Hex.encode(SignInKey(call.tenant, typed.email).bytes)
    await call.note(.codeRefused, about: key, services, user: user)
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
    let attempts = 3
    var made = 0
    try await retryOnConflict(attempts: attempts) {
      guard let user = try await services.store.open(call.tenant.id).user(id: id) else {
        throw Refusal(.codeInvalid)
      }
      made += 1
      let authority = made == attempts ? Authority.code : .proven(id, epoch: user.epoch)
      try await commit(redeemed, changes(user), as: authority, call, services)
    }
  }
}
