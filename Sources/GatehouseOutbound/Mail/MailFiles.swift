import Foundation
package import GatehouseIdentity

/// The development outbox: each message a file `…Z-{message id}.eml` in one directory. Mails hold working links and
/// codes, so the directory is 0700 and every file 0600.
package struct MailFiles: MailTransport {
  private let directory: String
  private let threads = BlockingThreads<Void>(name: "mail-files", count: 1, limit: 256) {}

  /// Where the files are put; the directory is made when the first message comes.
  package init(directory: String) { self.directory = directory }

  package var destination: String { directory }

  /// Writes the message; a retry of the same message replaces its file. Readers see whole files only.
  package func deliver(_ message: MailMessage) async -> DeliveryOutcome {
    let mime: MIMEMessage
    let name: String
    do {
      mime = try MIMEMessage(message)
      name = try Self.name(message)
    } catch {
      return .permanentFailure(reason: error.description)
    }
    let outcome = await threads.run { [directory] _ in
      do throws(Failure) {
        try Self.write(mime.bytes, directory: directory, name: name)
        return DeliveryOutcome.delivered(detail: name)
      } catch {
        return .temporaryFailure(reason: "\(directory): \(error.description)")
      }
    }
    return outcome ?? .temporaryFailure(reason: "too many messages are waiting for the disk")
  }

  /// The newest messages, newest first: at most `count`, of at most `bytes` together. Nil where the directory cannot be
  /// read, or too much waits for the disk.
  package func newest(_ count: Int, bytes: Int = 4 << 20) async -> [MailFilesReader.Entry]? {
    let found = await threads.run { [directory] _ in
      try? MailFilesReader(directory: directory).newest(count, bytes: bytes)
    }
    return found ?? nil
  }

  /// `20261121T093000.000Z-{id}.eml`: sorts by the message's date, and is the same at each retry.
  private static func name(_ message: MailMessage) throws(MIMEError) -> String {
    let time = try CivilTime(message.date)
    let date = "\(time.year)\(MIMEDate.two(time.month))\(MIMEDate.two(time.day))"
    let clock = "\(MIMEDate.two(time.hour))\(MIMEDate.two(time.minute))\(MIMEDate.two(time.second))"
    let milliseconds = String(String(1000 + time.millisecond).dropFirst())
    // The id was checked by MIMEMessage: no slash, and dots can not lead as the date comes first.
    return "\(date)T\(clock).\(milliseconds)Z-\(message.messageID).eml"
  }

  private struct Failure: Error {
    let description: String
  }

  private static func write(_ bytes: [UInt8], directory: String, name: String) throws(Failure) {
    try makeDirectory(directory)
    let temporary = "\(directory)/.\(name).\(getpid()).new"
    let file = open(temporary, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw failure("open") }
    defer { close(file) }
    var rest = bytes[...]
    while !rest.isEmpty {
      // SAFETY: the pointer is used inside the closure only, with its own count.
      let written = rest.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
      if written < 0 && errno == EINTR { continue }
      guard written > 0 else {
        let failure = failure("write")
        unlink(temporary)
        throw failure
      }
      rest = rest.dropFirst(written)
    }
    guard rename(temporary, "\(directory)/\(name)") == 0 else { throw failure("rename") }
  }

  private static func makeDirectory(_ directory: String) throws(Failure) {
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw Failure(description: "the directory can not be made")
    }
  }

  private static func failure(_ call: String) -> Failure {
    Failure(description: "\(call): \(String(cString: strerror(errno)))")
  }
}

/// Reads the development outbox, while a server may be writing to it.
package struct MailFilesReader: Sendable {
  /// One file.
  package struct Entry: Sendable, Equatable {
    /// The file's name.
    package let file: String
    package let mail: StoredMail

    /// When the message was made, `2026-11-21T09:30:00Z`; nil where the file's name does not say so.
    package var time: String? {
      let name = Array(file.utf8.prefix(16))
      guard name.count == 16, name[8] == UInt8(ascii: "T"), name[15] == UInt8(ascii: "."),
        (name[..<8] + name[9..<15]).allSatisfy(\.isASCIIDigit)
      else { return nil }
      func part(_ range: Range<Int>) -> String { String(decoding: name[range], as: UTF8.self) }
      return "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))T\(part(9..<11)):\(part(11..<13)):\(part(13..<15))Z"
    }
  }

  private let directory: String

  package init(directory: String) { self.directory = directory }

  /// All messages, oldest first; files that are no message of ours are passed over. A directory that is not there yet
  /// has none. Throws when it can not be read.
  package func list() throws -> [Entry] {
    try names().compactMap(read)
  }

  /// The newest message to this address (compared without ASCII case), or to any address.
  package func latest(to address: String? = nil) throws -> Entry? {
    for name in try names().reversed() {
      guard let entry = read(name) else { continue }
      guard let address else { return entry }
      if entry.mail.to.lowercased().utf8.elementsEqual(address.lowercased().utf8) { return entry }
    }
    return nil
  }

  /// The newest messages, newest first: at most `count`, whose files take at most `bytes` together.
  package func newest(_ count: Int, bytes: Int) throws -> [Entry] {
    let most = count  // GUARD: mail box: bounded in number
    var left = bytes
    var found: [Entry] = []
    for name in try names().suffix(most).reversed() {
      let attributes = try? FileManager.default.attributesOfItem(atPath: "\(directory)/\(name)")
      left -= attributes?[.size] as? Int ?? 0
      // GUARD: mail box: bounded in bytes
      guard left >= 0 else { break }
      if let entry = read(name) { found.append(entry) }
    }
    return found
  }

  private func names() throws -> [String] {
    guard FileManager.default.fileExists(atPath: directory) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: directory)
      .filter { !$0.hasPrefix(".") && $0.hasSuffix(".eml") }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private func read(_ name: String) -> Entry? {
    FileManager.default.contents(atPath: "\(directory)/\(name)").flatMap { StoredMail(Array($0)) }
      .map { Entry(file: name, mail: $0) }
  }
}
