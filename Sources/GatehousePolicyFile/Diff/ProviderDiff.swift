import GatehousePolicy

extension SectionDiff {
  /// Providers by name.
  func providers() {
    for before in old.providers {
      if let after = new.provider(before.name) {
        changes.compare(ProviderKeys.settings.all, at: "providers.\(after.name)", before, after)
      } else {
        changes.add(
          "providers.\(before.name)", before.use == .signIn ? .stricter : .incomparable,
          "provider \(before.name) is removed", lines: (before.position.line, nil))
      }
    }
    for after in new.providers where old.provider(after.name) == nil {
      changes.add(
        "providers.\(after.name)", after.use == .signIn ? .weaker : .incomparable,
        after.use == .signIn ? "\(after.name) is a new way to sign in" : "\(after.name) can be linked",
        lines: (nil, after.position.line))
    }
  }
}
