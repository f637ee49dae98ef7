import Foundation
import GatehousePolicy
import Testing

@Suite("Stages, doors and stored people")
struct StageTests {
  private func policy(
    _ rule: Rule, section: Existing = .atNextChange, exceptions: [PolicyException] = []
  ) -> Policy {
    Policy(
      tenant: "t", app: App(name: "T"),
      identifiers: Identifiers(
        email: EmailPolicy(rules: rule.target == .email ? [rule] : [], existing: section)),
      password: PasswordPolicy(existing: section, rules: rule.target == .password ? [rule] : []),
      profile: ProfilePolicy(fields: [
        Field(name: "f", type: .string, rules: rule.target == .field ? [rule] : [], existing: section)
      ]), exceptions: exceptions)
  }

  private func rule(
    _ target: RuleTarget, _ enforcement: Enforcement = .enforced, existing: Existing? = nil, doors: DoorSet? = nil
  ) -> Rule {
    switch target {
    case .email:
      Rule(
        id: "email.allowed_domains", kind: .allowedDomains, target: .email, parameter: Policies.domains("ksu.edu"),
        enforcement: enforcement, existing: existing, doors: doors)
    case .password:
      Rule(
        id: "password.min8", kind: .minLength, target: .password, parameter: .integer(8), enforcement: enforcement,
        existing: existing, doors: doors)
    case .field:
      Rule(
        id: "f.min_length", kind: .minLength, target: .field, parameter: .integer(3), enforcement: enforcement,
        existing: existing, doors: doors)
    }
  }

  private let facts = Facts(email: "a@example.com", password: "short", profile: ["f": "x"])

  @Test("off says nothing, warn reports, enforce refuses", arguments: RuleTarget.allCases)
  func modes(target: RuleTarget) {
    let id = rule(target).id
    let off = policy(rule(target, Enforcement(.off))).decide(.signUp, facts, at: winter, using: NoFacts())
    #expect(off.allow && off.warnings.isEmpty && off.verdict(id) == .off)
    let warn = policy(rule(target, Enforcement(.warn))).decide(.signUp, facts, at: winter, using: NoFacts())
    #expect(warn.allow && warn.warningIDs == [id] && warn.verdict(id) == .warn)
    #expect(warn.warnings.first?.enforceFrom == nil)
    let enforce = policy(rule(target)).decide(.signUp, facts, at: winter, using: NoFacts())
    #expect(!enforce.allow && enforce.violationIDs == [id] && enforce.verdict(id) == .fail)
  }

  @Test(
    "a dated warning binds from 00:00 UTC of its day",
    arguments: [
      ("2027-02-28T23:59:59", true), ("2027-03-01T00:00:00", false), ("2027-03-01T00:00:01", false),
      ("2030-01-01", false),
      ("2000-01-01", true),
    ], RuleTarget.allCases)
  func dates(when: (String, Bool), target: RuleTarget) {
    let staged = policy(rule(target, Enforcement(.warn, from: Day("2027-03-01"))))
    let decision = staged.decide(.signUp, facts, at: instant(when.0), using: NoFacts())
    #expect(decision.allow == when.1)
    let off = policy(rule(target, Enforcement(.off, from: Day("2027-03-01"))))
    #expect(off.decide(.signUp, facts, at: instant(when.0), using: NoFacts()).allow)
  }

  @Test("a rule binds at its doors only")
  func doors() {
    let onlyAdmin = policy(rule(.field, doors: DoorSet([.adminUpdate])))
    #expect(onlyAdmin.decide(.updateProfile, facts, at: winter, using: NoFacts()).allow)
    #expect(!onlyAdmin.decide(.adminUpdate, facts, at: winter, using: NoFacts()).allow)
    for target in RuleTarget.allCases {
      let all = policy(rule(target))
      for door in Door.allCases where target.doors.contains(door) && door != .signIn && door != .resetPassword {
        let decision = all.decide(door, facts, at: winter, using: NoFacts())
        #expect(decision.violationIDs == [rule(target).id], "\(target) \(door)")
      }
    }
  }

