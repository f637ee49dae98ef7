import GatehousePolicy

/// Builds the policy from a tree. The shape has been checked; what is read here is what keys mean together. Lenient
/// where the shape already reported, so that one mistake gives one finding.
struct PolicyReader {
  let sink: Diagnostics
  let rules: RuleReader
  let references: References
  let root: Node
  private let language: PolicyLanguage

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
      tenant: root["tenant"]?.text ?? "", app: app(root["app"]), identifiers: identifiers(root["identifiers"]),
      password: password(root.entry("password"), profile), profile: profile,
      verification: verification(root["verification"]?["email"]))
    if let entry = root.entry("providers") { providers(entry, of: &policy) }
    policy.access = AccessPolicy(full: requirements(root["access"]?["full"]?["requires"], policy))
    policy.sessions = sessions(root["sessions"])
    policy.presence = presence(root["presence"])
    policy.directory = directory(root.entry("directory"), profile)
    policy.mail = mail(root["mail"])
    policy.privacy = Privacy(accountExists: root["privacy"]?["account_exists"]?.word() ?? .hide)
    policy.admins = admins(root.entry("admins"), profile)
    policy.attest = attest(root.entry("attest"))
    policy.limits = limits(root["limits"])
    policy.theme = theme(root["theme"])
    policy.messages = messages(root["messages"])
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

  private func app(_ node: Node?) -> App {
    App(
      name: node?["name"]?.text ?? "", supportEmail: node?["support_email"]?.text,
      locales: node?["locales"]?.texts ?? ["en"], baseURL: node?["base_url"]?.text, audience: node?["audience"]?.text,
      bundleIDs: node?["bundle_ids"]?.texts ?? [], origins: node?["origins"]?.texts ?? [],
      continueTargets: node?["continue"]?.texts ?? [], openApp: node?["open_app"]?.text)
  }

  private func identifiers(_ node: Node?) -> Identifiers {
    let signIn = node?["sign_in_with"]?.list?.compactMap { $0.word(Identifiers.SignInWith.self) }
    return Identifiers(signInWith: signIn ?? [.email], email: email(node?.entry("email")))
  }

  private func email(_ entry: Node.Entry?) -> EmailPolicy {
    guard let entry else { return EmailPolicy() }
    let node = entry.value
    let section = rules.section(node)
    let email = EmailPolicy(
      normalize: node["normalize"]?.word() ?? .lowercase,
      rules: rules.settings(node, at: .email, prefix: "email", section: section),
      existing: section.existing ?? .atNextChange, message: section.message, sentence: section.sentence,
      doors: section.doors, position: entry.position)
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
    let policy = PasswordPolicy(
      existing: node["existing"]?.word() ?? .atNextChange, rules: found, position: entry.position)
    rules.checkDoors(
      found, implied: nil, at: .password, what: "password", isWhole: !sink.hasErrors(in: entry.range),
      range: entry.keyRange)
    return policy
  }

  private func verification(_ node: Node?) -> Verification {
    var email = EmailVerification()
    guard let node else { return Verification(email: email) }
    email.method = node["method"]?.word() ?? email.method
    email.confirm = node["confirm"]?.word() ?? email.confirm
    email.linkTTL = ceiling(node["link_ttl"], Bounds.linkCeiling, "a link that opens an account") ?? email.linkTTL
    email.codeTTL = ceiling(node["code_ttl"], Bounds.codeCeiling, "a six-digit code") ?? email.codeTTL
    email.onSignUp = node["on_sign_up"]?.truth ?? email.onSignUp
    email.resendCooldown = node["resend_cooldown"]?.seconds ?? email.resendCooldown
    email.maxSendsPerDay = node["max_sends_per_day"]?.integer ?? email.maxSendsPerDay
    return Verification(email: email)
  }

  private func ceiling(_ node: Node?, _ most: Int64, _ what: String) -> Int64? {
    guard let node, let seconds = node.seconds else { return nil }
    if seconds > most {
      sink.error(
        .aboveCeiling,
        "\(what) may live at most \(most == Bounds.linkCeiling ? "24h" : Seconds.text(most)), not \(node.text ?? "")",
        at: node.range,
        notes: [.init("NIST SP 800-63B, OWASP ASVS 6.5: a link or code that opens an account must be short-lived")])
    }
    return seconds
  }

  private func sessions(_ node: Node?) -> Sessions {
    var sessions = Sessions()
    guard let node else { return sessions }
    sessions.accessTokenTTL = node["access_token_ttl"]?.seconds ?? sessions.accessTokenTTL
    sessions.refreshIdleTTL = node["refresh_idle_ttl"]?.seconds ?? sessions.refreshIdleTTL
    sessions.refreshMaxTTL = node["refresh_max_ttl"]?.seconds ?? max(sessions.refreshMaxTTL, sessions.refreshIdleTTL)
    sessions.pageIdleTTL = node["page_idle_ttl"]?.seconds ?? sessions.pageIdleTTL
    sessions.pageMaxTTL = node["page_max_ttl"]?.seconds ?? max(sessions.pageMaxTTL, sessions.pageIdleTTL)
    sessions.reuseGrace = node["reuse_grace"]?.seconds ?? sessions.reuseGrace
    sessions.maxPerUser = node["max_per_user"]?.integer ?? sessions.maxPerUser
    sessions.newDeviceNotice = node["new_device_notice"]?.truth ?? sessions.newDeviceNotice
    guard !sink.hasErrors(in: node.range) else { return sessions }
    if sessions.accessTokenTTL > sessions.refreshIdleTTL {
      lifetimes(node, "access_token_ttl", sessions.accessTokenTTL, "refresh_idle_ttl", sessions.refreshIdleTTL)
    }
    if sessions.refreshIdleTTL > sessions.refreshMaxTTL {
      lifetimes(node, "refresh_idle_ttl", sessions.refreshIdleTTL, "refresh_max_ttl", sessions.refreshMaxTTL)
    }
    if sessions.pageIdleTTL > sessions.pageMaxTTL {
      lifetimes(node, "page_idle_ttl", sessions.pageIdleTTL, "page_max_ttl", sessions.pageMaxTTL)
    }
    return sessions
  }

  private func lifetimes(_ node: Node, _ short: String, _ shorter: Int64, _ long: String, _ longer: Int64) {
    sink.error(
      .lifetimesDisagree,
      "\(short) (\(Seconds.text(shorter))) is longer than \(long) (\(Seconds.text(longer)))",
      at: node[short]?.range ?? node[long]?.range ?? node.range)
  }

  private func presence(_ node: Node?) -> PresencePolicy {
    let silent = PresencePolicy()
    return PresencePolicy(
      idle: node?["idle"]?.seconds ?? silent.idle, visibleTo: node?["visible_to"]?.word() ?? silent.visibleTo)
  }

  private func limits(_ node: Node?) -> Limits {
    var limits: [Limits.Name: Limit] = [:]
    for entry in node?.map ?? [] {
      guard let name = Limits.Name(rawValue: entry.key), let limit = entry.value.limit else { continue }
      limits[name] = limit
    }
    return Limits(limits)
  }

  private func theme(_ node: Node?) -> Theme {
    Theme(logo: node?["logo"]?.text, primary: node?["primary"]?.text, darkMode: node?["dark_mode"]?.word() ?? .auto)
  }

  private func messages(_ node: Node?) -> Messages {
    var texts: [Messages.Code: Texts] = [:]
    for entry in node?.map ?? [] {
      guard let code = Messages.Code(rawValue: entry.key), let text = rules.texts(entry.value) else { continue }
      texts[code] = text
    }
    return Messages(texts)
  }

  private func exceptions(_ node: Node?, _ policy: Policy) -> [PolicyException] {
    let ids = policy.ruleIDs
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
