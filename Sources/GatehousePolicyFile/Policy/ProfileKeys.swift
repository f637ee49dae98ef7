import GatehousePolicy

/// The keys of `profile` and of its fields.
enum ProfileKeys {
  static let profile = SettingTable<ProfilePolicy>(
    "profile",
    [
      .choice(
        "unknown_fields", \.unknownFields, .order([ProfilePolicy.UnknownFields.ignore, .reject]), trust: false,
        "The treatment of fields that are not listed.",
        slips: { profile in
          guard profile.unknownFields == .reject else { return [] }
          var other = profile
          other.unknownFields = .ignore
          return [("reject → ignore", other)]
        }),
      Setting(
        Key(
          "fields", trust: false, .decided(by: .fields),
          .dictionary(DictionaryShape("profile field", names: Forms.fieldName, .map(field), count: 0...100)),
          "The fields, in the order of forms and answers."),
        canonical: { .object($0.fields.map { ($0.name, $0.canonical) }) }),
    ])

  static let field = MapShape(
    "profile field", settings.map(\.key) + RuleKeys.settings(at: .field) + RuleKeys.section)

  /// The keys of a field that are no rule. `FieldReader` reads them, because most have a meaning for some types alone.
  static let settings: [Setting<Field>] = [
    own(
      "type", .unsure, .choice(FieldType.allCases.map(\.rawValue)), required: true,
      "The type of the field's values.", { .string($0.type.rawValue) },
      slip: { field in
        [.integer, .boolean, .url, .date, .phone].contains(field.type)
          ? [("\(field.type.rawValue) → string", field.asString)] : []
      }),
    own(
      "label", .looks, RuleKeys.texts("label", most: 80),
      "The field as people read it, per language; made of its name by default.", { $0.label?.canonical }),
    own(
      "labels", .looks,
      .dictionary(DictionaryShape("value", names: .any(80), RuleKeys.texts("label", most: 80), count: 1...100)),
      "Values as people read them, per language; made of the values by default.",
      { .object($0.valueLabels.map { ($0.key, $0.value.canonical) }) }),
    own(
      "at_sign_up", .looks, .boolean, "The sign-up page asks for the field although it is not required.",
      { .boolean($0.atSignUp) }),
    // No default is an empty list in the canonical form, because null is a value.
    own(
      "default", .unsure, .any, "Stored where none is given.", { $0.defaultValue?.canonical ?? .array([]) },
      shown: { $0.defaultValue?.shown ?? "nothing" },
      slip: { $0.defaultValue == nil ? [] : [("deleted", $0.with { $0.defaultValue = nil })] }),
    // Numbers are cut before they are read, with or without `trim`.
    own(
      "trim", .unsure, .boolean, "Invisible characters are cut off at both ends before anything is judged.",
      { .boolean($0.trim) },
      slip: { $0.trim && $0.type != .phone ? [("true → false", $0.with { $0.trim = false })] : [] }),
    own(
      "multiline", .offIsStricter, .boolean, "Text of the field may have line ends and tabs.",
      { .boolean($0.multiline) },
      slip: { $0.multiline ? [("true → false", $0.with { $0.multiline = false })] : [] }),
    own(
      "unique", .words(["false", "true", "ignore_case"]),
      .either([.boolean, .choice([Field.Unique.ignoreCase.rawValue])]), "No two accounts hold the same value.",
      { .optional($0.unique?.rawValue) }, shown: { $0.unique?.rawValue ?? "false" },
      slip: { field in
        guard let unique = field.unique else { return [] }
        let exact = field.with { $0.unique = .exact }
        return [("deleted", field.with { $0.unique = nil })]
          + (unique == .ignoreCase ? [("ignore_case → true", exact)] : [])
      }),
    // Stored values alone are read by it. The diff tells the change of the name itself.
    own(
      "renamed_from", .looks, .text(Forms.fieldName),
      "The name that the field had: its stored values move to the new name.", { .optional($0.renamedFrom) }),
    own(
      "region", .unsure, .text(Forms.region), "Where a phone number without a country code belongs.",
      { .optional($0.region) }),
    own("store", .nothing, .choice(["e164"]), "How a phone number is stored.", { _ in nil }),
    own(
      "check", .unsure, .choice(Field.PhoneCheck.allCases.map(\.rawValue)),
      "How closely a phone number is looked at.", { .string($0.phoneCheck.rawValue) }),
    // A provider's value for a field that only administrators write is ignored, and judged where users write it.
    own(
      "write", .order([Field.Write.user, .userAtSignUp, .admin], unsureInto: .admin),
      .choice(Field.Write.allCases.map(\.rawValue)), "The writers of the field.", { .string($0.write.rawValue) },
      slip: { $0.write == .user ? [] : [("\($0.write.rawValue) → user", $0.with { $0.write = .user })] }),
    own(
      "visible_to", .order([Field.Visibility.users, .`self`, .admin]),
      .choice(Field.Visibility.allCases.map(\.rawValue)), "The readers of the field.",
      { .string($0.visibleTo.rawValue) }),
    own("claim", .unsure, .boolean, "The field goes into access tokens.", { .boolean($0.claim) }),
  ]

  private static func own(
    _ name: String, _ direction: Direction, _ shape: Shape, required: Bool = false, _ summary: String,
    _ canonical: @escaping @Sendable (Field) -> JSONText?, shown: (@Sendable (Field) -> String)? = nil,
    slip: (@Sendable (Field) -> [Setting<Field>.Slip])? = nil
  ) -> Setting<Field> {
    Setting(
      Key(name, trust: false, direction, shape, required: required, summary), canonical: canonical, shown: shown,
      slips: slip)
  }
}

extension Field {
  /// The canonical form of its settings and its rules.
  var canonical: JSONText {
    .object(
      ProfileKeys.settings.canonical(self) + [
        ("existing", .string(existing.rawValue)), ("implied", typeRule.canonical(in: existing)),
        ("rules", .object(rules.map { ($0.id, $0.canonical(in: existing)) })),
      ])
  }

  fileprivate func with(_ change: (inout Field) -> Void) -> Field {
    var other = self
    change(&other)
    return other
  }

  /// The same field for any text. Rules of other types say nothing about text and are left out.
  fileprivate var asString: Field {
    Field(
      name: name, type: .string, rules: rules.filter { $0.kind.fieldTypes.contains(.string) },
      defaultValue: defaultValue, trim: trim, multiline: multiline, write: write, visibleTo: visibleTo, claim: claim,
      unique: unique, existing: existing, label: label, atSignUp: atSignUp, message: typeRule.message,
      sentence: typeRule.sentence, doors: typeRule.doors, position: position)
  }
}