  @Test("a value never enters unjudged by a door that is not its own")
  func strayValues() {
    for door in [Door.updateProfile, .adminUpdate] {
      let decision = policy(rule(.email)).decide(
        door, Facts(email: "a@example.com"), at: winter, using: NoFacts())
      #expect(decision.violationIDs == ["email.allowed_domains"])
    }
    for door in [Door.invite, .import, .adminCreate, .resetPassword] {
      let decision = policy(rule(.password)).decide(
        door, Facts(email: "a@example.com", password: "short"), at: winter, using: NoFacts())
      #expect(decision.violationIDs == ["password.min8"])
    }
  }

  @Test("both halves of a reset: an address the policy can never admit, and the new password")
  func reset() {
    let ddRide = Policies.ddRide
    func violations(_ facts: Facts) -> [String] {
      ddRide.decide(.resetPassword, facts, at: winter, using: NoFacts()).violationIDs
    }
    #expect(violations(Facts()) == ["email.required"])
    #expect(violations(Facts(email: "nonsense")) == ["email.syntax"])
    #expect(violations(Facts(email: "a@example.com")) == ["email.allowed_domains"])
    #expect(violations(Facts(email: "a@ksu.edu")) == [])
    #expect(violations(Facts(password: "Wildcat1")) == [])
    #expect(violations(Facts(password: "wildcat1")) == ["password.upper"])
    #expect(violations(Facts(email: "a@ksu.edu", password: "")) == ["password.required"])
  }

  @Test(
    "what a tightened rule means for stored people",
    arguments: [
      (nil, .atNextChange, false, false), (nil, .promptAtSignIn, true, false), (nil, .requireAtSignIn, false, true),
      (.atNextChange, .requireAtSignIn, false, false), (.requireAtSignIn, .atNextChange, false, true),
      (.promptAtSignIn, .requireAtSignIn, true, false),
    ] as [(Existing?, Existing, Bool, Bool)], RuleTarget.allCases)
  func existing(expected: (Existing?, Existing, Bool, Bool), target: RuleTarget) {
    let (own, section, prompts, requires) = expected
    let tightened = policy(rule(target, existing: own), section: section)
    let stored = StoredFacts(email: "a@example.com", profile: ["f": "x"])
    let decision = tightened.decide(.signIn, Facts(password: "short", stored: stored), at: winter, using: NoFacts())
    let step = [RuleTarget.email: "change_email", .password: "change_password", .field: "profile:f"][target] ?? ""
    #expect(decision.allow && decision.violations.isEmpty)
    #expect(decision.warningIDs == (prompts ? [rule(target).id] : []))
    #expect(decision.next == (requires ? [step] : []))
    #expect(decision.access == (requires ? .limited : .full))
    let fine = StoredFacts(email: "a@ksu.edu", profile: ["f": "xyz"])
    let complying = tightened.decide(
      .signIn, Facts(password: "long enough", stored: fine), at: winter, using: NoFacts())
    #expect(complying.access == .full && complying.warnings.isEmpty)
    if target != .password { #expect(tightened.access(of: stored, at: winter).next == decision.next) }
  }

  @Test("a missing library never limits a stored user")
  func noLockOut() {
    let phone = Field(
      name: "p", type: .phone, rules: [Policies.field("p", .allowedRegions, .texts(["DE"]))], region: "DE",
      existing: .requireAtSignIn)
    let disposable = Rule(
      id: "email.deny_disposable", kind: .denyDisposable, target: .email, existing: .requireAtSignIn)
    let policy = Policy(
      tenant: "t", app: App(name: "T"), identifiers: Identifiers(email: EmailPolicy(rules: [disposable])),
      password: PasswordPolicy(rules: []), profile: ProfilePolicy(fields: [phone]))
    let stored = StoredFacts(email: "a@example.com", profile: ["p": "+4930901820"])
    #expect(policy.access(of: stored, at: winter) == (.full, []))
  }

  @Test("an exception holds for its address and rule through its last day")
  func exceptions() {
    let exception = PolicyException(
      email: "Coach@gmail.com", rule: "email.allowed_domains", until: Day("2026-12-31") ?? Day("2000-01-01")!,
      reason: "visiting coach")
    let excepted = policy(rule(.email), exceptions: [exception])
    func allows(_ email: String, _ when: String) -> Bool {
      excepted.decide(.changeEmail, Facts(email: email), at: instant(when), using: NoFacts()).allow
    }
    #expect(allows("COACH@gmail.com", "2026-12-01"))
    #expect(allows("coach@gmail.com", "2026-12-31T23:59:59"))
    #expect(!allows("coach@gmail.com", "2027-01-01T00:00:00"))
    #expect(!allows("other@gmail.com", "2026-12-01"))
    let other = policy(
      rule(.email),
      exceptions: [PolicyException(email: "coach@gmail.com", rule: "email.x", until: exception.until, reason: "")])
    #expect(!other.decide(.changeEmail, Facts(email: "coach@gmail.com"), at: winter, using: NoFacts()).allow)
  }
}

@Suite("Partial updates")
struct UpdateTests {
  private let policy = Policies.messAI()

