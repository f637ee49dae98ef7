import GatehousePolicy

extension Mutants {
  /// The treatment of unknown fields, and the fields: their settings, and their rules.
  mutating func profile() {
    slips(ProfileKeys.profile.all, at: ["profile"], of: policy.profile) { $0.profile = $1 }
    for (index, field) in policy.profile.fields.enumerated() { self.field(field, index) }
  }

  private mutating func field(_ field: Field, _ index: Int) {
    let name = field.name
    slips(ProfileKeys.settings, at: ["profile", "fields", name], subject: name, of: field) {
      $0.profile.fields[index] = $1
    }
    existing("\(name).existing", field.existing, line: line("profile", "fields", name, "existing")) {
      $0.profile.fields[index].existing = .atNextChange
    }
    rules(
      RuleSlot(
        section: name, rules: field.rules, existing: field.existing, doors: policy.entries(of: field)
      ) { $0.profile.fields[index].rules = $1 })
  }
}
