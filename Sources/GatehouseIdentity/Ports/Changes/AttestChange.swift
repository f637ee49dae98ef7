/// Writes of keys of attested apps, and of challenges.
package enum AttestChange: Sendable {
  /// Uses a challenge, once: `refused(.attestChallengeIsFresh)`.
  case useChallenge(AttestMark)
  /// `refused(.attestKeyIsNew)` when there is one of this name.
  case insertKey(AttestKey)
  /// An assertion with this counter: `refused(.attestCounterRises)` unless it is greater than the one before.
  case useKey([UInt8], counter: UInt32)
  /// The account that opens a session with it, in place of one before.
  case bindKey([UInt8], UserID)
}
