import GatehousePolicy

/// The directory, administrators, attestation and exceptions.
extension SectionDiff {
  func directory() {
    guard let before = old.directory, let after = new.directory else {
      if old.directory != nil { changes.add("directory", .stricter, "users can no longer find each other") }
      if let after = new.directory {
        changes.add("directory", .weaker, "users can find each other now, \(after.summary)")
      }
      return
    }
    changes.compare(DirectoryKeys.directory.all, at: "directory", before, after)
  }

  func admins() {
    guard let before = old.admins, let after = new.admins else {
      if old.admins != nil { changes.add("admins", .stricter, "no user administers the tenant any more") }
      if new.admins != nil { changes.add("admins", .weaker, "users can administer the tenant now") }
      return
    }
    changes.compare(AdminKeys.admins.all, at: "admins", before, after)
  }

  /// Without the section no door demands it.
  func attest() {
    guard let ios = (old.attest ?? new.attest)?.ios else { return }
    let none = Attest(ios: ios, doors: [])
    changes.compare(AttestKeys.attest.all, at: "attest", old.attest ?? none, new.attest ?? none)
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
