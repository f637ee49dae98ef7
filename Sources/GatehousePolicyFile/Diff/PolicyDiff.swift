package import Foundation
import GatehousePolicy

extension PolicyFile {
  /// The changes for people when `new` takes the place of `old`, in the order of the sections; empty exactly when both
  /// mean the same. Sound: a change called stricter admits nothing new, one called neutral admits the same, and an
  /// unsure one is called incomparable. Every change of trust is marked so, in either direction.
  /// - Parameter now: No earlier day is looked at.
  package static func diff(_ old: PolicyFile, _ new: PolicyFile, now: Date = .distantPast) -> [PolicyChange] {
    ExactDiff(old: old.policy, new: new.policy, now: now).judged(declaredDiff(old, new))
  }

  /// The same by the directions that keys declare, without a request.
  package static func declaredDiff(_ old: PolicyFile, _ new: PolicyFile) -> [PolicyChange] {
    let changes = Changes(old: old, new: new)
    let sections = SectionDiff(changes: changes, old: old.policy, new: new.policy)
    sections.compare(["schema", "tenant", "app"], sections.app)
    sections.compare(["identifiers"], sections.email)
    sections.compare(["password"], sections.password)
    sections.compare(["profile"], sections.profile)
    sections.compare(["verification"]) {
      changes.compare(
        VerificationKeys.email.all, at: "verification.email", old.policy.verification.email,
        new.policy.verification.email)
    }
    sections.compare(["access"], sections.access)
    sections.compare(["providers"], sections.providers)
    sections.compare("sessions", SessionKeys.sessions, \.sessions)
    sections.compare("presence", LimitKeys.presence, \.presence)
    sections.compare(["directory"], sections.directory)
    sections.compare(["mail"]) {
      changes.compare(MailKeys.from.all, at: "mail.from", old.policy.mail.from, new.policy.mail.from)
    }
    sections.compare("privacy", LimitKeys.privacy, \.privacy)
    sections.compare("accounts", LimitKeys.accounts, \.accounts)
    sections.compare(["mfa"], sections.mfa)
    sections.compare(["passkeys"], sections.passkeys)
    sections.compare(["admins"], sections.admins)
    sections.compare(["attest"], sections.attest)
    sections.compare("limits", LimitKeys.limits, \.limits)
    sections.compare("theme", LookKeys.theme, \.theme)
    sections.compare("messages", LookKeys.messages, \.messages)
    sections.compare(["exceptions"], sections.exceptions)
    changes.markTrust(TrustPaths.differing(old.policy, new.policy))
    return changes.found
  }
}

/// Compares two policies section by section.
struct SectionDiff {
  let changes: Changes
  let old: Policy
  let new: Policy

  private var rules: RuleDiff { RuleDiff(changes: changes) }

  /// Compares some sections of the canonical form. A difference without a sentence of its own is reported as
  /// incomparable.
  func compare(_ sections: [String], _ body: () -> Void) {
    let count = changes.found.count
    body()
    guard changes.found.count == count else { return }
    for section in sections where old.canonical(section) != new.canonical(section) {
      changes.add(section, .incomparable, "\(section) changed in a way that cannot be described")
    }
  }

  /// Compares a section that is a table of settings.
  func compare<Section>(_ name: String, _ table: SettingTable<Section>, _ section: KeyPath<Policy, Section>) {
    compare([name]) { changes.compare(table.all, at: name, old[keyPath: section], new[keyPath: section]) }
  }

  func app() {
    changes.compare("tenant", old.tenant, new.tenant, { $0 }, Relation.equalOrIncomparable)
    changes.compare(AppKeys.app.all, at: "app", old.app, new.app)
  }

  func email() {
    let (before, after) = (old.identifiers.email, new.identifiers.email)
    changes.compare(PolicyKeys.signIn.all, at: "identifiers", old.identifiers, new.identifiers)
    changes.compare(PolicyKeys.normalize.all, at: "identifiers.email", before, after)
    rules.compare(
      [before.requiredRule, before.syntaxRule] + before.rules, in: before.existing,
      [after.requiredRule, after.syntaxRule] + after.rules, in: after.existing)
  }

  func password() {
    changes.compare(PolicyKeys.typing.all, at: "password", old.password, new.password)
    rules.compare(
      [old.password.requiredRule] + old.password.rules, in: old.password.existing,
      [new.password.requiredRule] + new.password.rules, in: new.password.existing)
    changes.order("password.rules", old.password.rules.map(\.id), new.password.rules.map(\.id), "the rules")
  }

  func profile() {
    let settings = ProfileKeys.profile.all.filter { $0.key.direction != .decided(by: .fields) }
    changes.compare(settings, at: "profile", old.profile, new.profile)
    let fields = FieldDiff(changes: changes, rules: rules, unknown: old.profile.unknownFields)
    var renamed: Set<String> = []
    for field in old.profile.fields {
      if let other = new.profile.field(field.name) {
        fields.compare(field, other)
      } else if let other = otherName(of: field) {
        fields.renamed(field, other)
        renamed.insert(other.name)
      } else {
        fields.removed(field)
      }
    }
    for field in new.profile.fields where old.profile.field(field.name) == nil && !renamed.contains(field.name) {
      fields.added(field)
    }
  }

  /// The field of the new policy that an old one became, under a new name or under its former one again.
  private func otherName(of field: Field) -> Field? {
    new.profile.fields.first {
      ($0.renamedFrom == field.name || $0.name == field.renamedFrom) && old.profile.field($0.name) == nil
    }
  }

  func access() {
    func binds(_ stage: Enforcement) -> Bool { RuleComparison.stage(Enforcement(.off), stage) == .stricter }
    for before in old.access.full {
      guard let after = new.access.full.first(where: { $0.need == before.need }) else {
        changes.add(
          before.id, binds(before.enforcement) ? .weaker : .neutral, "full access no longer needs \(before.need.text)",
          lines: (before.position.line, nil))
        continue
      }
      guard before.enforcement != after.enforcement else { continue }
      changes.add(
        after.id, RuleComparison.stage(before.enforcement, after.enforcement),
        "\(after.id): enforce: \(rules.shown(before.enforcement)) → \(rules.shown(after.enforcement))",
        lines: (before.position.line, after.position.line))
    }
    for after in new.access.full where !old.access.full.contains(where: { $0.need == after.need }) {
      changes.add(
        after.id, binds(after.enforcement) ? .stricter : .neutral, "full access now needs \(after.need.text)",
        lines: (nil, after.position.line))
    }
    changes.order("access.full.requires", old.access.full.map(\.id), new.access.full.map(\.id), "the requirements")
  }
}

extension Changes {
  /// Reports another order of the same members, which checklists and answers follow.
  func order(_ path: String, _ old: [String], _ new: [String], _ what: String) {
    let kept = old.filter(new.contains)
    guard kept != new.filter(old.contains) else { return }
    add(path, .neutral, "\(what) are in another order")
  }
}
