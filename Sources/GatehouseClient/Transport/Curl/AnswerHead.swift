/// The head of an answer, taken line by line. Heads of interim answers are forgotten (RFC 9110, section 15.2), and so
/// are the fields behind a content.
struct AnswerHead {
  /// Bytes of all lines, those of interim answers and those behind the content included.
  static let largest = 1 << 16

  /// Whether a content may follow; not for HEAD.
  private let mayHaveContent: Bool
  private var bytes = 0
  private var version: Substring = ""
  private var status: Int?
  private var fields: [String: String] = [:]
  private var lastName: String?
  /// Status and fields, once the head is whole.
  private(set) var answer: HTTPAnswer?

  init(mayHaveContent: Bool = true) { self.mayHaveContent = mayHaveContent }

  /// Takes a line with its end. Throws for what is no head, and for too much of it.
  mutating func take(_ line: some Collection<UInt8>) throws(TransportError) {
    bytes += line.count
    guard bytes <= Self.largest else { throw TransportError(reason: "too large") }
    guard answer == nil else { return }
    let text = String(decoding: line.prefix { $0 != 0x0D && $0 != 0x0A }, as: UTF8.self)
    guard let status else { return try take(status: text) }
    guard text.isEmpty else { return take(field: text) }
    // GUARD: client: an interim answer is none
    if status >= 200 {
      // GUARD: client: an end that was not told is a cut
      guard tellsItsEnd(status) else { throw TransportError(reason: "no length") }
      answer = HTTPAnswer(status: status, headers: fields)
    }
    (self.status, fields, lastName) = (nil, [:], nil)
  }

  /// Whether the end of the content is told by more than the end of the connection, which a cut looks like (RFC 9112,
  /// section 6.3). HTTP/2 always tells it.
  private func tellsItsEnd(_ status: Int) -> Bool {
    !version.hasPrefix("HTTP/1") || !mayHaveContent || [204, 304].contains(status)
      || fields["content-length"] != nil
      || fields["transfer-encoding"]?.lowercased().hasSuffix("chunked") == true
  }

  private mutating func take(status text: String) throws(TransportError) {
    let words = text.split(separator: " ", maxSplits: 2)
    guard words.count > 1, words[0].hasPrefix("HTTP/"), words[1].utf8.count == 3, let status = Int(words[1]),
      (100...599).contains(status)
    else { throw TransportError(reason: "not HTTP") }
    (version, self.status) = (words[0], status)
  }

  private mutating func take(field text: String) {
    // A line that begins with a space goes on with the one before (RFC 9112, section 5.2).
    if text.first == " " || text.first == "\t" {
      if let lastName { fields[lastName, default: ""] += " " + text.trimmingBlanks }
      return
    }
    guard let colon = text.firstIndex(of: ":") else { return }
    let name = text[..<colon].lowercased().trimmingBlanks
    let value = text[text.index(after: colon)...].trimmingBlanks
    fields[name] = fields[name].map { "\($0), \(value)" } ?? value
    lastName = name
  }
}

extension StringProtocol {
  /// Without spaces and tabs at both ends.
  fileprivate var trimmingBlanks: String {
    let front = drop { $0 == " " || $0 == "\t" }
    let end = front.lastIndex { $0 != " " && $0 != "\t" }
    return end.map { String(front[...$0]) } ?? ""
  }
}
