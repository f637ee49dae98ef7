/// Writes of the outbox.
package enum MessageChange: Sendable {
  /// `within`: nothing is kept once this counter has exceeded its limit.
  case enqueue(OutgoingMessage, within: Reservation? = nil)
  /// Counts the message against its limit; beyond it, the message is one whose time has passed.
  case notify(OutgoingMessage, NoticeLimit)
}
