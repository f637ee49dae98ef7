import GatehousePolicy
import Testing

@Suite("messAI")
struct MessAITests {
  let policy = Policies.messAI()
  let source = FixedFacts()

  func signUp(
    at when: String, _ password: String, _ profile: [String: FieldValue] = ["displayName": "Al"]
  ) -> Decision {
    policy.decide(
      .signUp, Facts(email: "A@Example.com", password: password, profile: profile), at: instant(when), using: source)
  }

  @Test("six characters still work today")
  func six() {
    let decision = signUp(at: "2026-12-01", "kt49xw")
    #expect(decision.allow)
    #expect(decision.normalised.email == "a@example.com")
    #expect(decision.warningIDs == ["password.min8", "password.upper", "password.special"])
    #expect(decision.warnings.first?.enforceFrom == Day("2027-03-01"))
    #expect(decision.access == .full)
    #expect(decision.next.isEmpty)
  }

  @Test("five never did")
  func five() { #expect(signUp(at: "2026-12-01", "kt49x").violationIDs == ["password.min6"]) }

  @Test("one-letter name")
  func oneLetter() {
    #expect(signUp(at: "2026-12-01", "kt49xw", ["displayName": " A "]).violationIDs == ["displayName.min_length"])
  }

  @Test("no name, famous password")
  func famous() {
    let decision = signUp(at: "2026-12-01", "123456", [:])
    #expect(decision.violationIDs == ["displayName.required"])
    #expect(
      decision.warningIDs == [
        "password.min8", "password.upper", "password.lower", "password.special", "password.breached",
      ])
  }

  @Test("the stricter set is on from the first second of March, not a second sooner")
  func march() {
    for when in ["2027-02-28T23:59:59", "2027-02-28T23:59:59.999"] {
      let before = signUp(at: when, "kt49xw")
      #expect(before.allow)
      #expect(before.warningIDs == ["password.min8", "password.upper", "password.special"])
    }
    for when in ["2027-03-01T00:00:00", "2027-03-02"] {
      let after = signUp(at: when, "kt49xw")
      #expect(after.violationIDs == ["password.min8", "password.upper", "password.special"])
      #expect(after.warnings.isEmpty)
    }
  }

  @Test(
    "each class is needed on its own",
    arguments: [("kq7!vmtz", "upper"), ("KQ7!VMTZ", "lower"), ("Kqx!vmTz", "digit"), ("Kq7xvmTz", "special")])
  func classes(password: String, rule: String) {
    #expect(signUp(at: "2027-03-02", password).violationIDs == ["password." + rule])
  }

  @Test("and a strong one passes")
  func strong() {
    let decision = signUp(at: "2027-03-02", "Kq7!vmTz")
    #expect(decision.allow && decision.warnings.isEmpty)
  }

  @Test("a list that can not be asked denies once the rule binds, and stays silent while it warns")
  func unknownList() {
    let facts = Facts(email: "a@example.com", password: "Kq7!vmTz", profile: ["displayName": "Al"])
    let before = policy.decide(.signUp, facts, at: winter, using: NoFacts())
    #expect(before.allow && before.warnings.isEmpty)
    #expect(before.verdict("password.breached") == .undecidable)
    let after = policy.decide(.signUp, facts, at: instant("2027-03-02"), using: NoFacts())
    #expect(after.violationIDs == ["password.breached"])
  }

  @Test(
    "photo addresses",
    arguments: [
      ("https://cdn.example/a.png", nil), ("http://cdn.example/a.png", "photoURL.https_only"),
      ("ftp://cdn.example/a", "photoURL.format"), ("javascript:alert(1)", "photoURL.format"), ("", nil),
      ("https://", "photoURL.format"), ("https://a b", "photoURL.format"), ("//cdn.example/x", "photoURL.format"),
      ("https://user@cdn.example/x", "photoURL.format"), ("https://cdn.example:70000/", "photoURL.format"),
      ("HTTPS://cdn.example:443/x?y#z", nil), ("https://-bad.example/", "photoURL.format"),
      ("https://bücher.example/", "photoURL.format"), ("https://x\n.example/", "photoURL.format"),
    ] as [(String, String?)])
  func photo(url: String, rule: String?) {
    let decision = policy.decide(
      .updateProfile, Facts(profile: ["photoURL": .string(url)]), at: winter, using: NoFacts())
    #expect(decision.violationIDs == (rule.map { [$0] } ?? []))
  }

  @Test("at sign-in: a prompt, a requirement or nothing, and never a refusal")
  func existing() {
    let stored = StoredFacts(email: "a@example.com", profile: ["displayName": "Al"])
    let facts = Facts(password: "kt49xw", stored: stored)
    let march = instant("2027-03-02")
    let prompt = policy.decide(.signIn, facts, at: march, using: source)
    #expect(prompt.allow && prompt.access == .full)
    #expect(prompt.warningIDs == ["password.min8", "password.upper", "password.special"])
    #expect(prompt.passwordComplies == false)
    let required = Policies.messAI(existing: .requireAtSignIn).decide(.signIn, facts, at: march, using: source)
    #expect(required.allow && required.violations.isEmpty)
    #expect(required.access == .limited)
    #expect(required.next == ["change_password"])
    let later = Policies.messAI(existing: .atNextChange).decide(.signIn, facts, at: march, using: source)
    #expect(later.allow && later.access == .full && later.warnings.isEmpty && later.next.isEmpty)
    let before = Policies.messAI(existing: .requireAtSignIn).decide(.signIn, facts, at: winter, using: source)
    #expect(before.access == .full && before.warningIDs.first == "password.min8")
    let unknown = Policies.messAI(existing: .requireAtSignIn).decide(
      .signIn, Facts(stored: stored), at: march, using: source)
    #expect(unknown.access == .full && unknown.passwordComplies == nil)
  }

  @Test("a required password change stays required until a new password is set")
  func owedPassword() {
    let strict = Policies.messAI(existing: .requireAtSignIn)
    let march = instant("2027-03-02")
    var stored = StoredFacts(email: "a@example.com", profile: ["displayName": "Al"])
    stored.mustChangePassword = true
    #expect(strict.access(of: stored, at: march) == (.limited, ["change_password"]))
    #expect(policy.access(of: stored, at: march) == (.full, []))
    let changed = strict.decide(.setPassword, Facts(password: "Kq7!vmTz", stored: stored), at: march, using: source)
    #expect(changed.allow && changed.access == .full && changed.next.isEmpty)
  }
}
