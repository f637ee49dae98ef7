/// The last line of a policy that `gatehouse policy show` printed: it names the revision that the text was taken from,
/// and is applied only while that one is live. It is no part of the policy.
package struct RevisionMark: Sendable, Equatable {
  /// The tenant's name.
  package let tenant: String
  package let revision: Int

  package init(tenant: String, revision: Int) {
    self.tenant = tenant
    self.revision = revision
  }

  private static let start = "# gatehouse: revision "

  /// The line, without its end.
  package var line: String { "\(Self.start)\(revision) of \(tenant)" }

  /// Takes the mark from the end of a text; the text is as it was where there is none.
  package static func split(_ text: String) -> (text: String, mark: RevisionMark?) {
    var body = text[...]
    while let last = body.utf8.last, [0x0A, 0x0D, 0x20].contains(last) { body = body.dropLast() }
    let line = body.utf8.lastIndex(of: 0x0A).map { body[body.utf8.index(after: $0)...] } ?? body
    guard line.utf8.starts(with: start.utf8) else { return (text, nil) }
    let words = line.dropFirst(start.count).split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[1] == "of", let revision = Int(words[0]), revision > 0 else { return (text, nil) }
    return (String(text[..<line.startIndex]), RevisionMark(tenant: String(words[2]), revision: revision))
  }
}
