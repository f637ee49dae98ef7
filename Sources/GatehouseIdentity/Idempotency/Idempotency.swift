// Idempotency-Key: a caller who does not know whether a request arrived sends it again under the same key, and gets the
// first one's answer instead of a second effect. The answer is written in the transaction of its effect: there are both
// or neither.

package import Foundation
import GatehousePrimitives
import GatehouseWire

/// The right to make one effect under a key, until an answer is kept, the claim is let go, or another request takes it
/// over because its holder seems dead.
package struct IdempotencyClaim: Sendable {
  /// A keyed digest of tenant, operation, caller and key: one key of one caller for one operation.
  package let key: [UInt8]
  /// A keyed digest of the body's bytes, which may hold a password.
  package let body: [UInt8]
  /// This attempt.
  package let id: UUID
  /// The signed-in account that makes the request, or nil: what is kept goes with the account.
  package let user: UserID?
  private let settled = LockBox(false)

  /// Seconds for which a claim holds, unless it is let go before.
  package static let seconds: TimeInterval = 15

  package init(key: [UInt8], body: [UInt8], id: UUID, user: UserID?) {
    self.key = key
    self.body = body
    self.id = id
    self.user = user
  }

  /// Whether an answer is kept under it, so that nothing is left to let go.
  package var isSettled: Bool { settled.withLock { $0 } }

  /// Says that the commit that keeps an answer under it is made.
  package func settle() { settled.withLock { $0 = true } }
}

/// The store's answer to a claim.
package enum IdempotencyVerdict: Sendable, Equatable {
  /// The key was free; the request goes on.
  case claimed
  /// It was given an answer, sealed.
  case kept(sealed: [UInt8])
  /// Another request works on it.
  case inFlight
  /// It belongs to another body.
  case otherBody
}

/// Keys and the answers kept for them.
package protocol IdempotencyStore: Sendable {
  /// Takes the claim if its key is free, was let go, or its holder has not come back for `IdempotencyClaim.seconds`; a
  /// kept answer frees its key after 24 hours.
  func claim(_ claim: IdempotencyClaim) async throws -> IdempotencyVerdict
  /// Frees a claim's key, if nothing was kept under it.
  func release(_ claim: IdempotencyClaim) async throws
}

/// An answer as it was given.
package struct KeptAnswer: Codable, Sendable, Equatable {
  package let status: Int
  /// The policy's revision that judged the request.
  package let revision: Int
  /// The body's exact bytes: JSON, which is UTF-8.
  package let body: String
}

package enum Idempotency {
  package enum Outcome: Sendable {
    /// The request is new: perform it, with this claim in the call.
    case first(IdempotencyClaim)
    /// The request was performed before: this was its answer.
    case again(KeptAnswer)
  }

  /// Begins a request under `key`, which has 1 to 255 visible ASCII characters.
  ///
  /// A caller that presents a key gets its answer only with the very bytes that first came under it (a stranger who
  /// guesses a key learns nothing). Refuses `conflict` while the first request is under way, `idempotency_conflict` for
  /// other bytes, and what `signedIn` refuses for a caller. `token` is that of the operator whose key it is.
  package static func begin(
    _ key: String, operation: String, body: [UInt8], token: UUID? = nil, _ call: Call, _ services: Services
  ) async throws -> Outcome {
    // A caller whose session has ended gets no kept answer.
    // GUARD: repeated: in a session that lives
    if call.caller != nil { _ = try await call.signedIn(services) }
    let caller = (token ?? call.caller?.user.uuid)?.bytes ?? []
    let tenant = call.tenant.id.uuid.bytes
    let claim = IdempotencyClaim(
      key: services.codes.digest(
        "idempotency-key",
        [
          tenant,
          Array(operation.utf8),  // GUARD: repeated: of this operation
          caller,  // GUARD: repeated: of this caller
          Array(key.utf8),
        ]),
      body: services.codes.digest(
        "idempotency-body",
        [
          tenant,
          body,  // GUARD: repeated: with this body
        ]),
      id: services.clock.makeID(),
      user: call.caller?.user)
    switch try await verdict(on: claim, call, services) {
    case .claimed: return .first(claim)
    case .inFlight:
      throw Refusal(.conflict, detail: "A request with this key is under way.", retryAfter: 1)
    case .otherBody: throw Refusal(.idempotencyConflict)
    case .kept(let sealed):
      let context = Vault.SealingContext.keptAnswer(key: claim.key)
      return .again(
        try call.tenant.vault.open(sealed, for: context).expose { try StrictDecoder.decode(KeptAnswer.self, from: $0) })
    }
  }

  private static func verdict(on claim: IdempotencyClaim, _ call: Call, _ services: Services) async throws
    -> IdempotencyVerdict
  {
    do {
      return try await services.store.open(call.tenant.id).claim(claim)
    } catch StoreError.unknownOutcome {
      // The store may hold the claim, and no request works under it.
      // GUARD: repeated: a claim of unknown outcome is let go
      services.returns.note(.claim(claim), of: call.tenant.id, at: services.clock.now)
      throw StoreError.unknownOutcome
    }
  }

  /// Performs a request under its claim. The commit that keeps the answer settles the claim; one under which nothing
  /// was kept is let go, also where the request failed.
  package static func run<Value>(
    under claim: IdempotencyClaim, _ call: Call, _ services: Services, _ work: (Call) async throws -> Value
  ) async throws -> Value {
    do {
      let value = try await work(call.holding(claim))
      await end(claim, after: nil, call, services)
      return value
    } catch {
      await end(claim, after: error, call, services)
      throw error
    }
  }

  /// Lets go of a claim under which nothing was kept. Where the store does not do it now, a job asks until it has
  /// answered.
  private static func end(_ claim: IdempotencyClaim, after error: (any Error)?, _ call: Call, _ services: Services)
    async
  {
    // GUARD: repeated: what was kept needs no second trip
    guard !claim.isSettled else { return }
    do {
      // No answer waits for a store that has just failed.
      if let error, Refusal(of: error).isOfStore { throw error }
      try await services.store.open(call.tenant.id).release(claim)
    } catch {
      services.returns.note(.claim(claim), of: call.tenant.id, at: services.clock.now)
    }
  }
}

extension Call {
  /// The change that keeps `answer` for the request's key; none without a key. It belongs into the commit of the
  /// effect, which it takes back when the claim was lost. `user` is the subject of the answer, if it is not the caller.
  package func keeping(_ answer: some Encodable, status: Int, about user: UserID? = nil) throws -> [Change] {
    guard let claim else { return [] }
    let body = String(decoding: try JSONEncoding.encode(answer, spelling: .contract), as: UTF8.self)
    let kept = KeptAnswer(status: status, revision: tenant.revision, body: body)
    let sealed = try tenant.vault.seal(try JSONEncoding.encode(kept), for: .keptAnswer(key: claim.key))
    return [.answer(.keep(claim, sealed: sealed, user: user ?? claim.user))]
  }
}
