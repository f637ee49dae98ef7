import GatehousePolicy

/// Reads `expect`, and refuses what could never hold.
struct ExpectationReader {
  private let policy: Policy
  private let references: References
  private let sink: Diagnostics
  private let ids: [String]
  private let known: Set<[UInt8]>

  init(policy: Policy, references: References) {
    self.policy = policy
    self.references = references
    sink = references.sink
    ids = policy.ruleIDs + (policy.attest == nil ? [] : [Attest.refusal])
    known = Set(ids.map { Array($0.utf8) })
  }

  func read(_ node: Node) -> Expectation {
    var expect = Expectation()
    expect.ok = node["ok"]?.truth
    expect.violations = ids(node["violations"], ofRules: true)
    expect.warnings = ids(node["warnings"], ofRules: true)
    expect.access = node["access"]?.word()
    expect.admin = node["admin"]?.truth
    expect.next = ids(node["next"], ofRules: false)
    expect.challenge = node["challenge"]?.texts.map { .exactly($0) }
    expect.offers = node["offers"]?.texts.map { .exactly($0) }
    expect.storedEmail = node["stored"]?["email"]?.text
    for entry in node["stored"]?["profile"]?.map ?? [] {
      guard let field = policy.profile.field(entry.key) else {
        references.unknownField(entry.key, at: entry.keyRange, among: policy.profile.fields.map(\.name))
        continue
      }
      expect.storedProfile[entry.key] = FieldValue(entry.value, type: field.type)
    }
    if node.map?.isEmpty ?? false {
      sink.error(.badCount, "expect: is empty, so the test could not fail", at: node.range)
    }
    return expect
  }

  /// A list, or what it includes and excludes.
  private func ids(_ node: Node?, ofRules: Bool) -> ExpectedIDs? {
    guard let node else { return nil }
    func read(_ list: Node?) -> [String] { ofRules ? rules(list) : list?.texts ?? [] }
    if node.list != nil { return .exactly(read(node)) }
    let part = (includes: read(node["includes"]), excludes: read(node["excludes"]))
    if part.includes.isEmpty, part.excludes.isEmpty {
      sink.error(
        about: node.range, code: .badCount, "neither includes: nor excludes: names an id, so the test could not fail",
        at: node.range)
    }
    return .containing(includes: part.includes, excludes: part.excludes)
  }

  private func rules(_ node: Node?) -> [String] {
    let members = node?.list ?? []
    for member in members {
      guard let id = member.text, !isKnown(id), !isUnknownField(id) else { continue }
      references.unknownRule(
        id, code: .unknownRuleInTest, "this policy has no rule \(quoted(id))", at: member.range, among: ids)
    }
    return members.compactMap(\.text)
  }

  private func isKnown(_ id: String) -> Bool {
    noteComparison()
    if known.contains(Array(id.utf8)) { return true }
    return id.utf8.contains(UInt8(ascii: "*"))
      && ids.contains {
        noteComparison()
        return Family.matches(id, $0)
      }
  }

  /// `nickname.unknown` is the rule of a field that is not there.
  private func isUnknownField(_ id: String) -> Bool {
    policy.profile.unknownFields == .reject && id.hasSuffix(".unknown")
  }
}

/// Ids with `*`, and lists of them.
enum Family {
  /// Whether an id is meant: `password.*`, `*.write`, `password.min8`.
  static func matches(_ pattern: String, _ id: String) -> Bool {
    let pattern = Array(pattern.utf8)
    let id = Array(id.utf8)
    guard let star = pattern.firstIndex(of: UInt8(ascii: "*")) else { return pattern == id }
    let head = pattern[..<star]
    let tail = pattern[(star + 1)...]
    return id.count > head.count + tail.count && id.starts(with: head) && id.suffix(tail.count).elementsEqual(tail)
  }

  /// Whether a list is exactly what is expected, in order; an id with `*` stands for one or more of its family.
  static func matches(_ expected: [String], _ found: [String]) -> Bool {
    // reached[i]: the first i found ids can be explained by the patterns so far.
    var reached = [true] + [Bool](repeating: false, count: found.count)
    for pattern in expected {
      var next = [Bool](repeating: false, count: found.count + 1)
      for (index, id) in found.enumerated() where matches(pattern, id) {
        next[index + 1] = reached[index] || (pattern.contains("*") && next[index])
      }
      reached = next
    }
    return reached[found.count]
  }
}
