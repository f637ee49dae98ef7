import Foundation
import GatehousePolicy

// The requests of each part.
extension DiffCases {
  func emails(_ before: Policy, _ after: Policy) -> [Case]? {
    let (old, new) = (before.identifiers.email, after.identifiers.email)
    let rules = Self.differing(old.rules, in: old.existing, new.rules, in: new.existing)
    guard !rules.contains(where: { $0.failsOpen || $0.hasDomainsBeyondASCII }) else { return nil }
    let ofDomains = rules.contains { if case .domains = $0.parameter { true } else { false } }
    var both = before
    both.identifiers.email.rules += new.rules
    let samples = [before, after].map { ProofSamples($0, at: now, using: Self.source).email }
    var addresses = samples + (ofDomains ? Classes(both).addresses(at: []) : [])
    addresses += (before.exceptions + after.exceptions).map(\.email)
    addresses += ["no address", "w%example.com@" + Self.domain(samples[0])]
    if old.normalize != new.normalize { addresses += samples.map { $0.uppercased() } }
    let local = rules.filter { if case .domains = $0.parameter { false } else { true } }
    var found: [Case] = []
    for address in addresses {
      let context = WitnessContext(normalize: old.normalize, source: Self.source)
      guard let all = examples(local, from: Witness(.email(address), address), in: context) else { return nil }
      for case .email(let text) in all.map(\.value) { found += emailCases(text) }
      guard found.count <= Self.mostExamples * 10 else { return nil }
    }
    return found
  }

  private static func domain(_ email: String) -> String { String(email.drop { $0 != "@" }.dropFirst()) }

  private func emailCases(_ email: String) -> [Case] {
    func made(_ door: Door, _ facts: Facts) -> Case {
      Case(door: door, facts: facts, source: Self.source, words: "\(StatementKeys.name(of: door)) \(email)")
    }
    let person = StoredFacts(email: "someone@example.com", emailVerified: true)
    let provider = ProviderFacts(name: "", email: email, emailVerified: true)
    return [
      made(.signUp, Facts(email: email, password: "Tallgrass-Prairie-2031!")),
      made(.changeEmail, Facts(email: email, stored: person)), made(.resetPassword, Facts(email: email)),
      made(.federatedSignUp, Facts(provider: provider)), made(.link, Facts(provider: provider, stored: person)),
      made(.adminCreate, Facts(email: email, writer: .admin)), made(.invite, Facts(email: email, writer: .admin)),
      made(.import, Facts(email: email, writer: .system)),
      made(.signIn, Facts(stored: StoredFacts(email: email, emailVerified: true))),
    ]
  }

  func passwords(_ before: Policy, _ after: Policy) -> [Case]? {
    let rules = Self.differing(
      before.password.rules, in: before.password.existing, after.password.rules, in: after.password.existing)
    guard !rules.contains(where: \.failsOpen) else { return nil }
    let names = old.profile.fields.map(\.name) + new.profile.fields.map(\.name)
    let context = WitnessContext(fieldNames: names, source: Self.source)
    let texts = Set(
      [before, after].map { ProofSamples($0, at: now, using: PassingFacts(source: Self.source)).password })
    let samples = texts.sorted().map { text in
      Witness(.password(PasswordWitness(text)), "a password of \(text.unicodeScalars.count) characters")
    }
    var witnesses: [Witness] = []
    for sample in samples {
      guard let all = examples(rules, from: sample, in: context) else { return nil }
      witnesses += all
    }
    let emails = Set(["quokka@example.com"] + (before.exceptions + after.exceptions).map(\.email)).sorted()
    guard witnesses.count * emails.count <= Self.mostExamples else { return nil }
    return emails.flatMap { email in witnesses.flatMap { passwordCases($0, email, names) } }
      + emails.map { email in
        Case(
          door: .signIn, facts: Facts(stored: StoredFacts(email: email, mustChangePassword: true)),
          source: Self.source, words: "an account that has to change its password")
      }
  }

