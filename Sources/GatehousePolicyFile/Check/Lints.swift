import Foundation
import GatehousePolicy

/// Things a policy may say and probably should not. Each has a line; none refuses the file unless strict.
enum Lints {
  static func run(_ file: PolicyFile, now: Date, into sink: Diagnostics) {
    let lints = Linter(file: file, now: now, sink: sink)
    lints.password()
    lints.email()
    for field in file.policy.profile.fields { lints.field(field) }
    lints.stages()
    lints.doors()
    lints.signIn()
    if file.tests.isEmpty {
      sink.warning(.noTests, "the file has no tests", at: .top)
    }
  }
}

private struct Linter {
  let file: PolicyFile
  let now: Date
  let sink: Diagnostics

  private var policy: Policy { file.policy }

  private func warn(_ code: DiagnosticCode, _ message: String, _ place: Location, _ notes: [Diagnostic.Note] = []) {
    let mark = Mark(line: max(1, place.line), column: max(1, place.column))
    let end = Mark(line: mark.line, column: mark.column + 1)
    sink.warning(code, message, at: SourceRange(mark, end), notes: notes)
  }

  private func number(_ rule: Rule) -> Int64? {
    if case .integer(let number) = rule.parameter { number } else { nil }
  }

  /// The tightest bound among rules of a kind that are on.
  private func bound(_ rules: [Rule], _ kind: RuleKind, smallest: Bool) -> Bound? {
    // A plain loop: the optimiser of Swift 6.3.1 crashes on a filter and a minimum over pairs here.
    var found: Bound?
    for rule in rules where rule.kind == kind && rule.enforcement.mode != .off {
      guard let number = number(rule) else { continue }
      if let kept = found, smallest ? kept.number <= number : kept.number >= number { continue }
      found = Bound(rule: rule, number: number)
    }
    return found
  }

  private struct Bound {
    let rule: Rule
    let number: Int64
  }

  private func contradiction(_ rules: [Rule], _ lower: RuleKind, _ upper: RuleKind) {
    guard let low = bound(rules, lower, smallest: false), let high = bound(rules, upper, smallest: true),
      low.number > high.number
    else { return }
    let place = max(low.rule.location, high.rule.location)
    warn(
      .contradiction, "\(low.rule.id) asks for at least \(low.number), \(high.rule.id) for at most \(high.number)",
      place,
      [.init("no value satisfies both (lines \(low.rule.location.line) and \(high.rule.location.line))")])
  }

  func password() {
    let rules = policy.password.rules
    contradiction(rules, .minLength, .maxLength)
    let classes = Set(rules.filter { $0.kind == .require && $0.enforcement.mode != .off }.map(\.parameter))
    if let shortest = bound(rules, .maxLength, smallest: true), Int64(classes.count) > shortest.number {
      warn(
        .impossible, "\(classes.count) character classes do not fit into \(shortest.number) characters",
        shortest.rule.location)
    }
    if let first = rules.first(where: { $0.kind == .require && $0.enforcement.mode == .enforce }) {
      let length = rules.filter { $0.kind == .minLength && $0.enforcement.mode == .enforce }.compactMap(number).max()
      if (length ?? 0) < 8 {
        warn(
          .compositionWithoutLength, "character classes without a minimum length of 8", first.location,
          [.init("NIST SP 800-63B prefers length and lists of known passwords")])
      }
    }
  }

  func email() {
    let rules = policy.identifiers.email.rules
    var denied: [DomainPattern] = []
    for rule in rules where rule.kind == .deniedDomains {
      if case .domains(let domains) = rule.parameter { denied += domains }
    }
    for rule in rules where rule.kind == .allowedDomains {
      guard case .domains(let domains) = rule.parameter else { continue }
      for domain in domains {
        if PublicDomains.suffixes.contains(domain.domain) {
          warn(
            .publicSuffix, "\(quoted(domain.description)) is a public suffix: anybody can register under it",
            rule.location)
        } else if PublicDomains.freeMail.contains(domain.domain) {
          warn(.freeMail, "anybody can get an address at \(quoted(domain.domain))", rule.location)
        }
      }
      if !domains.isEmpty, domains.allSatisfy(denied.contains) {
        warn(.impossible, "every allowed domain is also denied", rule.location)
      }
    }
    if let least = bound(rules, .maxLength, smallest: true), least.number < 6 {
      warn(.impossible, "no e-mail address is as short as \(least.number) characters", least.rule.location)
    }
  }

