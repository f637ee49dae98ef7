import Foundation
import GatehouseOutbound
import GatehousePolicy

/// `gatehouse mail outbox`.
enum MailOutbox {
  private static let to = Flag("to", .text("ADDRESS", "a mail address"), "only mail to this address")
  private static let latest = Flag("latest", .onOff, "print the newest mail as text, with its link and code")

  static let command = Command(
    "mail", "outbox", summary: "Read the mail that a development server wrote into files",
    flags: [to, latest],
    examples: [
      Example("gatehouse mail outbox", "every mail, oldest first"),
      Example("gatehouse mail outbox --to willie@ksu.edu --latest", "the text of the newest one to a user"),
      Example("gatehouse mail outbox --output json", "with links and codes, for a script"),
    ],
    exits: [.notFound: "there is no such mail"], prints: true, settings: .store, run: run)

  private static func run(_ invocation: Invocation) async throws -> Exit {
    let config = try Config.load(invocation)
    let outbox = MailFilesReader(directory: MailParts.directory(config))
    if invocation.has(latest) {
      guard let entry = try await newest(in: outbox, to: invocation[to]) else {
        throw Failure(.notFound, "there is no such mail")
      }
      try invocation.terminal.data("\(entry.mail.subject)\n\n\(entry.mail.text)\n")
      return .ok
    }
    let entries = try outbox.list().filter { entry in
      invocation[to].map { entry.mail.to.lowercased() == TypedText.trimmed($0).lowercased() } ?? true
    }
    let columns = ["to", "subject", "code", "link"].map { Table.Column($0, $0) }
    let rows = entries.map { entry in
      [
        Cell.text(entry.mail.to), .text(entry.mail.subject), entry.mail.code.map(Cell.text) ?? .none,
        entry.mail.link.map(Cell.text) ?? .none,
      ]
    }
    try invocation.print(Table(kind: "mail.outbox", columns: columns, rows: rows, whenEmpty: "no mail yet"))
    return .ok
  }

  /// A mail is written a moment after the answer to the request that caused it, so the newest one is awaited for up to
  /// two seconds.
  private static func newest(in outbox: MailFilesReader, to address: String?) async throws -> MailFilesReader.Entry? {
    for _ in 0..<20 {
      if let entry = try outbox.latest(to: address) { return entry }
      try await Task.sleep(for: .milliseconds(100))
    }
    return nil
  }
}
