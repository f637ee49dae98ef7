import Foundation

/// A message of ours read back: from the development outbox, or as a test's mail server got it.
package struct StoredMail: Sendable, Equatable {
  /// Header fields in their order, unfolded, encoded-words undone.
  package let headers: [(name: String, value: String)]
  /// The plain text part, `\n` line ends.
  package let text: String
  /// The HTML part.
  package let html: String

  /// The first field of this name, compared without case.
  package func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// The recipient's address.
  package var to: String { Self.address(header("To") ?? "") }
  /// The sender's address.
  package var from: String { Self.address(header("From") ?? "") }
  package var subject: String { header("Subject") ?? "" }
  /// Without angle brackets.
  package var messageID: String { Self.address(header("Message-ID") ?? "") }

  /// The first http(s) URL of the text.
  package var link: String? {
    text.split(whereSeparator: { " \n<>\"".contains($0) }).first {
      $0.hasPrefix("https://") || $0.hasPrefix("http://")
    }.map(String.init)
  }

  /// The first number of six to eight digits that stands alone in the text, outside of URLs.
  package var code: String? {
    let words = text.split(whereSeparator: { " \n.,:;()".contains($0) })
    return words.first { (6...8).contains($0.utf8.count) && $0.utf8.allSatisfy(\.isASCIIDigit) }.map(String.init)
  }

  package static func == (left: StoredMail, right: StoredMail) -> Bool {
    left.text == right.text && left.html == right.html && left.headers.elementsEqual(right.headers, by: ==)
  }

  private static func address(_ mailbox: String) -> String {
    guard let open = mailbox.lastIndex(of: "<"), let close = mailbox.lastIndex(of: ">"), open < close else {
      return mailbox
    }
    return String(mailbox[mailbox.index(after: open)..<close])
  }

  /// Reads a message of the shape `MIMEMessage` writes; nil for any other.
  package init?(_ bytes: [UInt8]) {
    let (head, body) = Self.split(QuotedPrintable.lines(bytes))
    headers = head
    guard let boundary = Self.boundary(head) else { return nil }
    var parts: [String: String] = [:]
    let closed = body.prefix { $0 != "--\(boundary)--" }
    for part in closed.split(separator: "--\(boundary)", omittingEmptySubsequences: false).dropFirst() {
      guard !part.isEmpty else { continue }
      let (partHead, partBody) = Self.split(part.map { Array($0.utf8)[...] })
      let type = partHead.first { $0.name.lowercased() == "content-type" }?.value.split(separator: ";").first
      let encoded = Array(partBody.joined(separator: "\n").utf8)
      guard let type, let decoded = QuotedPrintable.decode(encoded) else { continue }
      parts[type.lowercased()] = String(decoding: decoded, as: UTF8.self)
    }
    guard let text = parts["text/plain"], let html = parts["text/html"] else { return nil }
    (self.text, self.html) = (text, html)
  }

  private static func boundary(_ head: [(name: String, value: String)]) -> Substring? {
    let type = head.first { $0.name.lowercased() == "content-type" }?.value
    guard let type, let start = type.firstRange(of: "boundary=\"") else { return nil }
    return type[start.upperBound...].prefix { $0 != "\"" }
  }

  /// Header fields unfolded, and the lines after the first empty one.
  private static func split(_ lines: [ArraySlice<UInt8>]) -> ([(name: String, value: String)], [String]) {
    var fields: [String] = []
    let end = lines.firstIndex { $0.isEmpty } ?? lines.endIndex
    for line in lines[..<end] {
      let text = String(decoding: line, as: UTF8.self)
      if line.first == 0x20 || line.first == 0x09, !fields.isEmpty {
        fields[fields.count - 1] += " " + text.drop { $0 == " " || $0 == "\t" }
      } else {
        fields.append(text)
      }
    }
    let headers = fields.compactMap { field -> (name: String, value: String)? in
      guard let colon = field.firstIndex(of: ":") else { return nil }
      let value = field[field.index(after: colon)...].drop { $0 == " " }
      return (String(field[..<colon]), EncodedWord.decode(String(value)))
    }
    return (headers, lines[min(end + 1, lines.endIndex)...].map { String(decoding: $0, as: UTF8.self) })
  }
}
