import Foundation
import GatehouseIdentity
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import GatehouseOutbound

@Suite("Messages as bytes")
struct MIMEMessageTests {
  private func lines(_ message: MailMessage) throws -> [String] {
    String(decoding: try MIMEMessage(message).bytes, as: UTF8.self).components(separatedBy: "\r\n")
  }

  @Test("a message is this, byte for byte")
  func golden() throws {
    let mail = message(subject: "Confirm your address", text: "Olé = 1\n\nhttps://a.example/?t=x\n", html: "<p>Olé</p>")
    let expected = [
      "Date: Sat, 21 Nov 2026 09:30:00 +0000", "From: \"DD Ride\" <no-reply@ddride.example>",
      "To: \"Willie W\" <willie@ksu.edu>", "Message-ID: <0197.abc@ddride.example>", "Subject: Confirm your address",
      "Auto-Submitted: auto-generated", "MIME-Version: 1.0",
      "Content-Type: multipart/alternative; boundary=\"=_gatehouse_alternative_=\"", "",
      "--=_gatehouse_alternative_=", "Content-Type: text/plain; charset=utf-8",
      "Content-Transfer-Encoding: quoted-printable", "", "Ol=C3=A9 =3D 1", "", "https://a.example/?t=3Dx", "",
      "--=_gatehouse_alternative_=", "Content-Type: text/html; charset=utf-8",
      "Content-Transfer-Encoding: quoted-printable", "", "<p>Ol=C3=A9</p>", "--=_gatehouse_alternative_=--", "",
    ]
    #expect(try lines(mail) == expected)
  }

  @Test("long and foreign headers are folded encoded-words, at most 76 columns")
  func foldedHeaders() throws {
    let subject = String(repeating: "Bestätigen 🌾 ", count: 12)
    let mail = message(to: MailAddress(name: "Wíllie Wildcát", address: "w@ksu.edu"), subject: subject)
    let lines = try lines(mail)
    #expect(lines.contains("To: =?UTF-8?B?V8OtbGxpZSBXaWxkY8OhdA==?= <w@ksu.edu>"))
    #expect(lines.prefix { !$0.isEmpty }.allSatisfy { $0.utf8.count <= 76 && $0.utf8.allSatisfy { $0 < 0x80 } })
    #expect(lines.contains { $0.hasPrefix(" =?UTF-8?B?") })
  }

  @Test("the same message is the same bytes at every try")
  func stable() throws {
    #expect(try MIMEMessage(message()).bytes == MIMEMessage(message()).bytes)
  }

