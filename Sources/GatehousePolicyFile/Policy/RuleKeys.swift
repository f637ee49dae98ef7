import GatehousePolicy

/// The keys of rules, made from the list of rule kinds so that a new kind is readable, suggested and in the schema at
/// once.
enum RuleKeys {
  /// All keys of a rule are compared together.
  private static let rule = Direction.decided(by: .rule)

  static let existing = Shape.choice(Existing.allCases.map(\.rawValue))
  static let doors = Shape.list(.choice(Door.allCases.map(\.rawValue)), count: 1...Door.allCases.count)
  static let message = texts("message")

  /// A text by language.
  static func texts(_ name: String, most: Int = 300) -> Shape {
    .dictionary(DictionaryShape(name, names: Forms.language, .text(.any(most)), count: 1...20))
  }

  /// `enforce` and its date.
  static let stage = [
    Key(
      "enforce", trust: false, rule, .choice(Enforce.allCases.map(\.rawValue)),
      "off, warn (reported, never blocks) or enforce."),
    Key("enforce_from", trust: false, rule, .date, "With warn: the day from which the rule enforces by itself."),
  ]

  /// The options that a section or field sets for all its rules.
  static let section = [
    Key("existing", trust: false, rule, existing, "The effect of a tightened rule on people already stored."),
    Key("doors", trust: false, rule, doors, "Where the rules bind."),
    Key("message", trust: false, rule, message, "Texts per language instead of the catalogue's."),
    Key(
      "sentence", trust: false, rule, texts("sentence"),
      "Sentences per language that stand alone; the message where there are none."),
  ]

  /// The options of every rule.
  static let options =
    stage + section + [
      Key("disclose", trust: false, rule, .boolean, "Whether the public half of the policy lists the rule.")
    ]

  /// For rules that ask a list: what holds when the server has none.
  static let fail = Key(
    "fail", trust: false, rule, .choice(["open", "closed"]),
    "With not_in: whether a password passes when the list is missing (default closed).")

  /// A rule of the password section: an id, one condition, options.
  static let passwordRule = MapShape(
    "password rule", label: "id",
    [Key("id", trust: false, rule, .text(Forms.ruleID), required: true, "Code of the rule: password.ID.")]
      + conditions(at: .password).map { Key($0.name, trust: false, rule, shape(of: $0), $0.meaning) }
      + options + [fail], exactlyOne: conditions(at: .password).map(\.name))

  /// The kinds that may be a condition in a list of rules.
  static func conditions(at target: RuleTarget) -> [RuleKind] {
    Rules.writable(at: target).filter { $0 != .required }
  }

  /// The kinds that are settings of a section or field, each in short (`min_length: 8`) or long form.
  static func settings(at target: RuleTarget) -> [Key] {
    Rules.writable(at: target).filter { target == .field || $0 != .required }.map {
      Key($0.name, trust: false, rule, setting($0, at: target), $0.meaning)
    }
  }

  /// `8`, or `{value: 8, enforce: warn, …}`.
  static func setting(_ kind: RuleKind, at target: RuleTarget) -> Shape {
    let long = MapShape(
      "rule \(quoted(kind.name))",
      [Key("value", trust: false, rule, shape(of: kind), required: true, kind.meaning)] + options)
    return .either([shape(of: kind), .map(long)])
  }

  /// The shape of a kind's parameter.
  static func shape(of kind: RuleKind) -> Shape {
    switch kind.shape {
    case .flag: .boolean
    case .integer(let range): .integer(range.clamped(to: largest))
    case .word(let words): .choice(words)
    case .texts: .list(.text(.any(200)), count: 1...500)
    case .regions: .list(.text(Forms.region), count: 1...500)
    case .subjects: .list(.text(Forms.fieldName), count: 1...20)
    case .domains: .list(.text(Forms.domain), count: 1...2000)
    case .characters: .text(Forms.characters)
    case .duration: .duration(1...Bounds.tenYears)
    }
  }

  /// Numbers have at most 15 digits.
  private static let largest: ClosedRange<Int64> = -999_999_999_999_999...999_999_999_999_999
}
