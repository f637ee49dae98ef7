import Foundation
import GatehousePolicy
import Testing

@testable import GatehousePolicyFile

@Suite("mail: in a policy file")
struct MailFileTests {
  private func file(_ from: String) throws -> PolicyFile { try read(ReadingTests.base + "mail: {from: \(from)}\n") }

  @Test("a file that is silent names no sender, as stored revisions do")
  func silent() throws {
    #expect(try read(ReadingTests.base).policy.mail == MailPolicy())
    let stored = try PolicyFile.read(ReadingTests.base, name: "acme revision 1", as: .stored(.first)).get()
    #expect(stored.policy.mail == MailPolicy())
  }

  @Test(
    "name and address are read each by itself",
    arguments: [
      ("{name: \"DD Ride, K-State\"}", MailPolicy.Sender(name: "DD Ride, K-State")),
      ("{address: No-Reply@ddride.example}", MailPolicy.Sender(address: "No-Reply@ddride.example")),
      (
        "{name: Bücher, address: hi@xn--bcher-kva.example}",
        MailPolicy.Sender(name: "Bücher", address: "hi@xn--bcher-kva.example")
      ),
    ])
  func keys(text: String, expected: MailPolicy.Sender) throws { #expect(try file(text).policy.mail.from == expected) }

  @Test(
    "what is no name or address is refused with what is allowed",
    arguments: [
      ("{address: ddride.example}", "an e-mail address in ASCII"), ("{address: \"a b@x.example\"}", "in ASCII"),
      ("{address: hi@bücher.example}", "xn--"),
      ("{address: \"a@x.example\\r\\nBcc: b@x.example\"}", "in ASCII"),
      ("{address: \"<a@x.example>\"}", "in ASCII"), ("{address: \"a@x.example,b@x.example\"}", "in ASCII"),
      ("{address: \"a@*.x.example\"}", "in ASCII"), ("{address: a@localhost}", "in ASCII"),
      ("{name: \"a\\nBcc: b@x.example\"}", "on one line"),
      ("{name: \(String(repeating: "n", count: 81))}", "80"), ("{adress: a@x.example}", "did you mean \"address\""),
    ])
  func refused(text: String, said: String) {
    let found = findings(ReadingTests.base + "mail: {from: \(text)}\n")
    #expect(found.contains(said), "\(found)")
  }

  @Test(
    "an operator allows addresses, whole domains and their subdomains",
    arguments: [
      (
        "ddride.example", ["no-reply@ddride.example", "A@DDRide.example"],
        ["a@mail.ddride.example", "a@xddride.example"]
      ),
      ("*@ddride.example", ["no-reply@ddride.example"], ["a@mail.ddride.example", "a@ddride.example.com"]),
      ("*.ddride.example", ["a@mail.ddride.example"], ["a@ddride.example", "a@mailddride.example"]),
      ("Hi@ddride.example", ["hi@ddride.example", "HI@DDRIDE.example"], ["ho@ddride.example", "hi@x.ddride.example"]),
    ])
  func allowed(pattern: String, good: [String], bad: [String]) throws {
    let senders = AllowedSenders(own: "no-reply@auth.example", patterns: [try #require(SenderPattern(pattern))])
    for address in good + ["no-reply@auth.example"] {
      let policy = try file("{address: \(address)}").policy
      #expect(senders.refused(policy) == nil && senders.address(policy) == address)
    }
    for address in bad {
      let policy = try file("{address: \(address)}").policy
      #expect(senders.refused(policy) == address && senders.address(policy) == "no-reply@auth.example")
    }
  }

  @Test("a sender allowed to one tenant is not allowed to another, and no other reads of it")
  func tenants() throws {
    let patterns = try ["acme:acme.example", "other:other.example"].map { try #require(SenderPattern($0)) }
    #expect(patterns.map(\.description) == ["acme:acme.example", "other:other.example"])
    let senders = AllowedSenders(own: "no-reply@auth.example", patterns: patterns)
    let own = try file("{address: hi@acme.example}").policy
    #expect(own.tenant == "acme" && senders.address(own) == "hi@acme.example")
    let foreign = try file("{address: hi@other.example}").policy
    #expect(senders.address(foreign) == "no-reply@auth.example")
    #expect(senders.advice(foreign).contains("allowed here: no-reply@auth.example, acme.example;"))
  }

  @Test(
    "what is no pattern is none",
    arguments: [
      ":acme.example", "acme:", "a:b:acme.example",
      "", "*", "com", "*@com", "@x.example", "a@", "a@b@c.example", "a@*.x.example", "bücher.example", "a b.example",
    ])
  func patterns(text: String) { #expect(SenderPattern(text) == nil) }

  @Test(
    "a check that knows the server's senders refuses another address at its place, with what is allowed and what to do")
  func check() throws {
    let text = Array((ReadingTests.base + "mail: {from: {name: Acme, address: ceo@bank.example}}\n").utf8)
    func report(_ senders: AllowedSenders?) -> PolicyCheck {
      PolicyCheck.check(text, name: "acme.yaml", using: SmallLists(), senders: senders, now: date("2026-11-20"))
    }
    let senders = AllowedSenders(own: "no-reply@auth.example", patterns: [try #require(SenderPattern("acme.example"))])
    let refused = report(senders)
    #expect(!refused.isGood() && refused.refusals.map(\.code) == [.senderNotAllowed])
    for part in ["\"ceo@bank.example\"", "no-reply@auth.example, acme.example", "mail.allowed_from", "^~~"] {
      #expect(refused.text().contains(part), "\(refused.text())")
    }
    #expect(report(nil).isGood(), "a check without a server does not know")
  }
}