  @Test(
    "a line break in any form never begins a header",
    arguments: [
      "\r\nBcc: evil@example.com", "\nBcc: evil@example.com", "\rBcc: evil@example.com", "a\r\n\r\nbody", "a\u{0}b",
      "a\u{2028}Bcc: x@example.com", "a\u{2029}Bcc: x@example.com", "a\u{85}Bcc: x@example.com", "a\u{0b}b",
      "a\u{1b}[2J",
      "a\u{7f}",
    ])
  func headerInjection(evil: String) throws {
    #expect(throws: MIMEError.forbiddenCharacter(field: "subject")) { try MIMEMessage(message(subject: evil)) }
    #expect(throws: MIMEError.forbiddenCharacter(field: "X-Tenant")) {
      try MIMEMessage(message(headers: [.init("X-Tenant", evil)]))
    }
    #expect(throws: MIMEError.address(field: "to")) {
      try MIMEMessage(message(to: MailAddress(address: "w@ksu.edu" + evil)))
    }
    #expect(throws: MIMEError.address(field: "from")) {
      try MIMEMessage(message(from: MailAddress(address: "w\(evil)@ksu.edu")))
    }
    #expect(throws: MIMEError.messageID) { try MIMEMessage(message(id: "a\(evil)@b")) }
    #expect(throws: MIMEError.header(name: "X" + evil)) { try MIMEMessage(message(headers: [.init("X" + evil, "v")])) }
    // Names are stripped, not refused: no user loses a mail for an odd name.
    let named = try MIMEMessage(
      message(
        to: MailAddress(name: "W" + evil, address: "w@ksu.edu"),
        from: MailAddress(name: "DD" + evil, address: "n@d.example")))
    let parsed = try #require(try Python.read([named.bytes]).first)
    #expect(
      parsed.headers.map { $0[0] } == [
        "Date", "From", "To", "Message-ID", "Subject", "Auto-Submitted", "MIME-Version", "Content-Type",
      ])
    #expect(parsed.defects.isEmpty)
  }

  @Test(
    "a header that the builder or the way writes can not be set",
    arguments: [
      "Bcc", "bcc", "To", "Content-Type", "CONTENT-TRANSFER-ENCODING", "Received", "", "X Y", "X:", "Ünder",
    ])
  func reservedHeader(name: String) {
    #expect(throws: MIMEError.header(name: name)) { try MIMEMessage(message(headers: [.init(name, "v")])) }
  }

  @Test("another header is written")
  func otherHeader() throws {
    let lines = try lines(message(headers: [.init("X-Gatehouse-Kind", "verify_email")]))
    #expect(lines.contains("X-Gatehouse-Kind: verify_email"))
  }

  @Test(
    "T041 what is not a single plain address is refused",
    arguments: [
      "", "w", "@ksu.edu", "w@", "w@ksu.edu,x@ksu.edu", "w@ksu.edu x@ksu.edu", "\"w\"@ksu.edu", "w@k@ksu.edu",
      "<w@ksu.edu>",
      "w(c)@ksu.edu", "w..w@ksu.edu", ".w@ksu.edu", "w@ksu..edu", "w@-ksu.edu", "w@[127.0.0.1]", "w@ksu.edu ",
      "w;x@ksu.edu",
      "w\u{202e}@ksu.edu", "w\u{200b}@ksu.edu", "w\u{a0}@ksu.edu",
    ])
  func address(address: String) {
    #expect(throws: MIMEError.address(field: "to")) { try MIMEMessage(message(to: MailAddress(address: address))) }
  }

  @Test(
    "plain addresses are taken, beyond ASCII too",
    arguments: [
      "willie@ksu.edu", "o'neil+tag@mail.ksu.edu", "a_b-c.d@x.io", "josé@ejemplo.es", "用户@例子.广告",
    ])
  func goodAddress(address: String) throws {
    let bytes = try MIMEMessage(message(to: MailAddress(address: address))).bytes
    #expect(StoredMail(bytes)?.to == address)
  }

  @Test(
    "a name that could carry a link is left out",
    arguments: [
      "see https://evil.example", "evil.example", "Win at evil.example/x now", "a@b.example", "www.evil",
      "Call 555-0123",
      "\u{202e}elliW <x>", String(repeating: "W", count: 61),
    ])
  func linkInName(name: String) throws {
    let lines = try lines(message(to: MailAddress(name: name, address: "w@ksu.edu")))
    let names = ["To: <w@ksu.edu>", "To: \"elliW\" <w@ksu.edu>"]
    #expect(lines.contains { names.contains($0) })
  }

  @Test("names of people are kept", arguments: ["Willie Wildcat", "J.R. O’Neil-Smith", "José Ñandú", "山田 太郎", "Al"])
  func goodName(name: String) throws {
    let bytes = try MIMEMessage(message(to: MailAddress(name: name, address: "w@ksu.edu"))).bytes
    let parsed = try #require(try Python.read([bytes]).first)
    #expect(parsed.header("To").first?.contains(name) == true)
  }

  @Test(
    "a date outside of 1970 to 9999 is refused, not a trap", arguments: [-1, .infinity, .nan, 1e300, 253_402_300_800])
  func dates(seconds: Double) {
    var mail = message()
    mail.date = Date(timeIntervalSince1970: seconds)
    #expect(throws: MIMEError.date) { try MIMEMessage(mail) }
  }

  @Test(
    "dates are those of the calendar",
    arguments: [
      (0.0, "Thu, 1 Jan 1970 00:00:00 +0000"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 +0000"),
      (951_868_799.9, "Tue, 29 Feb 2000 23:59:59 +0000"), (4_107_542_400, "Mon, 1 Mar 2100 00:00:00 +0000"),
      (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 +0000"),
    ])
  func calendar(seconds: Double, text: String) throws {
    #expect(try MIMEDate.text(Date(timeIntervalSince1970: seconds)) == text)
  }

  @Test("a body with NUL or another control character is refused")
  func controlInBody() {
    #expect(throws: MIMEError.forbiddenCharacter(field: "text")) { try MIMEMessage(message(text: "a\u{0}b")) }
    #expect(throws: MIMEError.forbiddenCharacter(field: "html")) { try MIMEMessage(message(html: "a\u{8}b")) }
  }

  @Test("a body beyond half a megabyte is refused")
  func largeBody() {
    let large = String(repeating: "a", count: 512 * 1024 + 1)
    #expect(throws: MIMEError.tooLong(field: "text")) { try MIMEMessage(message(text: large)) }
  }

  @Test("what Python and we read is what was written, for any text")
  func roundTrip() throws {
    var random = SeededGenerator()
    var written: [MailMessage] = []
    for _ in 0..<150 { written.append(randomMessage(&random)) }
    let bytes = try written.map { try MIMEMessage($0).bytes }
    let parsed = try Python.read(bytes)
    try #require(parsed.count == written.count, "seed \(SeededGenerator.seed)")
    for (index, message) in written.enumerated() {
      let crlf = String(decoding: bytes[index], as: UTF8.self).components(separatedBy: "\r\n")
      #expect(
        crlf.allSatisfy { !$0.utf8.contains(0x0a) && !$0.utf8.contains(0x0d) && $0.utf8.count <= 76 },
        "seed \(SeededGenerator.seed)")
      #expect(crlf.allSatisfy { !$0.hasPrefix(".") && !$0.hasPrefix("From ") }, "seed \(SeededGenerator.seed)")
      let python = parsed[index]
      // By code points: a line end before a combining mark is no character of its own to Foundation.
      let text = String(
        String.UnicodeScalarView(message.mail.text.unicodeScalars.flatMap { $0 == "\n" ? ["\r", $0] : [$0] }))
      #expect(python.defects.isEmpty, "seed \(SeededGenerator.seed)")
      #expect(python.parts.map(\.type) == ["text/plain", "text/html"], "seed \(SeededGenerator.seed)")
      #expect(python.parts[0].content.unicodeScalars.elementsEqual(text.unicodeScalars), "seed \(SeededGenerator.seed)")
      #expect(
        python.header("Subject").first?.unicodeScalars.elementsEqual(message.mail.subject.unicodeScalars) == true,
        "seed \(SeededGenerator.seed)")
      let own = try #require(StoredMail(bytes[index]), "seed \(SeededGenerator.seed)")
      #expect(own.text.unicodeScalars.elementsEqual(message.mail.text.unicodeScalars), "seed \(SeededGenerator.seed)")
      #expect(own.html.unicodeScalars.elementsEqual(message.mail.html.unicodeScalars), "seed \(SeededGenerator.seed)")
      #expect(
        own.subject.unicodeScalars.elementsEqual(message.mail.subject.unicodeScalars), "seed \(SeededGenerator.seed)")
    }
  }

  private func randomMessage(_ random: inout SeededGenerator) -> MailMessage {
    let alphabet: [Unicode.Scalar] = [
      "a", "b", "Z", "=", ".", " ", " ", "\t", "\n", "\n", "F", "é", "ñ", "🌾", "語", "-", "_", "?", "\"", "<", "\u{301}",
    ]
    func text(_ length: Int, _ random: inout SeededGenerator) -> String {
      var scalars = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...length, using: &random) {
        scalars.append(alphabet.randomElement(using: &random) ?? "a")
      }
      return String(scalars)
    }
    let subject = text(120, &random).unicodeScalars.filter { $0 != "\n" && $0 != "\t" && $0 != " " }
    let body = ["From here\n", ".dot\n", "--=_gatehouse_alternative_=\n", ""].randomElement(using: &random) ?? ""
    return message(
      subject: "S " + String(String.UnicodeScalarView(subject)), text: body + text(600, &random),
      html: body + text(600, &random))
  }
}

@Suite("Quoted-printable")
struct QuotedPrintableTests {
  @Test(
    "what is written is read again",
    arguments: [
      "", " ", "\n", "a \n", "=\n=", String(repeating: "x", count: 76), String(repeating: "x", count: 77),
      String(repeating: "é", count: 60), String(repeating: ".", count: 200), "From x", "\ttab\t",
    ])
  func roundTrip(text: String) throws {
    let encoded = QuotedPrintable.encode(text)
    #expect(QuotedPrintable.decode(encoded) == Array(text.utf8))
    #expect(QuotedPrintable.lines(encoded).allSatisfy { $0.count <= 76 })
  }

  @Test("every line end becomes CRLF")
  func lineEnds() {
    #expect(QuotedPrintable.encode("a\r\nb\rc\nd") == Array("a\r\nb\r\nc\r\nd".utf8))
  }

  @Test("a broken escape is not decoded", arguments: ["=", "=G1", "=1", "a=4"])
  func broken(text: String) {
    let decoded = QuotedPrintable.decode(Array((text + "\r\nb").utf8))
    #expect(text == "=" ? decoded == Array("b".utf8) : decoded == nil)
  }
}
