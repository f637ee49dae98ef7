import GatehousePolicy

/// Lints about what a value of a profile gives its owner: rights, and claims that backends trust.
extension Linter {
  /// A field that users write themselves is an error at `admins.when`: P0222.
  func admins() {
    guard let admins = policy.admins else { return }
    let defaults = policy.profile.fields.compactMap { field in field.defaultValue.map { (field.name, $0) } }
    guard policy.isAdministrator(profile: Dictionary(defaults) { first, _ in first }) else { return }
    let met = admins.when.map { "\($0.field): \($0.value.shown)" }.joined(separator: ", ")
    warn(
      .defaultAdministrator, "every new user is an administrator: \(met) is what a profile holds by default",
      at: file.document.root?["admins"]?["when"], else: admins.position)
  }

  func claims() {
    let written = file.document.root?["profile"]?["fields"]
    for field in policy.profile.fields where field.claim && field.write != .admin {
      warn(
        .selfWrittenClaim, "users write \(field.name) themselves, and claim: true puts it into tokens",
        at: written?[field.name]?["claim"], else: field.position)
    }
  }
}
