package import GatehousePolicy

/// A policy with one thing taken out of it or loosened: what a slip of an editor makes of it.
package struct Mutant: Sendable {
  /// The section of the file that it changes: `password`.
  package let section: String
  /// The id of a rule, or the path of a setting: `password.min8`, `profile.unknown_fields`.
  package let subject: String
  /// The mutation, in a few words: `deleted`, `min_length 8 → 7`.
  package let change: String
  /// The line it stands on.
  package let line: Int
  package let policy: Policy
}

/// One mutant and what the tests of the file said of it.
package struct MutantResult: Sendable {
  package let mutant: Mutant
  /// The first test that failed; nil where none noticed.
  package let noticedBy: String?
}

extension PolicyTests {
  /// Loosens the policy in every way there is, one at a time, and runs the file's tests against each. A change that no
  /// test notices could be made by mistake and go live.
  /// - Precondition: The tests hold for the policy itself; where they do not, nothing is learnt.
  package static func mutate(_ file: PolicyFile, using source: some FactSource) -> [MutantResult] {
    Mutants(file).all.map { mutant in
      MutantResult(mutant: mutant, noticedBy: firstFailure(file.tests, against: mutant.policy, using: source))
    }
  }
}

/// All mutants of one policy, in the order of the sections.
///
/// A setting that no test can notice has no mutants (looks, lifetimes, limits, visibility): `policy diff` judges it,
/// and `MutationScope` names its section. Nor have changes without effect: a door through which the value cannot come
/// in, a bound that another one implies.
struct Mutants {
  let policy: Policy
  let document: Document
  private(set) var all: [Mutant] = []
  private var section = ""

  init(_ file: PolicyFile) {
    policy = file.policy
    document = file.document
    for (name, mutate) in Self.sections {
      section = name
      mutate(&self)
    }
  }

  private static let sections: [(String, @Sendable (inout Mutants) -> Void)] = [
    ("identifiers", { $0.email() }), ("password", { $0.password() }), ("profile", { $0.profile() }),
    ("access", { $0.access() }), ("providers", { $0.providers() }), ("mfa", { $0.mfa() }), ("admins", { $0.admins() }),
    ("attest", { $0.attest() }), ("exceptions", { $0.exceptions() }),
  ]

  mutating func add(_ subject: String, _ change: String, line: Int, _ loosen: (inout Policy) -> Void) {
    var mutant = policy
    loosen(&mutant)
    guard mutant != policy else { return }
    all.append(Mutant(section: section, subject: subject, change: change, line: line, policy: mutant))
  }

  /// The line of a setting by its path, or of the nearest part of the path that is written.
  func line(_ path: String...) -> Int { document.line(of: path) ?? 1 }

  /// The slips of each setting that is written; what the file leaves to its default can not be deleted or loosened.
  /// - Parameter subject: of the section, where it is not its path.
  mutating func slips<Section>(
    _ settings: [Setting<Section>], at path: [String], subject: String? = nil, of section: Section,
    _ put: (inout Policy, Section) -> Void
  ) {
    for setting in settings {
      let path = path + [setting.key.name]
      let subject = subject.map { "\($0).\(setting.key.name)" } ?? path.joined(separator: ".")
      guard let line = written(path) else { continue }
      for slip in setting.slips(section) { add(subject, slip.change, line: line) { put(&$0, slip.section) } }
      slips(setting.members, at: path, subject: subject, of: section, put)
    }
  }

  private func written(_ path: [String]) -> Int? {
    var node = document.root
    for key in path.dropLast() { node = node?[key] }
    return path.last.flatMap { node?.entry($0) }?.keyRange.start.line
  }

  private mutating func email() {
    let section = policy.identifiers.email
    slips(PolicyKeys.normalize.all, at: ["identifiers", "email"], of: section) { $0.identifiers.email = $1 }
    rules(
      RuleSlot(section: "email", rules: section.rules, existing: section.existing, doors: policy.entries(of: .email)) {
        $0.identifiers.email.rules = $1
      })
    existing("identifiers.email.existing", section.existing, line: line("identifiers", "email", "existing")) {
      $0.identifiers.email.existing = .atNextChange
    }
  }

  private mutating func password() {
    guard policy.hasPassword else { return }
    let section = policy.password
    rules(
      RuleSlot(
        section: "password", rules: section.rules, existing: section.existing,
        doors: policy.entries(of: .password).union(policy.measuredAtSignIn)
      ) { $0.password.rules = $1 })
    existing("password.existing", section.existing, line: line("password", "existing")) {
      $0.password.existing = .atNextChange
    }
  }

  private mutating func access() {
    for (index, requirement) in policy.access.full.enumerated() {
      let line = requirement.position.line
      add(requirement.id, "deleted", line: line) { $0.access.full.remove(at: index) }
      for (stage, change) in requirement.enforcement.loosened {
        add(requirement.id, change, line: line) { $0.access.full[index].enforcement = stage }
      }
    }
  }

  private mutating func providers() {
    for (index, provider) in policy.providers.enumerated() {
      slips(ProviderKeys.settings.all, at: ["providers", provider.name], of: provider) { $0.providers[index] = $1 }
    }
  }

  private mutating func attest() {
    guard let attest = policy.attest else { return }
    slips(AttestKeys.attest.all, at: ["attest"], of: attest) { $0.attest = $1 }
  }

  private mutating func exceptions() {
    for (index, exception) in policy.exceptions.enumerated() {
      let subject = "exceptions.\(exception.rule)"
      let line = exception.position.line
      add(subject, "deleted for \(exception.email)", line: line) { $0.exceptions.remove(at: index) }
      guard let later = exception.until.next else { continue }
      add(subject, "until \(exception.until) → \(later)", line: line) { $0.exceptions[index].until = later }
    }
  }

  mutating func existing(_ subject: String, _ now: Existing, line: Int, _ loosen: (inout Policy) -> Void) {
    guard now != .atNextChange else { return }
    add(subject, "\(now.rawValue) → \(Existing.atNextChange.rawValue)", line: line, loosen)
  }
}

extension Day {
  /// The day after; nil at the end of the calendar.
  var next: Day? {
    Day(year: year, month: month, day: day + 1) ?? Day(year: year, month: month + 1, day: 1)
      ?? Day(year: year + 1, month: 1, day: 1)
  }
}
