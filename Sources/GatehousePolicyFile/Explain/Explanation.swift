package import Foundation
package import GatehousePolicy

/// Why a policy decides as it does: each rule that was looked at, where the file says it, what it looked at, and what
/// would make it pass. Holds no value of a person.
package struct Explanation: Sendable {
  /// One rule, or one requirement of access.
  package struct Line: Sendable, Equatable {
    package let rule: String
    /// 0 when the rule stands nowhere in the file.
    package let line: Int
    /// That line of the file.
    package let source: String
    /// The value that the rule judges, as a pointer into a request: `/password`.
    package let input: String
    package let verdict: TraceEntry.Verdict
    package let why: String
    /// The remedy; empty where the rule passes.
    package let remedy: String
  }

  package let lines: [Line]
  /// Whether the door opens.
  package let allow: Bool
  package let access: Access
  package let next: [String]
  package let offers: [Offer]

  /// The explanation of a decision that the file's policy made.
  package init(_ decision: Decision, by file: PolicyFile) {
    let rules = Dictionary(file.policy.allRules.map { ($0.id, $0) }) { first, _ in first }
    let needs = Dictionary(file.policy.access.full.map { ($0.id, $0) }) { first, _ in first }
    let demands = Set(file.policy.demands.map(\.id))
    let step = decision.next.first { $0 == "verify_mfa" } ?? "enroll_mfa"
    lines = decision.trace.map { entry in
      let isOpen = [.fail, .warn, .undecidable].contains(entry.verdict)
      let rule = rules[entry.rule]
      let remedy =
        rule.map { Self.text(file.policy.violation(of: $0, pointer: "").message) }
        ?? needs[entry.rule].map { "do \($0.nextStep)" } ?? (demands.contains(entry.rule) ? "do \(step)" : nil)
      return Line(
        rule: entry.rule, line: entry.line, source: TypedText.trimmed(file.document.line(entry.line)),
        input: rule.map { file.policy.input(of: $0) } ?? needs[entry.rule]?.need.text
          ?? (demands.contains(entry.rule) ? "mfa" : "/profile"),
        verdict: entry.verdict, why: entry.why, remedy: isOpen ? remedy ?? "" : "")
    }
    (allow, access, next, offers) = (decision.allow, decision.access, decision.next, decision.offers)
  }

  static func text(_ texts: Texts) -> String { texts.text(in: ["en"]) ?? "" }
}

/// One rule, or one demand for a second factor, as it stands in a file.
package struct RuleExplanation: Sendable {
  package let rule: String
  package let line: Int
  package let source: String
  /// The kind of rule and what it is measured against: `min_length 8`.
  package let meaning: String
  package let input: String
  /// The stage at the moment of the question.
  package let stage: Enforce
  /// When a rule that warns will bind; nil when no day is set.
  package let enforcesFrom: Day?
  package let existing: Existing
  package let doors: [Door]
  /// The text that people read.
  package let message: String
  /// Whether the public half of the policy lists it.
  package let isDisclosed: Bool

  /// Nil when the policy has neither a rule nor a demand for a second factor of this id.
  package init?(_ id: String, in file: PolicyFile, at instant: Date) {
    if let rule = file.policy.allRules.first(where: { $0.id.utf8.elementsEqual(id.utf8) }) {
      self.init(rule, in: file, at: instant)
    } else if let demand = file.policy.demands.first(where: { $0.id.utf8.elementsEqual(id.utf8) }) {
      self.init(demand, in: file, at: instant)
    } else {
      return nil
    }
  }

  private init(_ demand: MFA.Demand, in file: PolicyFile, at instant: Date) {
    rule = demand.id
    line = demand.position.line
    source = TypedText.trimmed(file.document.line(line))
    meaning = "a second factor of \(demand.people), level \(demand.level.rawValue)"
    input = "mfa"
    stage = demand.enforcement.mode(at: instant)
    enforcesFrom = stage == .warn ? demand.enforcement.from : nil
    existing = .requireAtSignIn
    doors = [.signIn]
    message = Explanation.text(file.policy.request(for: "enroll_mfa") ?? [:])
    isDisclosed = false
  }

  private init(_ rule: Rule, in file: PolicyFile, at instant: Date) {
    let policy = file.policy
    self.rule = rule.id
    line = rule.position.line
    source = TypedText.trimmed(file.document.line(line))
    meaning = rule.described
    input = policy.input(of: rule)
    stage = rule.enforcement.mode(at: instant)
    enforcesFrom = stage == .warn ? rule.enforcement.from : nil
    existing = policy.existing(of: rule)
    doors = rule.doors.doors.filter {
      !policy.isClosed($0, withPassword: rule.target == .password, withPasskey: true)
    }
    message = Explanation.text(policy.violation(of: rule, pointer: "").message)
    isDisclosed = rule.disclose
  }

  /// The ids a person may ask about.
  package static func ids(of policy: Policy) -> [String] { policy.allRules.map(\.id) + policy.demands.map(\.id) }
}

extension Policy {
  fileprivate func field(of rule: Rule) -> Field? {
    profile.fields.first { field in
      ([field.typeRule, field.formatRule, field.writeRule, field.uniqueRule] + field.rules).contains {
        $0.id == rule.id
      }
    }
  }

  /// The value that a rule judges, as a pointer into a request: `/password`.
  package func input(of rule: Rule) -> String {
    switch rule.target {
    case .email: Pointer.email
    case .password:
      if case .texts(let subjects) = rule.parameter, rule.kind.name == "not_containing" {
        Pointer.password + " and " + subjects.joined(separator: ", ")
      } else {
        Pointer.password
      }
    case .field: field(of: rule)?.pointer ?? "/profile"
    }
  }

  fileprivate func existing(of rule: Rule) -> Existing {
    if let own = rule.existing { return own }
    switch rule.target {
    case .email: return identifiers.email.existing
    case .password: return password.existing
    case .field: return field(of: rule)?.existing ?? .atNextChange
    }
  }
}
