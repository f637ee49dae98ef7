import Testing

@testable import GatehouseIdentity

@Suite("Why a message was not sent")
struct FailureReasonTests {
  @Test(
    "T145 what a mail server said is kept without what names the recipient",
    arguments: [
      ("willie@ksu.edu", "RCPT failed: 550 (550 5.1.1 no such user)", "RCPT failed: 550 (550 5.1.1 no such user)"),
      ("willie@ksu.edu", "550 5.1.1 <willie@ksu.edu>: unknown", "550 5.1.1 … unknown"),
      ("willie@ksu.edu", "550 5.1.1 WILLIE at ksu.edu is unknown", "550 5.1.1 … at ksu.edu is unknown"),
      ("willie@ksu.edu", "550 mailbox=willie=40ksu.edu unknown", "550 … unknown"),
      ("willie@ksu.edu", "451 other@ksu.edu is full", "451 … is full"),
      ("al@ksu.edu", "550 (al) is not allowed", "550 … is not allowed"),
    ])
  func naming(address: String, said: String, kept: String) {
    #expect(DeliverMessages.withoutNames(in: said, of: .email(address)) == kept)
  }

  @Test(
    "T145 what a gateway said is kept without the recipient's number",
    arguments: [
      ("unknown subscriber +17855550123", "unknown subscriber …"),
      ("30003: (785)555-0123 is unreachable", "30003: … is unreachable"),
      ("error 21610", "error 21610"),
    ])
  func number(said: String, kept: String) {
    #expect(DeliverMessages.withoutNames(in: said, of: .phone("+17855550123")) == kept)
  }

  @Test("T145 without a recipient, no address is kept")
  func nobody() {
    #expect(DeliverMessages.withoutNames(in: "not rendered: a@b", of: nil) == "not rendered: …")
  }
}
