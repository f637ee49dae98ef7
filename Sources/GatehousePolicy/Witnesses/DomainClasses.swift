extension RuleClasses {
  /// For each domain of the list: itself, and what is below it and below no longer one of the list; the rest.
  static let domains = RuleClasses { rule, context in
    guard case .domains(let patterns) = rule.parameter else { return [] }
    func example(_ domain: String, _ name: String) -> Witness {
      Witness(.email(context.address.local + "@" + domain), name)
    }
    let domains = patterns.map(\.domain)
    let taken = Set(domains)
    func free(_ name: (Int) -> String) -> String {
      for number in 0... where !taken.contains(name(number)) { return name(number) }
      return name(0)
    }
    let each = domains.flatMap { domain in
      let below = free { ($0 == 0 ? "mail" : "mail\($0)") + "." + domain }
      return [
        example(domain, "an address at \(domain)"), example(below, "an address at a subdomain of \(domain)"),
        example(
          (domain.utf8.contains(UInt8(ascii: ".")) ? "not" : "mail.not") + domain,
          "an address at a look-alike of \(domain)"),
      ]
    }
    // A list may name top-level domains.
    let elsewhere = (0...domains.count).lazy.map { "elsewhere.example" + ($0 == 0 ? "" : "\($0)") }
      .first { each in !domains.contains { each == $0 || each.hasSuffix("." + $0) } }
    return each + (elsewhere.map { [example($0, "an address at none of the domains")] } ?? [])
  } classify: { rule, value, context in
    guard case .domains(let patterns) = rule.parameter, let domain = context.seenAddress(value)?.domain else {
      return nil
    }
    let names = patterns.compactMap { $0.isASCII ? $0.domain : context.source.asciiDomain($0.domain) }
    if names.contains(domain) { return "at \(domain)" }
    return names.filter { domain.hasSuffix("." + $0) }.max { $0.utf8.count < $1.utf8.count }.map { "below \($0)" }
      ?? "elsewhere"
  }
}
