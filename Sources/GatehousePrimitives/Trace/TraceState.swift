/// The members that tracing systems keep with a trace, as `tracestate` has them (W3C Trace Context, 23 November 2021,
/// section 3.3). They are handed on and mean nothing here.
package struct TraceState: Sendable, Hashable {
  /// `key=value` members, in their order.
  private let members: [Substring]

  private static let mostMembers = 32
  /// Longer text is handed on in part: whole members go.
  private static let mostBytes = 512
  private static let longMember = 128

  /// Reads all fields of this name in their order. Nil where there is no member, or one is malformed, a key is there
  /// twice, or there are more than 32: then none of it is handed on.
  package init?(_ fields: [String]) {
    var members: [Substring] = []
    var keys: Set<Substring> = []
    for part in fields.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
      let member = Self.trimmed(part)
      if member.isEmpty { continue }
      guard let equals = member.firstIndex(of: "="), Self.isKey(member[..<equals]),
        Self.isValue(member[member.index(after: equals)...]), keys.insert(member[..<equals]).inserted,
        members.count < Self.mostMembers
      else { return nil }
      members.append(member)
    }
    guard !members.isEmpty else { return nil }
    self.members = members
  }

  /// The value of one field for a request further on; nil where nothing is left within the bound. Members of more than
  /// 128 bytes go first, and then the last ones.
  package var field: String? {
    var kept = members
    func isTooLong() -> Bool { kept.reduce(kept.count - 1) { $0 + $1.utf8.count } > Self.mostBytes }
    while isTooLong(), let long = kept.lastIndex(where: { $0.utf8.count > Self.longMember }) { kept.remove(at: long) }
    while isTooLong() { kept.removeLast() }
    return kept.isEmpty ? nil : kept.joined(separator: ",")
  }

  /// Spaces and tabs around a member are no part of it.
  private static func trimmed(_ text: Substring) -> Substring {
    var text = text
    while let first = text.utf8.first, first == 0x20 || first == 0x09 { text.removeFirst() }
    while let last = text.utf8.last, last == 0x20 || last == 0x09 { text.removeLast() }
    return text
  }

  /// `name`, which begins with a letter, or `tenant@system`, of which the tenant may begin with a digit.
  private static func isKey(_ text: Substring) -> Bool {
    guard let at = text.firstIndex(of: "@") else { return isPart(text, 1...256, mayBeginWithDigit: false) }
    return isPart(text[..<at], 1...241, mayBeginWithDigit: true)
      && isPart(text[text.index(after: at)...], 1...14, mayBeginWithDigit: false)
  }

  private static func isPart(_ text: Substring, _ length: ClosedRange<Int>, mayBeginWithDigit: Bool) -> Bool {
    guard length.contains(text.utf8.count), let first = text.utf8.first,
      isLetter(first) || mayBeginWithDigit && isDigit(first)
    else { return false }
    return text.utf8.allSatisfy { isLetter($0) || isDigit($0) || "_-*/".utf8.contains($0) }
  }

  /// 1 to 256 printable characters without comma and equals sign; the last one is no space.
  private static func isValue(_ text: Substring) -> Bool {
    (1...256).contains(text.utf8.count) && text.utf8.last != 0x20
      && text.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x2C && $0 != 0x3D }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
