import GatehousePolicy

/// Rules on passwords, addresses and fields that no value can meet, or that every value meets.
extension Linter {
  func password() {
    let rules = policy.password.rules
    contradiction(rules, .minLength, .maxLength)
    let classes = Set(rules.filter { $0.isOfClass && $0.enforcement.mode != .off }.map(\.parameter))
    if let shortest = bound(rules, .maxLength, smallest: true), Int64(classes.count) > shortest.number {
      warn(
        .impossible, "\(classes.count) character classes do not fit into \(shortest.number) characters",
        shortest.rule.position)
    }
    if let first = rules.first(where: { $0.isOfClass && $0.enforcement.mode == .enforce }) {
      let length = rules.filter { $0.enforcement.mode == .enforce }.compactMap(\.shortest).max()
      if (length ?? 0) < 8 {
        warn(
          .compositionWithoutLength, "character classes without a minimum length of 8", first.position,
          [.init("NIST SP 800-63B prefers length and lists of known passwords")])
      }
    }
  }

  func email() {
    let rules = policy.identifiers.email.rules
    let denied = rules.compactMap(\.deniedDomains).joined()
    let least = bound(rules, .maxLength, smallest: true)
    for rule in rules {
      guard let domains = rule.allowedDomains else { continue }
      for domain in domains { allowed(domain, rule) }
      if !domains.isEmpty, domains.allSatisfy(denied.contains) {
        warn(.impossible, "every allowed domain is also denied", rule.position)
      }
      // One character, the at sign and the domain; a subdomain has at least two characters more.
      let shortest = domains.map { Int64($0.domain.utf8.count) + ($0.subdomainsOnly ? 4 : 2) }.min()
      if let least, let shortest, least.number >= 6, least.number < shortest {
        warn(
          .impossible, "no address at an allowed domain is as short as \(least.number) characters", least.rule.position)
      }
    }
    if let least, least.number < 6 {
      warn(.impossible, "no e-mail address is as short as \(least.number) characters", least.rule.position)
    }
  }

  private func allowed(_ domain: DomainPattern, _ rule: Rule) {
    let setting = file.document.root?["identifiers"]?["email"]?["allowed_domains"]
    let written = (setting?["value"] ?? setting)?.list?.first { node in
      node.text.flatMap { DomainPattern($0) } == domain
    }
    if PublicDomains.suffixes.contains(domain.domain) {
      warn(
        .publicSuffix, "\(quoted(domain.description)) is a public suffix: anyone can register a domain under it",
        at: written, else: rule.position)
    } else if PublicDomains.freeMail.contains(domain.domain) {
      warn(
        .freeMail, "anyone can get an address at \(quoted(domain.domain))", at: written, else: rule.position)
    }
  }

  func field(_ field: Field) {
    contradiction(field.rules, .minLength, .maxLength)
    contradiction(field.rules, .min, .max)
    if let words = field.rules.first(where: { $0.reservedWords != nil }), let reserved = words.reservedWords,
      let all = field.rules.lazy.compactMap(\.values).first,
      all.allSatisfy({ word in reserved.contains { $0.lowercased() == word.lowercased() } })
    {
      warn(.impossible, "every value of \(field.name) is reserved", words.position)
    }
    if field.write == .admin, field.defaultValue == nil,
      let rule = field.rules.first(where: { $0.isRequired && $0.enforcement.mode == .enforce })
    {
      warn(
        .impossible, "\(field.name) is required, but only an administrator may write it, so sign-up always fails",
        rule.position, [.init("give it a default, or leave out required")])
    }
    if field.atSignUp, field.write == .admin {
      let written = file.document.root?["profile"]?["fields"]?[field.name]?.entry("at_sign_up")
      warn(
        .notAskedAtSignUp, "sign-up does not ask for \(field.name): only an administrator may write it",
        written?.position ?? field.position, [.init("leave out at_sign_up, or give the field write: user")])
    }
    if field.type == .string, field.unique != nil,
      !field.rules.contains(where: { $0.namesCharacters && $0.enforcement.mode == .enforce })
    {
      warn(
        .uniqueWithoutCharset, "values of \(field.name) can look the same and be two: it is unique and has no charset",
        at: file.document.root?["profile"]?["fields"]?[field.name]?["unique"], else: field.position)
    }
    // By its length alone a number of the United States is told from others, and from no other region's.
    if field.type == .phone, field.phoneCheck == .length, (field.region ?? "US") == "US",
      let rule = field.rules.first(where: { $0.regions != nil && $0.enforcement.mode != .off }),
      let regions = rule.regions, !regions.contains("US")
    {
      warn(.impossible, "with check: length every number of \(field.name) belongs to US", rule.position)
    }
  }

  /// Rules that another enforced rule makes pointless.
  func redundant() {
    let email = policy.identifiers.email
    redundant(email.rules, in: email.existing)
    redundant(policy.password.rules, in: policy.password.existing)
    for field in policy.profile.fields { redundant(field.rules, in: field.existing) }
  }

  private func redundant(_ rules: [Rule], in section: Existing) {
    let written = rules.map { EffectiveRule($0, in: section) }
    for (index, one) in written.enumerated() where one.rule.enforcement.mode == .enforce {
      let other = written.enumerated().first { place, other in
        guard place != index, other.rule.enforcement.mode == .enforce, bindsEveryUser(other.rule) else { return false }
        let relation = one.relation(to: other)
        return relation == .stricter || (relation == .neutral && place < index)
      }
      guard let other = other?.element.rule, one.rule.position != other.position else { continue }
      warn(
        .redundantRule, "\(one.rule.id) has no effect: \(other.id) (line \(other.position.line)) requires as much",
        one.rule.position)
    }
  }

  private func bindsEveryUser(_ rule: Rule) -> Bool {
    !policy.exceptions.contains { $0.rule.utf8.elementsEqual(rule.id.utf8) }
  }
}