  private func passwordCases(_ witness: Witness, _ email: String, _ names: [String]) -> [Case] {
    guard case .password(let password) = witness.value else { return [] }
    let profile = Dictionary(
      Set(names).sorted().enumerated().map { ($1, FieldValue.string("wombat\($0)")) }, uniquingKeysWith: { $1 })
    let text = password.typed(email: email, profile: profile)
    let stored = StoredFacts(email: email, emailVerified: true, profile: profile)
    func made(_ door: Door, _ facts: Facts) -> Case {
      Case(
        door: door, facts: facts, age: password.age, source: Self.source.about(password),
        words: "\(StatementKeys.name(of: door)) with \(witness.name)")
    }
    return [
      made(.signUp, Facts(email: email, password: text, profile: profile)),
      made(.setPassword, Facts(password: text, stored: stored)),
      made(.resetPassword, Facts(password: text, stored: stored)),
      made(.adminCreate, Facts(email: email, password: text, profile: profile, writer: .admin)),
      made(.signIn, Facts(password: text, stored: stored)),
    ]
  }

  func fields(_ name: String, _ before: Policy, _ after: Policy) -> [Case]? {
    let both = [before, after].compactMap { $0.profile.field(name) }
    guard let first = both.first, let last = both.last else { return nil }
    let rules =
      both.count == 2
      ? Self.differing(first.rules, in: first.existing, last.rules, in: last.existing) : last.rules
    // A field with a default has no sample of its own.
    let samples =
      [before, after].compactMap { ProofSamples($0, at: now, using: Self.source).profile[name] }
      + both.map { Samples.value($0) }
    var witnesses: [Witness] = []
    for field in both {
      let context = WitnessContext(field: field, source: Self.source)
      for sample in samples {
        guard let all = examples(rules, from: Witness(.field(sample), sample.shown), in: context) else { return nil }
        witnesses += all
      }
    }
    var values = witnesses.compactMap { witness -> (String, FieldValue)? in
      guard case .field(let value) = witness.value else { return nil }
      return (value.shown.count > 40 ? "(\(witness.name))" : value.shown, value)
    }
    let plain: [FieldValue] = [.null, .string(""), .string("x"), .integer(1), .boolean(true)]
    values += (samples + plain + both.compactMap(\.defaultValue)).map { ($0.shown, $0) }
    if first.trim != last.trim {
      values += values.compactMap { _, value in value.string.map { ("\"  \($0) \"", FieldValue.string("  \($0) ")) } }
    }
    if first.multiline != last.multiline {
      values += values.flatMap { _, value in (value.string.map(Self.broken) ?? []).map { ("of two lines", $0) } }
    }
    var seen: Set<FieldValue> = []
    values = values.filter { seen.insert($0.1).inserted }
    guard values.count <= Self.mostExamples else { return nil }
    let held = samples.first ?? .string("x")
    return self.values(name, values, stored: [name: held]) + self.values(name, values, stored: [:]) + without(name)
  }

  /// The text with a line end inside, as long as it was and one longer.
  private static func broken(_ text: String) -> [FieldValue] {
    let (start, end) = (text.prefix(text.count / 2), text.dropFirst(text.count / 2))
    return [.string("\(start)\n\(end.dropFirst())"), .string("\(start)\n\(end)")]
  }

