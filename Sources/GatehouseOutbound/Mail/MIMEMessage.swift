package import GatehouseIdentity

/// Why a message can not be written down. The texts name the field, never its value.
package enum MIMEError: Error, Equatable, CustomStringConvertible {
  /// A control character, line break or line separator where one line of text belongs.
  case forbiddenCharacter(field: String)
  /// Not one plain `local@domain`.
  case address(field: String)
  /// Longer than a mail server must take, or than any mail of ours needs to be.
  case tooLong(field: String)
  /// Not `id@domain` of plain characters.
  case messageID
  /// Before 1970 or after 9999.
  case date
  /// A header name that is no token, or that the builder writes itself.
  case header(name: String)

  package var description: String {
    switch self {
    case .forbiddenCharacter(let field): "mail: a control character or line break in \(field)"
    case .address(let field): "mail: \(field) is not a single plain address"
    case .tooLong(let field): "mail: \(field) is too long"
    case .messageID: "mail: the message id is not id@domain"
    case .date: "mail: the date is out of range"
    case .header(let name): "mail: header \(name.debugDescription) can not be set"
    }
  }
}

/// A message as bytes: RFC 5322 header, multipart/alternative of text and HTML (RFC 2046), both quoted-printable, every
/// line ended by CRLF, no line over 998 bytes. Pure ASCII unless an address itself is not (then RFC 6532).
///
/// Values from outside can not add a header, a part or a line: each goes through a type that refuses or strips (see
/// `MIMEHeader`), and bodies are encoded so that no line can look like the boundary.
package struct MIMEMessage: Sendable {
  /// The whole message, without dot-stuffing (that is the transport's).
  package let bytes: [UInt8]
  /// The envelope sender, checked.
  package let sender: String
  /// The envelope recipient, checked.
  package let recipient: String

  // INVARIANT: quoted-printable writes "=" only before two hex digits or a line end, so "=_" never occurs in a part
  // (RFC 2045 section 6.7, rule 1 and the note on boundaries).
  private static let boundary = "=_gatehouse_alternative_="

  /// Writes `message` down, or says what in it is not allowed.
  package init(_ message: MailMessage) throws(MIMEError) {
    let from = try MailboxText(message.from, field: "from", name: .stripped)
    let to = try MailboxText(message.to, field: "to", name: .user)
    var lines = MIMELines()
    lines.add("Date", [try MIMEDate.text(message.date)])
    lines.add("From", from.tokens)
    if let replyTo = message.replyTo {
      lines.add("Reply-To", try MailboxText(replyTo, field: "reply-to", name: .stripped).tokens)
    }
    lines.add("To", to.tokens)
    lines.add("Message-ID", ["<\(try Self.checkedID(message.messageID))>"])
    lines.add("Subject", try HeaderText(message.mail.subject, field: "subject").tokens)
    lines.add("Auto-Submitted", ["auto-generated"])
    for header in message.headers {
      try Self.checkName(header.name)
      lines.add(header.name, try HeaderText(header.value, field: header.name).tokens)
    }
    lines.add("MIME-Version", ["1.0"])
    lines.add("Content-Type", ["multipart/alternative;", "boundary=\"\(Self.boundary)\""])
    lines.end()
    lines.part(Self.boundary, type: "text/plain", body: try Self.body(message.mail.text, field: "text"))
    lines.part(Self.boundary, type: "text/html", body: try Self.body(message.mail.html, field: "html"))
    lines.raw("--\(Self.boundary)--")
    bytes = lines.bytes
    // GUARD: mail: bounces come back to the server
    sender = try MailboxText(MailAddress(address: message.sender), field: "sender", name: .stripped).address
    recipient = to.address
  }

  private static let maxBodyBytes = 512 * 1024

  private static func body(_ text: String, field: String) throws(MIMEError) -> [UInt8] {
    guard text.utf8.count <= maxBodyBytes else { throw .tooLong(field: field) }
    guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x0a || $0 == 0x0d || $0 == 0x09 }) else {
      throw .forbiddenCharacter(field: field)
    }
    return QuotedPrintable.encode(text)
  }

  private static func checkedID(_ id: String) throws(MIMEError) -> String {
    let halves = id.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    let plain = id.utf8.allSatisfy { $0.isASCIIAlphanumeric || "@._~+-".utf8.contains($0) }
    guard plain, id.utf8.count <= 200, halves.count == 2, halves.allSatisfy({ !$0.isEmpty }) else { throw .messageID }
    return id
  }

  /// Fields that only the builder or a mail server on the way may write.
  private static let reserved: Set<String> = [
    "date", "from", "to", "cc", "bcc", "sender", "reply-to", "message-id", "subject", "auto-submitted", "mime-version",
    "return-path", "received", "dkim-signature", "authentication-results",
  ]

  private static func checkName(_ name: String) throws(MIMEError) {
    let lower = name.lowercased()
    guard (1...64).contains(name.utf8.count),
      name.utf8.allSatisfy({ $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") }),
      !reserved.contains(lower), !lower.hasPrefix("content-"), !lower.hasPrefix("resent-")
    else { throw .header(name: name) }
  }
}

/// The message as it grows.
private struct MIMELines {
  var bytes: [UInt8] = []

  mutating func raw(_ line: String) {
    bytes.append(contentsOf: line.utf8)
    bytes.append(contentsOf: [0x0d, 0x0a])
  }

  /// A header field, folded before any token that would end beyond column 76 (RFC 5322 section 2.2.3, RFC 2047 section
  /// 2).
  mutating func add(_ name: String, _ tokens: [String]) {
    var line = "\(name):"
    for (index, token) in tokens.enumerated() {
      if index > 0, line.utf8.count + 1 + token.utf8.count > 76 {
        raw(line)
        line = ""
      }
      line += " " + token
    }
    raw(line)
  }

  mutating func end() { bytes.append(contentsOf: [0x0d, 0x0a]) }

  mutating func part(_ boundary: String, type: String, body: [UInt8]) {
    raw("--\(boundary)")
    add("Content-Type", ["\(type);", "charset=utf-8"])
    add("Content-Transfer-Encoding", ["quoted-printable"])
    end()
    bytes.append(contentsOf: body)
    end()
  }
}

extension UInt8 {
  var isASCIIAlphanumeric: Bool { isASCIIDigit || (0x41...0x5a).contains(self) || (0x61...0x7a).contains(self) }
  var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
}
