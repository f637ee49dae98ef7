import GatehousePolicy

/// The directory, administrators, attestation, limits, looks and exceptions.
extension SectionDiff {
  func limits() {
    for name in Limits.Name.allCases {
      changes.compare("limits.\(name.rawValue)", old.limits[name], new.limits[name], { $0?.description ?? "nothing" }) {
        limit($0, $1)
      }
    }
  }

  func theme() {
    changes.compare("theme.logo", old.theme.logo, new.theme.logo, Self.shown, Self.looks)
    changes.compare("theme.primary", old.theme.primary, new.theme.primary, Self.shown, Self.looks)
    changes.compare("theme.dark_mode", old.theme.darkMode, new.theme.darkMode, \.rawValue, Self.looks)
  }

  func messages() {
    for code in Messages.Code.allCases {
      changes.compare(
        "messages.\(code.rawValue)", old.messages.byCode[code], new.messages.byCode[code], { $0?.shown ?? "nothing" },
        Self.looks)
    }
  }

  /// Where a file sets no limit the server has its own, which may be either side of the new one.
  private func limit(_ old: Limit?, _ new: Limit?) -> Relation {
    guard let old, let new else { return .incomparable }
    return Relation.lessIsStricter(old.count, new.count).and(.moreIsStricter(old.window, new.window))
  }

  func directory() {
    guard let before = old.directory, let after = new.directory else {
      if old.directory != nil { changes.add("directory", .stricter, "users can no longer find each other") }
      if let after = new.directory {
        changes.add("directory", .weaker, "users can find each other now, \(after.summary)")
      }
      return
    }
    changes.compare(
      "directory.find_by", before.findBy.map(\.rawValue).sorted(), after.findBy.map(\.rawValue).sorted(), Self.list,
      Relation.fewerIsStricter)
    changes.compare(
      "directory.prefix_of", before.prefixOf.sorted(), after.prefixOf.sorted(), Self.list, Relation.fewerIsStricter)
    changes.compare("directory.limit", before.limit, after.limit, \.description) { limit($0, $1) }
  }

  func admins() {
    guard let before = old.admins, let after = new.admins else {
      if old.admins != nil { changes.add("admins", .stricter, "no user administers the tenant any more") }
      if new.admins != nil { changes.add("admins", .weaker, "users can administer the tenant now") }
      return
    }
    changes.compare(
      "admins.may", before.may.map(\.rawValue).sorted(), after.may.map(\.rawValue).sorted(), Self.list,
      Relation.fewerIsStricter)
    // Every condition has to hold, so more conditions make fewer administrators.
    changes.compare("admins.when", conditions(before), conditions(after), Self.list) {
      Relation.fewerIsStricter($1, $0)
    }
  }

  func attest() {
    let (before, after) = (old.attest, new.attest)
    // Every door that demands it admits less.
    changes.compare("attest.doors", doors(before), doors(after), Self.list) { Relation.fewerIsStricter($1, $0) }
    guard let before, let after else { return }
    let unsure = Relation.incomparable
    changes.compare("attest.ios.team", before.ios.team, after.ios.team, { $0 }) { _, _ in unsure }
    changes.compare("attest.ios.bundle", before.ios.bundle, after.ios.bundle, { $0 }) { _, _ in unsure }
    changes.compare("attest.ios.environment", before.ios.environment, after.ios.environment, \.rawValue) { _, _ in
      unsure
    }
  }

  private func doors(_ attest: Attest?) -> [String] { attest?.doors.map(\.rawValue) ?? [] }

  private func conditions(_ admins: Admins) -> [String] {
    admins.when.map { "\($0.field): \($0.value.shown)" }.sorted()
  }

  func exceptions() {
    let before = lasting(old.exceptions)
    let after = lasting(new.exceptions)
    for (key, one) in before.sorted(by: { $0.value.position < $1.value.position }) {
      let subject = "exceptions.\(one.rule)"
      guard let other = after[key] else {
        changes.add(
          subject, .stricter, "\(one.email) is no longer excepted from \(one.rule)", lines: (one.position.line, nil))
        continue
      }
      let lines: (Int?, Int?) = (one.position.line, other.position.line)
      if one.until != other.until {
        changes.add(
          subject, other.until > one.until ? .weaker : .stricter,
          "\(one.email) is excepted from \(one.rule) until \(other.until), not \(one.until)", lines: lines)
      } else if !one.reason.utf8.elementsEqual(other.reason.utf8) {
        changes.add(
          subject, .neutral, "the exception of \(one.email) from \(one.rule) has another reason", lines: lines)
      }
    }
    for (key, one) in after.sorted(by: { $0.value.position < $1.value.position }) where before[key] == nil {
      changes.add(
        "exceptions.\(one.rule)", .weaker, "\(one.email) is excepted from \(one.rule) until \(one.until)",
        lines: (nil, one.position.line))
    }
  }

  /// By address, as it is compared, and rule: the exception that holds longest.
  private func lasting(_ exceptions: [PolicyException]) -> [[UInt8]: PolicyException] {
    var found: [[UInt8]: PolicyException] = [:]
    for one in exceptions {
      let lower = one.email.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
      let key = lower + [0] + Array(one.rule.utf8)
      if let other = found[key], other.until >= one.until { continue }
      found[key] = one
    }
    return found
  }
}
