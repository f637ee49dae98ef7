import GatehousePolicy

/// Reads single rules: settings such as `min_length: 8`, and the members of `password.rules`.
struct RuleReader {
  let sink: Diagnostics
  let references: References

  /// The options that a section or field sets for all its rules.
  struct Section {
    var existing: Existing?
    var doors: DoorSet?
    var message: Texts?
    var sentence: Texts?

    /// The sentence of a rule in this section. A rule with a message of its own does not inherit one: the message is
    /// also its sentence.
    func sentence(beside own: Section) -> Texts? { own.sentence ?? (own.message == nil ? sentence : nil) }
  }

  func section(_ node: Node) -> Section {
    Section(
      existing: node["existing"]?.word(), doors: doors(node["doors"]), message: node["message"]?.byLanguage,
      sentence: node["sentence"]?.byLanguage)
  }

  /// All settings of a section or field, in the order of the file.
  func settings(_ node: Node, at target: RuleTarget, prefix: String, section: Section) -> [Rule] {
    let kinds = Rules.writable(at: target)
    return (node.map ?? []).flatMap { entry -> [Rule] in
      guard let kind = kinds.first(where: { $0.name == entry.key }) else { return [] }
      return setting(entry, kind, at: target, prefix: prefix, section: section)
    }
  }

  /// One setting in short or long form; none for a flag that is false.
  func setting(_ entry: Node.Entry, _ kind: RuleKind, at target: RuleTarget, prefix: String, section: Section) -> [Rule]
  {
    let long = entry.value.map == nil ? nil : entry.value
    guard let value = long.map({ $0["value"] }) ?? entry.value, let parameter = parameter(value, kind) else {
      if let long { _ = enforcement(long) }
      return []
    }
    if case .flag(false) = parameter { return [] }
    let own = long.map(self.section) ?? Section()
    return [
      Rule(
        id: prefix + "." + kind.name, kind: kind, target: target, parameter: parameter,
        enforcement: long.map(enforcement) ?? .enforced, existing: own.existing, doors: own.doors ?? section.doors,
        message: own.message ?? section.message, sentence: section.sentence(beside: own),
        disclose: long?["disclose"]?.truth ?? true, position: entry.position)
    ]
  }

  /// One member of `password.rules`; nil where it can not be read.
  func passwordRule(_ node: Node) -> Rule? {
    guard let entries = node.map else { return nil }
    let enforcement = enforcement(node)
    let conditions = entries.filter { entry in
      RuleKeys.conditions(at: .password).contains { $0.name == entry.key }
    }
    guard let condition = conditions.first, let kind = Rules.kind(condition.key) else {
      let names = RuleKeys.conditions(at: .password).map(\.name)
      sink.error(
        about: node.range, code: .ruleWithoutKind, "this password rule has no condition",
        at: node["id"]?.range ?? node.range,
        notes: [.init("give it one of: \(names.joined(separator: ", "))")])
      return nil
    }
    for extra in conditions.dropFirst() {
      sink.error(
        .ruleWithTwoKinds, "a rule has one condition; this one has \(condition.key) and \(extra.key)",
        at: extra.keyRange, notes: [.init("make two rules of it, each with its own id")])
    }
    if let entry = node.entry("fail"), !kind.asksList {
      sink.error(
        .unknownKey, "fail says nothing in a rule with \(kind.name)", at: entry.keyRange,
        notes: [.init("it is for not_in, whose list may be missing")])
    }
    if let entry = node.entry("existing"), kind.ownExisting == .atNextChange {
      sink.error(
        .unknownKey, "existing says nothing in a rule with \(kind.name)", at: entry.keyRange,
        notes: [.init("the password that is stored is always the last one")])
    }
    guard let id = node["id"]?.text else { return nil }
    if id == "required" {
      sink.error(
        .duplicateRuleID, "rule id \"password.required\" belongs to a rule that every policy has",
        at: node["id"]?.range ?? node.range)
    }
    guard let parameter = parameter(condition.value, kind), parameter != .flag(false) else { return nil }
    let own = section(node)
    return Rule(
      id: "password." + id, kind: kind, target: .password, parameter: parameter, enforcement: enforcement,
      existing: own.existing, doors: own.doors, message: own.message, sentence: own.sentence,
      disclose: node["disclose"]?.truth ?? true,
      failsOpen: node["fail"]?.text == "open", position: node.position)
  }

  private func parameter(_ node: Node, _ kind: RuleKind) -> Parameter? {
    if kind.shape.isList { return node.texts.flatMap { kind.shape.parameter(from: $0) } }
    return node.text.flatMap { kind.shape.parameter(from: [$0]) }
  }

  /// The stage of a rule.
  func enforcement(_ node: Node) -> Enforcement {
    let mode: Enforce = node["enforce"]?.word() ?? .enforce
    let from = node["enforce_from"]?.day
    if let entry = node.entry("enforce_from"), mode != .warn {
      sink.error(
        about: node.range, code: .dateWithoutWarn, "enforce_from needs enforce: warn", at: entry.keyRange,
        notes: [.init("until the date the rule warns; from then on it enforces by itself")])
    }
    return Enforcement(mode, from: from)
  }

  private func doors(_ node: Node?) -> DoorSet? {
    node?.list.map { DoorSet($0.compactMap { $0.word(Door.self) }) }
  }

  /// Refuses a place with a door that no enforced rule guards. `sign_in` brings in no new value.
  /// - Parameters:
  ///   - implied: The doors of the rules every place has; nil: all of them.
  ///   - isWhole: Whether all of the rules could be read.
  func checkDoors(
    _ rules: [Rule], implied: DoorSet?, at target: RuleTarget, what: String, isWhole: Bool, range: SourceRange
  ) {
    // A rule whose kind applies at some doors only is not meant to guard the others, and a maximum length refuses
    // almost no password.
    let enforced = rules.filter {
      $0.enforcement.mode == .enforce && $0.kind.defaultDoors(at: target) == target.doors
        && !(target == .password && $0.longest != nil)
    }
    let union = enforced.reduce(DoorSet()) { $0.union($1.doors) }
    let guarded = enforced.isEmpty ? (implied ?? target.doors) : union
    let open = target.doors.doors.filter { $0 != .signIn && !guarded.contains($0) }
    guard !open.isEmpty else { return }
    // GUARD: policy file: rules that could not be read may have guarded a door
    guard isWhole else { return }
    let names = open.map(\.rawValue).joined(separator: ", ")
    sink.error(
      .unguardedDoor, "no rule of \(what) guards the door\(open.count == 1 ? "" : "s") \(names)", at: range,
      notes: [
        .init(
          "the doors of all its rules together have to cover: \(target.doors.doors.filter { $0 != .signIn }.map(\.rawValue).joined(separator: ", "))"
        )
      ])
  }

  /// `not_containing` names the address and profile fields.
  func checkSubjects(_ node: Node?, _ profile: ProfilePolicy) {
    for subject in node?.list ?? [] {
      guard let name = subject.text, name != "email", profile.field(name) == nil else { continue }
      references.unknownField(name, at: subject.range, among: ["email"] + profile.fields.map(\.name))
    }
  }
}

extension Node {
  /// A text by language; nil where none is written.
  var byLanguage: Texts? {
    guard let entries = map, !entries.isEmpty else { return nil }
    return Texts(Dictionary(entries.compactMap { entry in entry.value.text.map { (entry.key, $0) } }) { $1 })
  }
}
