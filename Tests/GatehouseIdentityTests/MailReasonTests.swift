import Testing

@testable import GatehouseIdentity

@Suite("Why a mail was not sent")
struct MailReasonTests {
  @Test(
    "T145 what a mail server said is kept without what names the recipient",
    arguments: [
      ("willie@ksu.edu", "RCPT failed: 550 (550 5.1.1 no such user)", "RCPT failed: 550 (550 5.1.1 no such user)"),
      ("willie@ksu.edu", "550 5.1.1 <willie@ksu.edu>: unknown", "550 5.1.1 … unknown"),
      ("willie@ksu.edu", "550 5.1.1 WILLIE at ksu.edu is unknown", "550 5.1.1 … at ksu.edu is unknown"),
      ("willie@ksu.edu", "550 mailbox=willie=40ksu.edu unknown", "550 … unknown"),
      ("willie@ksu.edu", "451 other@ksu.edu is full", "451 … is full"),
      ("al@ksu.edu", "550 (al) is not allowed", "550 … is not allowed"),
      ("", "not rendered: a@b", "not rendered: …"),
    ])
  func naming(address: String, said: String, kept: String) {
    #expect(DeliverMail.withoutNames(in: said, at: address) == kept)
  }
}
