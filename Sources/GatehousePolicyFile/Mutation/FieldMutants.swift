import GatehousePolicy

extension Mutants {
  /// The fields of the profile: who writes them, their type, what is done to their values, their rules.
  mutating func profile() {
    if policy.profile.unknownFields == .reject, let line = written("profile", "unknown_fields") {
      add("profile.unknown_fields", "reject → ignore", line: line) { $0.profile.unknownFields = .ignore }
    }
    for (index, field) in policy.profile.fields.enumerated() { self.field(field, index) }
  }

  private mutating func field(_ field: Field, _ index: Int) {
    let name = field.name
    func line(of key: String) -> Int { self.line("profile", "fields", name, key) }
    func change(_ key: String, _ what: String, _ loosen: (inout Field) -> Void) {
      add("\(name).\(key)", what, line: line(of: key)) { loosen(&$0.profile.fields[index]) }
    }
    if [.integer, .boolean, .url, .date, .phone].contains(field.type) {
      change("type", "\(field.type.rawValue) → string") { $0 = $0.asString }
    }
    // Numbers are cut before they are read, with or without `trim`.
    if field.trim, field.type != .phone { change("trim", "true → false") { $0.trim = false } }
    if field.write != .user { change("write", "\(field.write.rawValue) → user") { $0.write = .user } }
    if field.defaultValue != nil { change("default", "deleted") { $0.defaultValue = nil } }
    if let unique = field.unique {
      change("unique", "deleted") { $0.unique = nil }
      if unique == .ignoreCase { change("unique", "ignore_case → true") { $0.unique = .exact } }
    }
    existing("\(name).existing", field.existing, line: line(of: "existing")) {
      $0.profile.fields[index].existing = .atNextChange
    }
    rules(
      RuleSlot(
        section: name, rules: field.rules, existing: field.existing, doors: policy.entries(of: field)
      ) { $0.profile.fields[index].rules = $1 })
  }
}

extension Field {
  /// The same field for any text. Rules of other types say nothing about text and are left out.
  fileprivate var asString: Field {
    Field(
      name: name, type: .string, rules: rules.filter { $0.kind.fieldTypes.contains(.string) },
      defaultValue: defaultValue, trim: trim, write: write, visibleTo: visibleTo, claim: claim, unique: unique,
      existing: existing, label: label, atSignUp: atSignUp, message: typeRule.message, sentence: typeRule.sentence,
      doors: typeRule.doors, position: position)
  }
}
