/// Writes of answers to requests under an `Idempotency-Key`.
package enum AnswerChange: Sendable {
  /// Keeps the sealed answer of this transaction's effect under its key. `refused(.claimIsHeld)` when another attempt
  /// took the key.
  case keep(IdempotencyClaim, sealed: [UInt8], user: UserID?)
}
