/// Mails that wait, and the age of the oldest in seconds.
package struct MailBacklog: Sendable {
  package let waiting: Int
  package let oldest: Int

  package init(waiting: Int, oldest: Int) {
    self.waiting = waiting
    self.oldest = oldest
  }
}
