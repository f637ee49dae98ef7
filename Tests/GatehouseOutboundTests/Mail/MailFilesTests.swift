import Foundation
import GatehouseIdentity
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import GatehouseOutbound

@Suite("The development outbox")
struct MailFilesTests {
  private func with(_ body: (String) async throws -> Void) async throws {
    try await body(TestFolder.path("outbox") + "/mail")
  }

  private func mail(_ id: String, to: String, after seconds: Double = 0) throws -> MailMessage {
    let order = MessageOrder.sample(.resetPassword, language: "en", brand: kState)
    let words = try MailTemplates().render(order, tenant: "dd-ride")
    var mail = message(
      to: MailAddress(address: to), subject: words.subject, text: words.text, html: words.html, id: "\(id)@d.example")
    mail.date += seconds
    return mail
  }

  @Test("each message is a private file that can be read back")
  func readBack() async throws {
    try await with { directory in
      let sent = try mail("a", to: "willie@ksu.edu")
      let name = "20261121T093000.000Z-a@d.example.eml"
      #expect(await MailFiles(directory: directory).deliver(sent) == .delivered(detail: name))
      let manager = FileManager.default
      let file = try manager.attributesOfItem(atPath: "\(directory)/\(name)")[.posixPermissions] as? Int
      let folder = try manager.attributesOfItem(atPath: directory)[.posixPermissions] as? Int
      #expect(file == 0o600 && folder == 0o700)
      #expect(try manager.contentsOfDirectory(atPath: directory) == [name])
      let entry = try #require(try MailFilesReader(directory: directory).latest(to: "Willie@KSU.edu"))
      #expect(entry.file == name && entry.mail.to == "willie@ksu.edu" && entry.mail.from == "no-reply@ddride.example")
      #expect(entry.mail.subject == "123456 is your DD Ride code" && entry.mail.code == "123456")
      #expect(entry.mail.link == "https://auth.example.com/t/example/ui/reset-password?lang=en&token=gh_sample")
      #expect(entry.mail.html == sent.mail.html)
    }
  }

  @Test("the newest comes last, and the last to an address is found")
  func order() async throws {
    try await with { directory in
      let outbox = MailFiles(directory: directory)
      for message in [
        try mail("c", to: "a@ksu.edu", after: 2.5), try mail("a", to: "a@ksu.edu", after: 2.25),
        try mail("b", to: "b@ksu.edu", after: 9),
      ] { _ = await outbox.deliver(message) }
      let reader = MailFilesReader(directory: directory)
      #expect(try reader.list().map(\.mail.messageID) == ["a@d.example", "c@d.example", "b@d.example"])
      #expect(try reader.latest(to: "a@ksu.edu")?.mail.messageID == "c@d.example")
      #expect(try reader.latest()?.mail.messageID == "b@d.example")
      #expect(try reader.latest(to: "nobody@ksu.edu") == nil)
    }
  }

  @Test("of many messages the newest are read, the newest first, with their times")
  func newest() async throws {
    try await with { directory in
      let outbox = MailFiles(directory: directory)
      #expect(await outbox.newest(3) == [])
      for number in 0..<6 {
        _ = await outbox.deliver(try mail("m\(number)", to: "a@ksu.edu", after: Double(number) + 0.5))
      }
      let found = try #require(await outbox.newest(3))
      #expect(found.map(\.mail.messageID) == ["m5@d.example", "m4@d.example", "m3@d.example"])
      #expect(found.first?.time == "2026-11-21T09:30:05Z")
    }
  }

  @Test("of large messages no more are read than the bound in bytes has room for")
  func newestBytes() async throws {
    try await with { directory in
      let outbox = MailFiles(directory: directory)
      for number in 0..<4 { _ = await outbox.deliver(try mail("m\(number)", to: "a@ksu.edu", after: Double(number))) }
      let file = "\(directory)/20261121T093003.000Z-m3@d.example.eml"
      let size = try #require(try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int)
      let found = await outbox.newest(4, bytes: size * 5 / 2)
      #expect(found?.map(\.mail.messageID) == ["m3@d.example", "m2@d.example"])
      #expect(await outbox.newest(4)?.count == 4)
    }
  }

  @Test(
    "a file whose name is no time has none",
    arguments: ["x.eml", "20261121X093003.000Z-a.eml", "2026112aT093003.0.eml"])
  func noTime(_ name: String) throws {
    let words = try #require(StoredMail(try MIMEMessage(try mail("a", to: "a@ksu.edu")).bytes))
    #expect(MailFilesReader.Entry(file: name, mail: words).time == nil)
  }

  @Test("a second try of a message replaces its file")
  func retry() async throws {
    try await with { directory in
      let outbox = MailFiles(directory: directory)
      for _ in 0..<2 { _ = await outbox.deliver(try mail("a", to: "a@ksu.edu")) }
      #expect(try MailFilesReader(directory: directory).list().count == 1)
    }
  }

  @Test("an outbox that does not exist yet is empty; files of others are passed over")
  func others() async throws {
    try await with { directory in
      #expect(try MailFilesReader(directory: directory).list().isEmpty)
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      for (name, text) in ["x.eml": "no mail", ".y.eml": "z", "n.txt": "", "e.eml": ""] {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(directory)/\(name)"))
      }
      #expect(try MailFilesReader(directory: directory).list().isEmpty)
    }
  }

  @Test("a directory that can not be made is a temporary failure")
  func unwritable() async throws {
    let outcome = await MailFiles(directory: "/dev/null/mail").deliver(try mail("a", to: "a@ksu.edu"))
    #expect(outcome == .temporaryFailure(reason: "/dev/null/mail: the directory can not be made"))
  }

  @Test("a message that can not be written down makes no file")
  func refused() async throws {
    try await with { directory in
      var message = try mail("a", to: "a@ksu.edu")
      message.messageID = "../../evil@x"
      #expect(
        await MailFiles(directory: directory).deliver(message)
          == .permanentFailure(reason: MIMEError.messageID.description))
      #expect(try MailFilesReader(directory: directory).list().isEmpty)
    }
  }
}