  private func update(_ profile: [String: FieldValue], stored: [String: FieldValue] = ["displayName": "Al"]) -> Decision
  {
    let user = StoredFacts(email: "a@example.com", profile: stored)
    return policy.decide(.updateProfile, Facts(profile: profile, stored: user), at: winter, using: NoFacts())
  }

  @Test("only given fields are judged, and null clears an optional one")
  func partial() {
    #expect(update([:]).allow)
    #expect(update([:]).normalised.profile.isEmpty)
    #expect(update(["photoURL": .null]).normalised.profile == ["photoURL": .null])
    #expect(update(["displayName": .null]).violationIDs == ["displayName.required"])
    #expect(update(["displayName": "  "]).violationIDs == ["displayName.required"])
    #expect(update(["displayName": " Bo "]).normalised.profile == ["displayName": "Bo"])
    #expect(update(["displayName": "Bo"]).access == .full)
  }

  @Test("unknown fields are refused, sorted, and only so many are named")
  func unknown() {
    let decision = update(["zeta": 1, "alpha": "x", "a/b~c": true])
    #expect(decision.violationIDs == ["a/b~c.unknown", "alpha.unknown", "zeta.unknown"])
    #expect(decision.violations.first?.pointer == "/profile/a~1b~0c")
    var many: [String: FieldValue] = [:]
    for index in 0..<5000 { many["field\(index)"] = 1 }
    #expect(update(many).violations.count == 20)
    var open = policy
    open.profile.unknownFields = .ignore
    let ignored = open.decide(.updateProfile, Facts(profile: ["zeta": 1]), at: winter, using: NoFacts())
    #expect(ignored.allow && ignored.normalised.profile.isEmpty)
  }

  @Test("user_at_sign_up can be set once")
  func once() {
    let policy = Policy(
      tenant: "t", app: App(name: "T"), identifiers: Identifiers(), password: PasswordPolicy(rules: []),
      profile: ProfilePolicy(fields: [Field(name: "f", type: .string, write: .userAtSignUp)]))
    func violations(_ door: Door, _ stored: FieldValue?, _ writer: Facts.Writer = .user) -> [String] {
      let user = StoredFacts(email: "a@b.co", profile: stored.map { ["f": $0] } ?? [:])
      let facts = Facts(email: "a@b.co", password: "x", profile: ["f": "y"], writer: writer, stored: user)
      return policy.decide(door, facts, at: winter, using: NoFacts()).violationIDs
    }
    #expect(violations(.signUp, nil).isEmpty)
    #expect(violations(.updateProfile, nil).isEmpty)
    #expect(violations(.updateProfile, "").isEmpty)
    #expect(violations(.updateProfile, "z") == ["f.write"])
    #expect(violations(.adminUpdate, "z", .admin).isEmpty)
    #expect(violations(.adminUpdate, "z", .user) == ["f.write"])
  }

  @Test("which fields of a profile each viewer sees")
  func visibility() {
    let expected: [(Field.Visibility, Set<Viewer>)] = [
      (.users, [.user, .`self`, .admin]), (.`self`, [.`self`, .admin]), (.admin, [.admin]),
    ]
    for (visibility, viewers) in expected {
      let field = Field(name: "f", type: .string, visibleTo: visibility)
      #expect(Set(Viewer.allCases.filter(field.isVisible)) == viewers, "\(visibility)")
    }
    let profile: [String: FieldValue] = ["name": "W", "role": "admin", "classYear": 2, "chapterId": "K"]
    #expect(Policies.ddRide.claims(of: profile) == ["role": "admin", "chapterId": "K"])
  }
}
