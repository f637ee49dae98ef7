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
  static func declaredDiff(_ old: PolicyFile, _ new: PolicyFile) -> [PolicyChange] {
    let changes = Changes(old: old, new: new)
    let sections = SectionDiff(changes: changes, old: old.policy, new: new.policy)
    sections.compare(["schema", "tenant", "app"], sections.app)
    sections.compare(["identifiers"], sections.email)
    sections.compare(["password"], sections.password)
    sections.compare(["profile"], sections.profile)
    sections.compare(["verification"], sections.verification)
    sections.compare(["access"], sections.access)
    sections.compare(["providers"], sections.providers)
    sections.compare(["sessions"], sections.sessions)
    sections.compare(["presence"], sections.presence)
    sections.compare(["directory"], sections.directory)
    sections.compare(["mail"], sections.mail)
    sections.compare(["privacy"], sections.privacy)
    sections.compare(["admins"], sections.admins)
    sections.compare(["attest"], sections.attest)
    sections.compare(["limits"], sections.limits)
    sections.compare(["theme"], sections.theme)
    sections.compare(["messages"], sections.messages)
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

  func app() {
    changes.compare("tenant", old.tenant, new.tenant, { $0 }, Relation.equalOrIncomparable)
    let (before, after) = (old.app, new.app)
    changes.compare("app.name", before.name, after.name, { $0 }, Self.looks)
    changes.compare("app.support_email", before.supportEmail, after.supportEmail, Self.shown, Self.looks)
    changes.compare("app.locales", before.locales, after.locales, Self.list, Self.looks)
    changes.compare("app.base_url", before.baseURL, after.baseURL, Self.shown, Relation.equalOrIncomparable)
    changes.compare("app.audience", before.audience, after.audience, Self.shown, Relation.equalOrIncomparable)
    changes.compare("app.open_app", before.openApp, after.openApp, Self.shown, Relation.equalOrIncomparable)
    changes.compare("app.bundle_ids", before.bundleIDs, after.bundleIDs, Self.list, Relation.fewerIsStricter)
    changes.compare("app.origins", before.origins, after.origins, Self.list, Relation.fewerIsStricter)
    changes.compare("app.continue", before.continueTargets, after.continueTargets, Self.list, Relation.fewerIsStricter)
  }

  func email() {
    let (before, after) = (old.identifiers.email, new.identifiers.email)
    changes.compare(
      "identifiers.sign_in_with", old.identifiers.signInWith.map(\.rawValue),
      new.identifiers.signInWith.map(\.rawValue),
      Self.list, Relation.fewerIsStricter)
    changes.compare(
      "identifiers.email.normalize", before.normalize, after.normalize, \.rawValue, Relation.equalOrIncomparable)
    rules.compare(
      [before.requiredRule, before.syntaxRule] + before.rules, in: before.existing,
      [after.requiredRule, after.syntaxRule] + after.rules, in: after.existing)
  }

  func password() {
    rules.compare(
      [old.password.requiredRule] + old.password.rules, in: old.password.existing,
      [new.password.requiredRule] + new.password.rules, in: new.password.existing)
    order("password.rules", old.password.rules.map(\.id), new.password.rules.map(\.id), "the rules")
  }

  /// Reports another order of the same members, which checklists and answers follow.
  private func order(_ path: String, _ old: [String], _ new: [String], _ what: String) {
    let kept = old.filter(new.contains)
    guard kept != new.filter(old.contains) else { return }
    changes.add(path, .neutral, "\(what) are in another order")
  }

  func profile() {
    changes.compare(
      "profile.unknown_fields", old.profile.unknownFields, new.profile.unknownFields, \.rawValue
    ) { Relation.laterIsStricter([.ignore, .reject], $0, $1) }
    let fields = FieldDiff(changes: changes, rules: rules, unknown: old.profile.unknownFields)
    for field in old.profile.fields {
      if let other = new.profile.field(field.name) { fields.compare(field, other) } else { fields.removed(field) }
    }
    for field in new.profile.fields where old.profile.field(field.name) == nil { fields.added(field) }
  }

  func verification() {
    let (before, after) = (old.verification.email, new.verification.email)
    let path = "verification.email."
    changes.compare(path + "method", before.method, after.method, \.rawValue, Relation.equalOrIncomparable)
    changes.compare(path + "confirm", before.confirm, after.confirm, \.rawValue) {
      Relation.laterIsStricter([.click, .account], $0, $1)
    }
    changes.compare(path + "link_ttl", before.linkTTL, after.linkTTL, Seconds.text, Relation.lessIsStricter)
    changes.compare(path + "code_ttl", before.codeTTL, after.codeTTL, Seconds.text, Relation.lessIsStricter)
    changes.compare(
      path + "on_sign_up", before.onSignUp, after.onSignUp, \.description, Relation.equalOrIncomparable)
    changes.compare(
      path + "resend_cooldown", before.resendCooldown, after.resendCooldown, Seconds.text, Relation.moreIsStricter)
    changes.compare(
      path + "max_sends_per_day", before.maxSendsPerDay, after.maxSendsPerDay, \.description, Relation.lessIsStricter)
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
    order("access.full.requires", old.access.full.map(\.id), new.access.full.map(\.id), "the requirements")
  }

  func sessions() {
    let (before, after) = (old.sessions, new.sessions)
    let less = Relation.lessIsStricter
    changes.compare("sessions.access_token_ttl", before.accessTokenTTL, after.accessTokenTTL, Seconds.text, less)
    changes.compare("sessions.refresh_idle_ttl", before.refreshIdleTTL, after.refreshIdleTTL, Seconds.text, less)
    changes.compare("sessions.refresh_max_ttl", before.refreshMaxTTL, after.refreshMaxTTL, Seconds.text, less)
    changes.compare("sessions.page_idle_ttl", before.pageIdleTTL, after.pageIdleTTL, Seconds.text, less)
    changes.compare("sessions.page_max_ttl", before.pageMaxTTL, after.pageMaxTTL, Seconds.text, less)
    changes.compare("sessions.reuse_grace", before.reuseGrace, after.reuseGrace, Seconds.text, less)
    changes.compare("sessions.max_per_user", before.maxPerUser, after.maxPerUser, \.description, less)
    changes.compare(
      "sessions.new_device_notice", before.newDeviceNotice, after.newDeviceNotice, \.description
    ) { Relation.laterIsStricter([false, true], $0, $1) }
  }

  func presence() {
    let (before, after) = (old.presence, new.presence)
    changes.compare("presence.idle", before.idle, after.idle, Seconds.text, Self.looks)
    changes.compare("presence.visible_to", before.visibleTo, after.visibleTo, \.rawValue) {
      Relation.laterIsStricter([.users, .`self`], $0, $1)
    }
  }

  func privacy() {
    changes.compare("privacy.account_exists", old.privacy.accountExists, new.privacy.accountExists, \.rawValue) {
      Relation.laterIsStricter([.reveal, .hide], $0, $1)
    }
  }

  static func looks<Value: Equatable>(_ old: Value, _ new: Value) -> Relation { .neutral }

  static func shown(_ text: String?) -> String { text ?? "nothing" }

  static func list(_ texts: [String]) -> String { "[" + texts.joined(separator: ", ") + "]" }
}
