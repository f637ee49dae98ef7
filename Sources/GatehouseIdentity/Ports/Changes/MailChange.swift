/// Writes of the outbox.
package enum MailChange: Sendable {
  case enqueue(OutgoingMail)
  /// Counts the mail against its limit; beyond it, the mail is one whose time has passed.
  case notify(OutgoingMail, NoticeLimit)
}
