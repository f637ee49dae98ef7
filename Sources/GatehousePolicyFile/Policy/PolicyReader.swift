import GatehousePolicy

/// Builds the policy from a tree. The shape has been checked; what is read here is what keys mean together. Lenient
/// where the shape already reported, so that one mistake gives one finding.
struct PolicyReader {
  let sink: Diagnostics
  let rules: RuleReader
  let references: References
  let root: Node
  let language: PolicyLanguage

  init(_ root: Node, into sink: Diagnostics, language: PolicyLanguage) {
    self.root = root
    self.sink = sink
    self.language = language
    references = References(sink: sink, root: root)
    rules = RuleReader(sink: sink, references: references)
  }

  /// The policy as far as it can be read; only of use when the sink has no errors.
  func policy() -> Policy {
    let profile = profile(root["profile"])
    var policy = Policy(
      tenant: root["tenant"]?.text ?? "", app: AppKeys.app.read(root["app"], over: App(name: "")),
      identifiers: identifiers(root["identifiers"]),
      password: password(root.entry("password"), profile), profile: profile,
      verification: verification(root["verification"]?["email"]))
    if let entry = root.entry("providers") { providers(entry, of: &policy) }
    policy.access = AccessPolicy(full: requirements(root["access"]?["full"]?["requires"], policy))
    policy.sessions = sessions(root["sessions"])
    policy.presence = LimitKeys.presence.read(root["presence"], over: PresencePolicy())
    policy.directory = directory(root.entry("directory"), profile)
    policy.mail = MailPolicy(from: MailKeys.from.read(root["mail"]?["from"], over: MailPolicy.Sender()))
    policy.privacy = LimitKeys.privacy.read(root["privacy"], over: Privacy())
    policy.accounts = LimitKeys.accounts.read(root["accounts"], over: AccountsPolicy())
    policy.mfa = mfa(root.entry("mfa"), policy)
    policy.passkeys = passkeys(root.entry("passkeys"), policy)
    checkFactors(policy)
    policy.admins = admins(root.entry("admins"), profile)
    policy.attest = attest(root.entry("attest"))
    policy.limits = LimitKeys.limits.read(root["limits"], over: Limits())
    policy.theme = LookKeys.theme.read(root["theme"], over: Theme())
    policy.messages = LookKeys.messages.read(root["messages"], over: Messages())
    policy.exceptions = exceptions(root["exceptions"], policy)
    return policy
  }

  private func providers(_ entry: Node.Entry, of policy: inout Policy) {
    guard let written = entry.value.map else { return }
    policy.providersPosition = entry.position
    policy.providers = meant(written).map { provider($0, policy.profile) }
    guard
      language < .passwordByName,  // GUARD: stored: keeps its password door
      !policy.hasPassword
    else { return }
    policy.keepsPasswordDoor = true
    policy.providers.append(Provider(name: "password", use: .signIn, position: entry.position))
  }

  private func identifiers(_ node: Node?) -> Identifiers {
    PolicyKeys.signIn.read(node, over: Identifiers(email: email(node?.entry("email"))))
  }

  private func email(_ entry: Node.Entry?) -> EmailPolicy {
    guard let entry else { return EmailPolicy() }
    let node = entry.value
    let section = rules.section(node)
    let silent = EmailPolicy(
      rules: rules.settings(node, at: .email, prefix: "email", section: section),
      existing: section.existing ?? .atNextChange, message: section.message, sentence: section.sentence,
      doors: section.doors, position: entry.position)
    let email = PolicyKeys.normalize.read(node, over: silent)
    rules.checkDoors(
      email.rules, implied: section.doors, at: .email, what: "identifiers.email",
      isWhole: !sink.hasErrors(in: entry.range), range: node.entry("doors")?.keyRange ?? entry.keyRange)
    return email
  }

  private func password(_ entry: Node.Entry?, _ profile: ProfilePolicy) -> PasswordPolicy {
    guard let entry else { return PasswordPolicy(rules: []) }
    let node = entry.value
    var found: [Rule] = []
    if let bound = node.entry("max_length") {
      found += rules.setting(bound, .maxLength, at: .password, prefix: "password", section: .init())
    }
    var lines = Dictionary(found.map { (Array($0.id.utf8), $0.position.line) }, uniquingKeysWith: { first, _ in first })
    for node in node["rules"]?.list ?? [] {
      guard let rule = rules.passwordRule(node) else { continue }
      noteComparison()
      if let first = lines[Array(rule.id.utf8)] {
        sink.error(
          .duplicateRuleID, "rule id \(quoted(rule.id)) is used twice", at: node["id"]?.range ?? node.range,
          notes: [.init("it was first used on line \(first)", line: first)])
      } else {
        lines[Array(rule.id.utf8)] = rule.position.line
      }
      found.append(rule)
      rules.checkSubjects(node["not_containing"], profile)
    }
    let silent = PasswordPolicy(
      existing: node["existing"]?.word() ?? .atNextChange, rules: found, position: entry.position)
    let policy = PolicyKeys.typing.read(node, over: silent)
    rules.checkDoors(
      found, implied: nil, at: .password, what: "password", isWhole: !sink.hasErrors(in: entry.range),
      range: entry.keyRange)
    return policy
  }

  private func exceptions(_ node: Node?, _ policy: Policy) -> [PolicyException] {
    // No exception lets an address off a second factor.
    let ids = policy.ruleIDs.filter { id in !policy.demands.contains { $0.id == id } }
    let known = Set(ids.map { Array($0.utf8) })
    return (node?.list ?? []).compactMap { node in
      guard let email = node["email"]?.text, let rule = node["rule"]?.text, let until = node["until"]?.day else {
        return nil
      }
      noteComparison()
      if !known.contains(Array(rule.utf8)) {
        references.unknownRule(
          rule, code: .unknownRule, "no rule \(quoted(rule))", at: node["rule"]?.range ?? node.range, among: ids)
      }
      return PolicyException(
        email: email, rule: rule, until: until, reason: node["reason"]?.text ?? "", position: node.position)
    }
  }
}

/// Notes that help to find the right word.
enum Notes {
  /// `did you mean …?`, and what there is where that is a short list.
  static func near(_ word: String, _ candidates: [String]) -> [Diagnostic.Note] {
    var notes: [Diagnostic.Note] = []
    if let near = Suggestion.nearest(to: word, among: candidates) {
      notes.append(.init("did you mean \(quoted(near))?"))
    }
    if !candidates.isEmpty, candidates.count <= 40 {
      notes.append(.init("allowed: \(candidates.joined(separator: ", "))"))
    }
    return notes
  }
}

extension Node {
  /// The place as the policy keeps it.
  var position: SourcePosition { SourcePosition(line: range.start.line, column: range.start.column) }
}

extension Node.Entry {
  /// The place of the key.
  var position: SourcePosition { SourcePosition(line: keyRange.start.line, column: keyRange.start.column) }
}
