import GatehousePolicy

/// The keys of `mfa`.
enum MFAKeys {
  static let mfa = SettingTable<MFA>(
    "mfa",
    [
      .words(
        "factors", \.factors, count: 1...Factor.allCases.count, isSet: true, .fewerIsStricter, trust: false,
        required: true, "The kinds of second factors that people may add."),
      // The conditions need the fields: `PolicyReader.mfa`. The mutants are of `Mutants.mfa`.
      Setting(
        Key(
          "required_if", trust: false, .decided(by: .demands), .list(.map(demand), count: 1...20),
          "Who has to have a second factor: each demand that matches binds."),
        canonical: { .array($0.requiredIf.map(\.canonical)) }),
      Setting(
        Key(
          "grace", trust: false, .lessIsStricter, .duration(0...7_776_000),
          "How long access stays full without a factor, from the first session under a demand; 0s by default."),
        read: { node, mfa in if let seconds = node.seconds { mfa.grace = seconds } },
        canonical: { .integer($0.grace) },
        slips: { mfa in
          // Where no demand ever binds, a grace of any length is the same.
          guard mfa.requiredIf.contains(where: { $0.enforcement.mode == .enforce || $0.enforcement.from != nil }) else {
            return []
          }
          var other = mfa
          other.grace += 86_400
          return [("\(Seconds.text(mfa.grace)) → \(Seconds.text(other.grace))", other)]
        }),
      .duration(
        "remember_device", \.rememberDevice, 0...7_776_000, .lessIsStricter, trust: false,
        "How long a remembered device stands in for the second factor; 0s by default: never."),
      Setting(
        Key(
          "valid_for", trust: false, .lessIsStricter, .duration(300...Bounds.tenYears),
          "A session's second factor is asked for again after this long; not at all without it."),
        read: { node, mfa in mfa.validFor = node.seconds },
        canonical: { $0.validFor.map { .integer($0) } ?? .null },
        // Without it a session keeps its factor for life.
        compared: { .integer($0.validFor ?? .max) }, shown: { $0.validFor.map(Seconds.text) ?? "nothing" }),
    ])

  private static let demand = MapShape(
    "demand", label: "id",
    [
      Key(
        "id", trust: false, .decided(by: .demands), .text(Forms.ruleID), required: true,
        "Code of the demand: mfa.ID."),
      Key(
        "when", trust: false, .decided(by: .demands),
        .dictionary(DictionaryShape("condition", names: Forms.fieldName, .any, count: 1...10)),
        "Profile fields that administrators alone write, and their values; all users without it."),
      Key(
        "level", trust: false, .decided(by: .demands), .choice(AssuranceLevel.demanded.map(\.rawValue)),
        "How strong a session has to be; aal2 by default: two proofs."),
    ] + RuleKeys.stage)
}

extension AssuranceLevel {
  /// Those that a demand can name.
  static let demanded: [AssuranceLevel] = [.aal2, .phr]
}

extension PolicyReader {
  /// The second factors of the tenant's people.
  func mfa(_ entry: Node.Entry?, _ policy: Policy) -> MFA? {
    guard let entry else { return nil }
    var mfa = MFAKeys.mfa.read(entry.value, over: MFA(factors: [], position: entry.position))
    mfa.requiredIf = demands(entry.value["required_if"], policy)
    if let grace = entry.value.entry("grace"), entry.value.entry("required_if") == nil {
      sink.error(
        about: entry.range, code: .keyDoesNotApply, "\"grace\" has no meaning in mfa without required_if",
        at: grace.keyRange)
    }
    let life = max(policy.sessions.refreshMaxTTL, policy.sessions.pageMaxTTL)
    if let validFor = mfa.validFor, validFor > life, !sink.hasErrors(in: entry.range) {
      sink.error(
        about: root.entry("sessions")?.range, code: .lifetimesDisagree,
        "valid_for (\(Seconds.text(validFor))) is longer than the life of a session (\(Seconds.text(life)))",
        at: entry.value["valid_for"]?.range ?? entry.keyRange,
        notes: [.init("without valid_for a session keeps its second factor for life")])
    }
    return mfa
  }

  private func demands(_ node: Node?, _ policy: Policy) -> [MFA.Demand] {
    var lines: [[UInt8]: Int] = [:]
    return (node?.list ?? []).compactMap { node in
      guard let id = node["id"]?.text else { return nil }
      noteComparison()
      if let line = lines[Array(id.utf8)] {
        sink.error(
          .duplicateRuleID, "rule id \(quoted("mfa." + id)) is used twice", at: node["id"]?.range ?? node.range,
          notes: [.init("it was first used on line \(line)", line: line)])
      } else {
        lines[Array(id.utf8)] = node.line
      }
      let conditions = (node["when"]?.map ?? []).compactMap { entry in
        condition(entry, policy.profile, openTo: "and so end the demand")
      }
      return MFA.Demand(
        id: "mfa." + id, when: conditions, level: node["level"]?.word() ?? .aal2, enforcement: rules.enforcement(node),
        position: node.position)
    }
  }
}

extension MFA.Demand {
  var canonical: JSONText {
    .object(
      [
        ("id", .string(id)), ("when", .object(when.map { ($0.field, $0.value.canonical) })),
        ("level", .string(level.rawValue)),
      ] + enforcement.canonical)
  }

  /// The users that it is about, for a sentence: `role: "admin"`, `all users`.
  var people: String {
    when.isEmpty ? "all users" : when.map { "\($0.field): \($0.value.shown)" }.sorted().joined(separator: ", ")
  }
}
