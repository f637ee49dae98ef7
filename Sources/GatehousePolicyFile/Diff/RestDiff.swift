import GatehousePolicy

extension SectionDiff {
  /// Privacy, administrators, limits, exceptions and looks.
  func rest() {
    changes.compare("privacy.account_exists", old.privacy.accountExists, new.privacy.accountExists, \.rawValue) {
      Relation.laterIsStricter([.reveal, .hide], $0, $1)
    }
    admins()
    for name in Limits.Name.allCases {
      changes.compare("limits.\(name.rawValue)", old.limits[name], new.limits[name], { $0?.description ?? "nothing" }) {
        limit($0, $1)
      }
    }
    changes.compare("theme.logo", old.theme.logo, new.theme.logo, Self.shown, Self.looks)
    changes.compare("theme.primary", old.theme.primary, new.theme.primary, Self.shown, Self.looks)
    changes.compare("theme.dark_mode", old.theme.darkMode, new.theme.darkMode, \.rawValue, Self.looks)
    exceptions()
  }

  /// Where a file sets no limit the server has its own, which may be either side of the new one.
  private func limit(_ old: Limit?, _ new: Limit?) -> Relation {
    guard let old, let new else { return .incomparable }
    return Relation.lessIsStricter(old.count, new.count).and(.moreIsStricter(old.window, new.window))
  }

  private func admins() {
    guard let before = old.admins, let after = new.admins else {
      if old.admins != nil { changes.add("admins", .stricter, "no user administers the tenant any more") }
      if new.admins != nil { changes.add("admins", .weaker, "users can administer the tenant now") }
      return
    }
    changes.compare(
      "admins.may", before.may.map(\.rawValue), after.may.map(\.rawValue), Self.list, Relation.fewerIsStricter)
    // Every condition has to hold, so more conditions make fewer administrators.
    changes.compare("admins.when", conditions(before), conditions(after), Self.list) {
      Relation.fewerIsStricter($1, $0)
    }
  }

  private func conditions(_ admins: Admins) -> [String] {
    admins.when.map { "\($0.field): \($0.value.shown)" }.sorted()
  }

  private func exceptions() {
    func same(_ left: PolicyException, _ right: PolicyException) -> Bool {
      left.email.utf8.elementsEqual(right.email.utf8) && left.rule.utf8.elementsEqual(right.rule.utf8)
    }
    for before in old.exceptions {
      let subject = "exceptions.\(before.rule)"
      guard let after = new.exceptions.first(where: { same($0, before) }) else {
        changes.add(
          subject, .stricter, "\(before.email) is no longer excepted from \(before.rule)",
          lines: (before.location.line, nil))
        continue
      }
      guard before.until != after.until else { continue }
      changes.add(
        subject, after.until > before.until ? .weaker : .stricter,
        "\(before.email) is excepted from \(before.rule) until \(after.until), not \(before.until)",
        lines: (before.location.line, after.location.line))
    }
    for after in new.exceptions where !old.exceptions.contains(where: { same($0, after) }) {
      changes.add(
        "exceptions.\(after.rule)", .weaker, "\(after.email) is excepted from \(after.rule) until \(after.until)",
        lines: (nil, after.location.line))
    }
  }
}
