import GatehousePolicy

/// The keys of `admins`.
enum AdminKeys {
  static let admins = SettingTable<Admins>(
    "admins",
    [
      // The mutants of conditions need the fields: `Mutants.admins`.
      Setting(
        Key(
          "when", trust: false, .moreMembersIsStricter,
          .dictionary(DictionaryShape("condition", names: Forms.fieldName, .any, count: 1...10)), required: true,
          "Profile fields and the values that make an administrator."
        ).tried,
        canonical: { .object($0.when.map { ($0.field, $0.value.canonical) }) },
        // Every condition has to hold, so more conditions make fewer administrators.
        compared: { .strings($0.when.map { "\($0.field): \($0.value.shown)" }.sorted()) }),
      .words(
        "may", \.may, count: 0...10, isSet: true, .fewerIsStricter, trust: false, required: true,
        "The rights of administrators in the API."),
    ])
}

extension PolicyReader {
  /// The administrators of the tenant.
  func admins(_ entry: Node.Entry?, _ profile: ProfilePolicy) -> Admins? {
    guard let entry else { return nil }
    let conditions = (entry.value["when"]?.map ?? []).compactMap { entry in
      condition(entry, profile, openTo: "and so become an administrator")
    }
    return AdminKeys.admins.read(entry.value, over: Admins(when: conditions, may: [], position: entry.position))
  }

  /// - Parameter effect: What a user could do who wrote the field.
  func condition(_ entry: Node.Entry, _ profile: ProfilePolicy, openTo effect: String) -> Admins.Condition? {
    guard let field = profile.field(entry.key) else {
      references.unknownField(entry.key, at: entry.keyRange, among: profile.fields.map(\.name))
      return nil
    }
    let part = root["profile"]?["fields"]?.entry(field.name)?.range
    if field.write != .admin {
      sink.error(
        about: part, code: .selfMadeAdmin,
        "any user may write field \(quoted(field.name)), \(effect)",
        at: entry.keyRange, notes: [.init("give the field write: admin")])
    }
    let value = FieldValue(entry.value, type: field.type)
    if let problem = Values.problem(value, field) {
      sink.error(
        about: part, code: .notAChoice,
        "field \(quoted(field.name)) can never hold \(quoted(entry.value.text ?? "")): \(problem)",
        at: entry.value.range)
    }
    return Admins.Condition(field: field.name, value: value)
  }
}
