/// Writes of the outbox.
package enum MailChange: Sendable {
  /// `within`: nothing is kept once this counter has exceeded its limit.
  case enqueue(OutgoingMail, within: Reservation? = nil)
  /// Counts the mail against its limit; beyond it, the mail is one whose time has passed.
  case notify(OutgoingMail, NoticeLimit)
}
