package import GatehousePolicy

/// One difference between two policies.
package struct PolicyChange: Sendable, Equatable {
  /// The changed part: a rule's id or the path of a setting, `password.min8`, `sessions.access_token_ttl`.
  package let subject: String
  package internal(set) var relation: Relation
  /// The meaning of the change, in one sentence.
  package let sentence: String
  /// The lines in the old and the new file; nil where a file does not have it.
  package let oldLine: Int?
  package let newLine: Int?
  /// Whether the change is one of trust, in either direction: applying it needs `trust:write`.
  package var isTrust: Bool
  /// The proof of the relation by requests: an example of what it lets in, or that it means the same.
  package internal(set) var remark: String?
  /// Whether the direction is that which the key declares, because no request shows it.
  var isDeclared = false

  /// The sentence with what requests show.
  package var told: String { remark.map { "\(sentence); \($0)" } ?? sentence }

  package init(
    subject: String, relation: Relation, sentence: String, oldLine: Int?, newLine: Int?, isTrust: Bool = false
  ) {
    self.subject = subject
    self.relation = relation
    self.sentence = sentence
    self.oldLine = oldLine
    self.newLine = newLine
    self.isTrust = isTrust
  }
}

/// Gathers differences. Not Sendable: belongs to one comparison.
final class Changes {
  let old: PolicyFile
  let new: PolicyFile
  var found: [PolicyChange] = []

  init(old: PolicyFile, new: PolicyFile) {
    self.old = old
    self.new = new
  }

  /// A difference of a setting, found in both files by its path.
  func add(_ path: String, _ relation: Relation, _ sentence: String, isTrust: Bool = false) {
    let keys = path.split(separator: ".").map(String.init)
    add(path, relation, sentence, lines: (old.document.line(of: keys), new.document.line(of: keys)), isTrust: isTrust)
  }

  func add(
    _ subject: String, _ relation: Relation, _ sentence: String, lines: (old: Int?, new: Int?), isTrust: Bool = false,
    isDeclared: Bool = false
  ) {
    var change = PolicyChange(
      subject: subject, relation: relation, sentence: sentence, oldLine: lines.old.flatMap { $0 > 0 ? $0 : nil },
      newLine: lines.new.flatMap { $0 > 0 ? $0 : nil }, isTrust: isTrust)
    change.isDeclared = isDeclared
    found.append(change)
  }

  /// A setting whose values differ.
  func compare<Value: Equatable>(
    _ path: String, _ old: Value, _ new: Value, _ shown: (Value) -> String, _ relation: (Value, Value) -> Relation
  ) {
    guard old != new else { return }
    add(path, relation(old, new), "\(path): \(shown(old)) → \(shown(new))")
  }
}

extension Document {
  /// The line of a key by its path, or of the last part of the path that is written.
  func line(of path: [String]) -> Int? {
    var node = root
    var line: Int?
    for key in path {
      guard let entry = node?.entry(key) else { break }
      line = entry.keyRange.start.line
      node = entry.value
    }
    return line
  }
}