  /// Requests that bring a value of one field, and accounts that hold it.
  func values(_ name: String, _ values: [(words: String, value: FieldValue)], stored: [String: FieldValue]) -> [Case] {
    let person = StoredFacts(email: "someone@example.com", emailVerified: true, profile: stored)
    return values.flatMap { words, value -> [Case] in
      func made(_ door: Door, _ facts: Facts) -> Case {
        Case(
          door: door, facts: facts, source: Self.source, words: "\(StatementKeys.name(of: door)) with \(name) \(words)")
      }
      let given = [name: value]
      let email = "someone@example.com"
      let provider = ProviderFacts(name: "", email: email, emailVerified: true, profile: given)
      let updates = [
        made(.updateProfile, Facts(profile: given, stored: person)),
        made(.adminUpdate, Facts(profile: given, writer: .admin, stored: person)),
      ]
      guard stored.isEmpty else { return updates }
      let holding = StoredFacts(email: email, emailVerified: true, profile: value == .null ? [:] : given)
      var invited = holding
      invited.enteredBy = .invite
      return updates + [
        made(.signUp, Facts(email: email, password: "Tallgrass-Prairie-2031!", profile: given)),
        made(.federatedSignUp, Facts(provider: provider)),
        made(.federatedSignUp, Facts(profile: given, provider: ProviderFacts(name: "", email: email))),
        made(.adminCreate, Facts(email: email, profile: given, writer: .admin)),
        made(.invite, Facts(email: email, profile: given, writer: .admin)),
        made(.import, Facts(email: email, profile: given, writer: .system)),
        made(.signIn, Facts(stored: holding)), made(.signIn, Facts(stored: invited)),
      ]
    }
  }

  /// Requests that leave the field out.
  private func without(_ name: String) -> [Case] {
    let email = "someone@example.com"
    func made(_ door: Door, _ facts: Facts) -> Case {
      Case(door: door, facts: facts, source: Self.source, words: "\(StatementKeys.name(of: door)) without \(name)")
    }
    return [
      made(.signUp, Facts(email: email, password: "Tallgrass-Prairie-2031!")),
      made(.federatedSignUp, Facts(provider: ProviderFacts(name: "", email: email, emailVerified: true))),
      made(.adminCreate, Facts(email: email, writer: .admin)), made(.invite, Facts(email: email, writer: .admin)),
      made(.import, Facts(email: email, writer: .system)),
      made(.signIn, Facts(stored: StoredFacts(email: email, emailVerified: true))),
      made(.signIn, Facts(stored: StoredFacts(email: email, emailVerified: true, enteredBy: .invite))),
    ]
  }

  /// Accounts that meet every requirement but one, and every one.
  func accesses(_ before: Policy, _ after: Policy) -> [Case]? {
    let needs = Set((before.access.full + after.access.full).map(\.need))
    let providers = Set(needs.compactMap { if case .linked(let name) = $0 { name } else { nil } }).sorted()
    func scopes(_ name: String) -> [String] {
      Set([before, after].compactMap { $0.provider(name) }.flatMap { $0.missingScopes(granted: []) }).sorted()
    }
    var met = StoredFacts(
      email: "someone@example.com", emailVerified: true, phoneVerified: true, factors: ["totp"])
    for name in providers { met.links[name] = scopes(name) }
    var accounts: [(String, StoredFacts)] = [("an account", met)]
    func lacking(_ words: String, _ change: (inout StoredFacts) -> Void) {
      var account = met
      change(&account)
      accounts.append((words, account))
    }
    lacking("an account with an address that is not proven") { $0.emailVerified = false }
    lacking("an account with a number that is not proven") { $0.phoneVerified = false }
    lacking("an account without a second factor") { $0.factors = [] }
    for name in providers {
      lacking("an account without \(name)") { $0.links[name] = nil }
      for scope in scopes(name) {
        lacking("an account that did not grant \(scope) at \(name)") { $0.links[name]?.removeAll { $0 == scope } }
      }
    }
    return accounts.map { words, account in
      Case(door: .signIn, facts: Facts(stored: account), source: Self.source, words: words)
    }
  }
}

extension Rule {
  /// Whether it names a domain whose ASCII form a library knows.
  fileprivate var hasDomainsBeyondASCII: Bool {
    guard case .domains(let patterns) = parameter else { return false }
    return !patterns.allSatisfy { $0.domain.utf8.allSatisfy { $0 < 0x80 } }
  }
}