  func field(_ field: Field) {
    contradiction(field.rules, .minLength, .maxLength)
    contradiction(field.rules, .min, .max)
    if let words = field.rules.first(where: { $0.kind == .reserved }), case .texts(let reserved) = words.parameter,
      let values = field.rules.first(where: { $0.kind == .values }), case .texts(let all) = values.parameter,
      all.allSatisfy({ word in reserved.contains { $0.lowercased() == word.lowercased() } })
    {
      warn(.impossible, "every value of \(field.name) is reserved", words.location)
    }
    if field.write == .admin, field.defaultValue == nil,
      let rule = field.rules.first(where: { $0.kind == .required && $0.enforcement.mode == .enforce })
    {
      warn(
        .impossible, "\(field.name) is required, but only an administrator may write it, so nobody can sign up",
        rule.location, [.init("give it a default, or leave out required")])
    }
  }

  func stages() {
    let rules = policy.allRules.map { ($0.id, $0.enforcement, $0.location) }
    let requirements = policy.access.full.map { ($0.id, $0.enforcement, $0.location) }
    for (id, enforcement, place) in rules + requirements where enforcement.mode == .warn {
      if let from = enforcement.from {
        guard from.start <= now else { continue }
        warn(
          .pastStage, "\(id) enforces since \(from)", place,
          [.init("write enforce: enforce and remove the date; nothing changes by it")])
      } else {
        warn(
          .warnWithoutDate, "\(id) only warns, and no date says until when", place,
          [.init("add enforce_from: YYYY-MM-DD")])
      }
    }
  }

  func doors() {
    for rule in policy.allRules where rule.enforcement.mode == .enforce {
      let open = rule.kind.defaultDoors(at: rule.place).doors.filter { $0 != .signIn && !rule.doors.contains($0) }
      guard !open.isEmpty else { continue }
      warn(.openDoor, "\(rule.id) does not guard \(open.map(\.rawValue).joined(separator: ", "))", rule.location)
    }
  }

  func signIn() {
    guard !policy.providers.contains(where: { $0.use == .signIn }), let first = policy.providers.first else { return }
    warn(.impossible, "no provider is for sign-in, so nobody can sign in", first.location)
  }
}

/// Small built-in sets for lints. Not complete, and never used to decide anything.
enum PublicDomains {
  static let suffixes: Set<String> = [
    "com", "net", "org", "edu", "gov", "mil", "int", "info", "biz", "io", "co", "me", "app", "dev", "ai", "de", "uk",
    "fr", "es", "it", "nl", "be", "ch", "at", "eu", "us", "ca", "mx", "br", "ar", "au", "nz", "jp", "cn", "kr", "in",
    "ru", "pl", "se", "no", "fi", "dk", "ie", "pt", "cz", "gr", "tr", "za", "co.uk", "ac.uk", "org.uk", "gov.uk",
    "com.au", "edu.au", "co.nz", "ac.nz", "co.jp", "ac.jp", "com.br", "edu.br", "com.mx", "edu.mx", "co.in", "ac.in",
    "com.cn", "edu.cn", "co.kr", "ac.kr", "co.za", "ac.za", "com.tr", "edu.tr", "github.io", "gitlab.io",
    "herokuapp.com", "pages.dev", "workers.dev", "vercel.app", "netlify.app", "web.app", "firebaseapp.com",
    "blogspot.com", "azurewebsites.net", "cloudfront.net", "s3.amazonaws.com",
  ]

  static let freeMail: Set<String> = [
    "gmail.com", "googlemail.com", "outlook.com", "hotmail.com", "live.com", "msn.com", "yahoo.com", "ymail.com",
    "rocketmail.com", "icloud.com", "me.com", "mac.com", "aol.com", "proton.me", "protonmail.com", "pm.me", "gmx.com",
    "gmx.de", "gmx.net", "web.de", "t-online.de", "mail.com", "mail.ru", "yandex.com", "yandex.ru", "zoho.com",
    "fastmail.com", "hey.com", "tutanota.com", "tuta.com", "qq.com", "163.com", "126.com", "naver.com", "hotmail.co.uk",
    "yahoo.co.uk", "yahoo.co.jp", "orange.fr", "free.fr", "laposte.net", "libero.it", "mailinator.com",
  ]
}
