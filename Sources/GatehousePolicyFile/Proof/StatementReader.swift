import GatehousePolicy

/// Reads the section `always` of a file.
struct StatementReader {
  let policy: Policy
  let root: Node
  let sink: Diagnostics
  private let references: References

  init(policy: Policy, root: Node, into sink: Diagnostics) {
    self.policy = policy
    self.root = root
    self.sink = sink
    references = References(sink: sink, root: root)
  }

  func statements() -> [Statement] {
    var names: [[UInt8]: Int] = [:]
    return (root["always"]?.list ?? []).compactMap { node in
      guard node.map != nil, let name = node["name"], let text = name.text else { return nil }
      if let line = names.updateValue(name.line, forKey: Array(text.utf8)) {
        sink.error(
          .duplicateTestName, "a statement is already called \(quoted(text))", at: name.range,
          notes: [.init("on line \(line)", line: line)])
      }
      guard let claim = claim(of: node) else { return nil }
      return Statement(
        name: text, claim: claim, startsAnywhere: node["from"]?.text == "any", range: name.range)
    }
  }

  private func claim(of node: Node) -> Statement.Claim? {
    let found = StatementKeys.claims.filter { node.entry($0) != nil }
    guard found.count == 1 else {
      return refuse(
        node, found.isEmpty ? "this statement claims nothing" : "\(found[0]) and \(found[1]) are two claims",
        "one of: \(StatementKeys.claims.joined(separator: ", "))")
    }
    if let goal = ["can", "can_reach"].first(where: { node.entry($0) != nil }), found[0] != "every" {
      return refuse(node, "\(goal): has no meaning without every:", "every: signed_up")
    }
    switch found[0] {
    case "never": return never(node["never"])
    case "every": return goal(of: node).map(Statement.Claim.every)
    default:
      guard node.entry("from") == nil else {
        return refuse(node, "from: has no meaning with not_weaker_than:", "leave it out")
      }
      let value = node["not_weaker_than"]
      return .notWeakerThan(value?.integer.map { .revision(Int($0)) } ?? .live)
    }
  }

  private func goal(of node: Node) -> Statement.Goal? {
    switch (node["can"]?.text, node.entry("can_reach")) {
    case (nil, nil): refuse(node, "every: claims nothing without can: or can_reach:", "can: sign_in")
    case (_?, _?): refuse(node, "can and can_reach are two claims", "make two statements of it")
    case (nil, _?): .fullAccess
    case (let word?, nil): word == "reset_password" ? .resetPassword : .signIn
    }
  }

  private func never(_ node: Node?) -> Statement.Claim? {
    guard let node, let entries = node.map else { return nil }
    var kind = Statement.Kind()
    kind.access = node["access"]?.word()
    kind.email = node["email"].flatMap(domains)
    kind.emailVerified = node["email_verified"]?.truth
    kind.isAdmin = node["admin"]?.truth
    kind.writer = node["by"]?.word()
    kind.door = StatementKeys.doors.first { $0.name == node["door"]?.text }?.door
    var isWhole = true
    for entry in node["stored"]?.map ?? [] {
      guard let field = policy.profile.field(entry.key) else {
        references.unknownField(entry.key, at: entry.keyRange, among: policy.profile.fields.map(\.name))
        isWhole = false
        continue
      }
      if let value = stored(entry.value, field) { kind.stored.append((field.name, value)) }
    }
    if entries.allSatisfy({ ["by", "allowed"].contains($0.key) }) {
      return refuse(node, "never: names no account and no door, so it claims nothing", "access: full")
    }
    if let allowed = node["allowed"], allowed.truth == false || kind.door == nil {
      return refuse(allowed, "allowed: is true, and stands beside door:", "door: sign_up, allowed: true")
    }
    return isWhole ? .never(kind) : nil
  }

  private func domains(_ node: Node) -> Statement.Domains? {
    let isInside = node.entry("inside") != nil
    guard let list = node[isInside ? "inside" : "outside"], node.map?.count == 1 else {
      return refuse(node, "email: needs either outside: or inside:", "outside: [ksu.edu]")
    }
    return Statement.Domains(patterns: list.texts?.compactMap(DomainPattern.init) ?? [], isInside: isInside)
  }

  private func stored(_ node: Node, _ field: Field) -> Statement.Stored? {
    guard let entries = node.map, entries.count == 1, let entry = entries.first else {
      return refuse(node, "a stored value has one of not, absent, is, outside", "is: VALUE")
    }
    switch entry.key {
    case "not": return .notE164
    case "absent":
      return entry.value.truth == false ? refuse(node, "absent: is true", "absent: true") : .absent
    case "is": return .equal(FieldValue(entry.value, type: field.type))
    case "outside": return .outside((entry.value.list ?? []).map { FieldValue($0, type: field.type) })
    default: return nil
    }
  }

  /// Reports a statement that claims nothing, unless its shape is wrong already.
  private func refuse<Nothing>(_ node: Node, _ message: String, _ remedy: String) -> Nothing? {
    sink.error(about: node.range, code: .badStatement, message, at: node.range, notes: [.init("such as \(remedy)")])
    return nil
  }
}
