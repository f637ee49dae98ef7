/// A rule before it is made.
struct RuleDraft: Sendable {
  var id = ""
  var kind = ""
  var value = JSONText.null
  var enforcement = Enforcement.enforced
  var existing: Existing?
  /// Nil: those of the kind.
  var doors: DoorSet?
  var message: Texts?
  var sentence: Texts?
  var disclose = true
  var failsOpen = false

  static let table = BundleTable<RuleDraft>([
    .text("id", \.id, required: true),
    .text("kind", \.kind, required: true),
    BundleKey(name: "value", isRequired: true, write: { $0.value }, read: { value, rule in rule.value = value.json }),
    .word("enforce", \.enforcement.mode),
    .day("enforce_from", \.enforcement.from),
    .word("existing", \.existing),
    .doors("doors", \.doors),
    .spoken("message", \.message),
    .spoken("sentence", \.sentence),
    .flag("disclose", \.disclose),
    BundleKey(
      name: "fail", write: { $0.failsOpen ? .string("open") : nil },
      read: { value, rule in
        guard try value.text == "open" else { throw value.refusal("\"open\"") }
        rule.failsOpen = true
      }),
  ])
}

extension RuleDraft {
  init(_ rule: Rule) {
    self.init(
      id: rule.id, kind: rule.kind.name, value: rule.parameter.bundled, enforcement: rule.enforcement,
      existing: rule.existing, doors: rule.doors == rule.kind.defaultDoors(at: rule.target) ? nil : rule.doors,
      message: rule.message, sentence: rule.sentence, disclose: rule.disclose, failsOpen: rule.failsOpen)
  }

  func rule(at target: RuleTarget, _ place: BundleValue) throws -> Rule {
    guard let kind = Rules.writable(at: target).first(where: { $0.name == kind }) else {
      throw PolicyBundleError.unexpected(
        place.path(of: "kind"),
        expected: "one of \(Rules.writable(at: target).map(\.name).joined(separator: ", "))")
    }
    guard let parameter = value.scalars.flatMap({ kind.shape.parameter(from: $0) }) else {
      throw PolicyBundleError.unexpected(place.path(of: "value"), expected: kind.shape.expected)
    }
    return Rule(
      id: id, kind: kind, target: target, parameter: parameter, enforcement: enforcement, existing: existing,
      doors: doors, message: message, sentence: sentence, disclose: disclose, failsOpen: failsOpen)
  }
}

extension BundleKey {
  /// The rules of a section.
  static func rules(_ name: String, _ place: Place<[Rule]>, at target: RuleTarget) -> BundleKey {
    .list(name, place, RuleDraft.table, silent: RuleDraft(), draft: { RuleDraft($0) }) { draft, value in
      try draft.rule(at: target, value)
    }
  }

  static func day(_ name: String, _ place: Place<Day?>) -> BundleKey {
    BundleKey(
      name: name, write: { ($0[keyPath: place]?.description).map(JSONText.string) },
      read: { value, section in section[keyPath: place] = try value.day })
  }

  static func doors(_ name: String, _ place: Place<DoorSet?>) -> BundleKey {
    BundleKey(
      name: name, write: { ($0[keyPath: place]?.doors.map(\.rawValue)).map(JSONText.strings) },
      read: { value, section in
        section[keyPath: place] = DoorSet(try value.list.map { try $0.word(Door.self) })
      })
  }
}

/// The options of the rules that a place has by being declared.
struct ImpliedDraft: Sendable {
  var message: Texts?
  var sentence: Texts?
  var doors: DoorSet?

  init(_ rule: Rule) {
    (message, sentence) = (rule.message, rule.sentence)
    doors = rule.doors == rule.kind.defaultDoors(at: rule.target) ? nil : rule.doors
  }
}

extension Parameter {
  fileprivate var bundled: JSONText {
    switch self {
    case .flag(let flag): .boolean(flag)
    case .integer(let number): .integer(number)
    case .text(let text): .string(text)
    case .texts(let texts): .strings(texts)
    case .domains(let domains): .strings(domains.map(\.description))
    case .characters(let set): .string(set.text)
    case .duration(let seconds): .string(Seconds.text(seconds))
    }
  }
}

extension JSONText {
  /// The value as a policy file writes it, for `ParameterShape`; nil where no parameter looks like it.
  fileprivate var scalars: [String]? {
    switch self {
    case .boolean(let flag): [flag ? "true" : "false"]
    case .integer(let number): [String(number)]
    case .string(let text): [text]
    case .array(let values):
      values.reduce(into: Optional([String]())) { texts, value in
        if case .string(let text) = value { texts?.append(text) } else { texts = nil }
      }
    case .null, .object: nil
    }
  }
}
