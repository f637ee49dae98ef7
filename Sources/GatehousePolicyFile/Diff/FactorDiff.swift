import GatehousePolicy

/// Second factors and passkeys.
extension SectionDiff {
  func mfa() {
    if let before = old.mfa, let after = new.mfa {
      changes.compare(MFAKeys.mfa.all.filter { $0.key.direction != .decided(by: .demands) }, at: "mfa", before, after)
    } else if old.mfa != nil {
      changes.add("mfa", .weaker, "people can add no second factor any more")
    } else if let after = new.mfa {
      // Without the section no user is asked for more than what the account has.
      changes.add(
        "mfa", .stricter,
        "people can add second factors now: \(after.factors.map(\.rawValue).joined(separator: ", "))")
    }
    demands()
  }

  func passkeys() {
    if let before = old.passkeys, let after = new.passkeys {
      changes.compare(PasskeyKeys.passkeys.all, at: "passkeys", before, after)
    } else if let before = old.passkeys {
      // A passkey that the section refused is refused no more.
      changes.add(
        "passkeys", before.refusesSome ? .incomparable : .stricter, "people can add no passkey any more")
    } else if let after = new.passkeys {
      changes.add(
        "passkeys", after.refusesSome ? .incomparable : .weaker,
        "people can add passkeys now: \(after.use.map(\.rawValue).joined(separator: ", "))")
    }
  }

  private func demands() {
    func binds(_ stage: Enforcement) -> Bool { RuleComparison.stage(Enforcement(.off), stage) == .stricter }
    for before in old.demands {
      guard let after = new.demands.first(where: { $0.id == before.id }) else {
        changes.add(
          before.id, binds(before.enforcement) ? .weaker : .neutral,
          "\(before.id): no second factor is demanded of \(before.people) any more", lines: (before.position.line, nil))
        continue
      }
      compare(before, after)
    }
    for after in new.demands where !old.demands.contains(where: { $0.id == after.id }) {
      changes.add(
        after.id, binds(after.enforcement) ? .stricter : .neutral,
        "\(after.id): a second factor is demanded of \(after.people) now\(suffix(after))",
        lines: (nil, after.position.line))
    }
    changes.order("mfa.required_if", old.demands.map(\.id), new.demands.map(\.id), "the demands")
  }

  private func compare(_ before: MFA.Demand, _ after: MFA.Demand) {
    let lines: (Int?, Int?) = (before.position.line, after.position.line)
    if before.people != after.people {
      // Every condition has to hold, so that a demand with more of them is about fewer people.
      let relation = Relation.fewerIsStricter(conditions(before), conditions(after))
      changes.add(after.id, relation, "\(after.id): of \(before.people) → of \(after.people)", lines: lines)
    }
    if before.level != after.level {
      changes.add(
        after.id, after.level > before.level ? .stricter : .weaker,
        "\(after.id): level: \(before.level.rawValue) → \(after.level.rawValue)", lines: lines)
    }
    if before.enforcement != after.enforcement {
      let shown = { RuleDiff(changes: changes).shown($0) }
      changes.add(
        after.id, RuleComparison.stage(before.enforcement, after.enforcement),
        "\(after.id): enforce: \(shown(before.enforcement)) → \(shown(after.enforcement))", lines: lines)
    }
  }

  private func conditions(_ demand: MFA.Demand) -> [String] {
    demand.when.map { "\($0.field): \($0.value.shown)" }.sorted()
  }

  private func suffix(_ demand: MFA.Demand) -> String {
    demand.enforcement.mode == .enforce ? "" : " (\(RuleDiff(changes: changes).shown(demand.enforcement)))"
  }
}

extension Passkeys {
  /// Whether it refuses passkeys that a policy without the section takes.
  fileprivate var refusesSome: Bool { attestation == .direct || !synced || counter == .refuse }
}
