import Foundation
import GatehousePolicy
import Testing

/// One policy with one rule, asked with one value.
private func verdict(
  of kind: RuleKind, _ parameter: Parameter, password: String, _ source: some FactSource,
  stored: StoredFacts? = nil, door: Door = .signUp
) -> TraceEntry.Verdict? {
  let policy = Policy(
    tenant: "t", app: App(name: "T"), identifiers: Identifiers(),
    password: PasswordPolicy(rules: [
      Policies.password("bound", .maxLength, .integer(1000)), Policies.password("x", kind, parameter),
    ]),
    profile: ProfilePolicy(fields: [Field(name: "name", type: .string), Field(name: "note", type: .string)]))
  let facts = Facts(
    email: "willie.wildcat@ksu.edu", password: password, profile: ["name": "Ann Mary-Jane O'Neill", "note": "x"],
    stored: stored)
  let decision = policy.decide(door, facts, at: winter, using: source)
  let verdict = decision.verdict("password.x")
  switch verdict {
  case .pass, .warn: #expect(decision.allow)
  case .fail, .undecidable: #expect(door == .signIn || decision.violationIDs.contains("password.x"))
  default: break
  }
  return verdict
}

private func verdict(
  of kind: RuleKind, _ parameter: Parameter, _ value: FieldValue, type: FieldType = .string,
  region: String? = nil, check: Field.PhoneCheck = .valid
) -> [String] {
  let field = Field(
    name: "f", type: type, rules: [Policies.field("f", kind, parameter)], region: region, phoneCheck: check)
  let policy = Policy(
    tenant: "t", app: App(name: "T"), identifiers: Identifiers(), password: PasswordPolicy(rules: []),
    profile: ProfilePolicy(fields: [field]))
  return policy.decide(.updateProfile, Facts(profile: ["f": value]), at: winter, using: FixedFacts()).violationIDs
}

@Suite("Kinds of rule on passwords")
struct PasswordRuleKindTests {
  @Test(
    "lengths count code points after NFC",
    arguments: [
      ("1234567", 7), ("12345678", 8), ("", 0), ("äöü", 3), ("a\u{308}o\u{308}", 2), ("👍👍", 2), ("👨‍👩‍👧", 5),
      ("🇩🇪", 2), ("\u{1112}\u{1161}\u{11AB}", 1), (" a ", 3), ("a\u{301}\u{302}", 2),
    ])
  func lengths(password: String, count: Int64) {
    guard count > 0 else { return }
    let source = NoFacts()
    #expect(verdict(of: .minLength, .integer(count), password: password, source) == .pass)
    #expect(verdict(of: .minLength, .integer(count + 1), password: password, source) == .fail)
    #expect(verdict(of: .maxLength, .integer(count), password: password, source) == .pass)
    if count > 1 { #expect(verdict(of: .maxLength, .integer(count - 1), password: password, source) == .fail) }
  }

  @Test(
    "classes of characters, ASCII and beyond",
    arguments: [
      ("uppercase", "aBc", true), ("uppercase", "abc", false), ("uppercase", "ä", false), ("uppercase", "Ä", true),
      ("uppercase", "Ω", true), ("uppercase", "ǅ", true), ("lowercase", "ABC", false), ("lowercase", "ABc", true),
      ("lowercase", "Ω", false), ("lowercase", "ω", true), ("lowercase", "漢字", false), ("digit", "abc", false),
      ("digit", "a1", true), ("digit", "٣", true), ("digit", "²", false), ("digit", "Ⅷ", false),
      ("special", "abc1", false), ("special", "a b", true), ("special", "a-b", true), ("special", "漢", false),
      ("special", "€", true), ("special", "👍", true), ("special", "a\u{301}q\u{301}", false),
      ("special", "~", true), ("special", "¡", true), ("special", "a\u{A0}b", true),
    ])
  func classes(name: String, password: String, passes: Bool) {
    #expect(verdict(of: .require, .text(name), password: password, NoFacts()) == (passes ? .pass : .fail))
  }

  @Test("every printable ASCII character is of exactly one class, and no control character of any")
  func ascii() {
    for value in UInt8(0)..<128 {
      let text = String(UnicodeScalar(value))
      let names = ["uppercase", "lowercase", "digit", "special"].filter {
        verdict(of: .require, .text($0), password: text, NoFacts()) == .pass
      }
      #expect(names.count == ((0x20...0x7E).contains(value) ? 1 : 0), "\(value)")
    }
  }

  @Test(
    "no local part, no word of the name, from four code points on, without case",
    arguments: [
      ("xWILLIE.wildcatx", false), ("willie", true), ("wildcat", true), ("xxneillxx", false), ("xxjanexx", false),
      ("mary99", false), ("ann99999", true), ("Oxyz", true), ("MARY-JANE", false), ("m.a.r.y", true), ("NEIL", true),
    ])
  func personal(password: String, passes: Bool) {
    let parameter = Parameter.texts(["email", "name"])
    #expect(verdict(of: .notContaining, parameter, password: password, NoFacts()) == (passes ? .pass : .fail))
  }

  @Test(
    "personal words compare without case in every script and no locale",
    arguments: [
      ("Straße", "xxSTRASSExx"), ("ΟΔΟΣ", "xοδοςx"), ("İpekçi", "xi̇pekçix"), ("Ünal", "U\u{308}NAL1"),
      ("Ivan", "ıvan0000"),
    ])
  func scripts(name: String, password: String) {
    let policy = Policies.ddRide
    let facts = Facts(
      email: "w@ksu.edu", password: password + "Aa1", profile: ["name": .string(name), "phoneNumber": "7855550123"])
    let decision = policy.decide(.signUp, facts, at: winter, using: NoFacts())
    #expect(decision.warningIDs == ["password.not_personal"])
  }

  @Test("lists, strength and history ask the source, and deny where it knows nothing")
  func sources() {
    let cases: [(RuleKind, Parameter, String, TraceEntry.Verdict, Door)] = [
      (.notIn, .text("common"), "qwerty", .fail, .signUp), (.notIn, .text("common"), "qwertz", .pass, .signUp),
      (.minStrength, .integer(2), "whatever", .pass, .signUp),
      (.minStrength, .integer(3), "whatever", .fail, .signUp),
      (.notLast, .integer(5), "OldPass1!", .fail, .setPassword),
      (.notLast, .integer(5), "NewPass1!", .pass, .setPassword),
    ]
    let stored = StoredFacts(email: "a@example.com")
    for (kind, parameter, password, expected, door) in cases {
      #expect(verdict(of: kind, parameter, password: password, FixedFacts(), stored: stored, door: door) == expected)
      #expect(verdict(of: kind, parameter, password: password, NoFacts(), stored: stored, door: door) == .undecidable)
    }
    #expect(verdict(of: .notLast, .integer(5), password: "OldPass1!", FixedFacts(), door: .signUp) == nil)
    #expect(verdict(of: .notLast, .integer(5), password: "OldPass1!", FixedFacts(), door: .setPassword) == .deferred)
  }

  @Test(
    "a password is compared with the last ones, the present one first",
    arguments: [
      ("present", 1, TraceEntry.Verdict.fail), ("older", 1, .pass), ("older", 2, .fail), ("oldest", 2, .pass),
      ("oldest", 3, .fail), ("e\u{301}t\u{E9}", 3, .pass), ("e\u{301}t\u{E9}", 4, .fail), ("new", 24, .pass),
    ])
  func history(password: String, count: Int64, expected: TraceEntry.Verdict) {
    let memory = PasswordHistoryFacts(NoFacts(), passwords: ["present", "older", "oldest", "\u{E9}te\u{301}"])
    let stored = StoredFacts(email: "a@example.com")
    for door in [Door.setPassword, .resetPassword] {
      let found = verdict(of: .notLast, .integer(count), password: password, memory, stored: stored, door: door)
      #expect(found == expected)
    }
    // It says nothing of who signs in with a password that is, as always, the last one.
    #expect(verdict(of: .notLast, .integer(count), password: "present", memory, stored: stored, door: .signIn) == nil)
  }

  @Test("what is remembered and compared follows stages, doors and the largest number")
  func remembered() {
    func policy(_ rules: [(Int64, Enforcement, DoorSet?)]) -> Policy {
      Policy(
        tenant: "t", app: App(name: "T"), identifiers: Identifiers(),
        password: PasswordPolicy(
          rules: rules.map { count, stage, doors in
            Rule(
              id: "password.n\(count)", kind: .notLast, target: .password, parameter: .integer(count),
              enforcement: stage,
              doors: doors)
          }))
    }
    let none = policy([])
    #expect(none.passwordsRemembered(at: winter) == 0 && !none.remembersPasswords)
    let off = policy([(5, Enforcement(.off), nil)])
    #expect(off.passwordsRemembered(at: winter) == 0 && !off.remembersPasswords)
    let some = policy([
      (3, .enforced, nil), (9, Enforcement(.warn), nil), (5, .enforced, DoorSet([.resetPassword])),
    ])
    #expect(some.passwordsRemembered(at: winter) == 9 && some.remembersPasswords)
    #expect(some.passwordsCompared(at: .setPassword, at: winter) == 3)
    #expect(some.passwordsCompared(at: .resetPassword, at: winter) == 5)
    #expect(some.passwordsCompared(at: .signUp, at: winter) == 0)
  }

  @Test("a source is asked only by a rule, with the person's words, and never about an overlong password")
  func asked() {
    let source = FixedFacts()
    _ = verdict(of: .minLength, .integer(3), password: "abcdef", source)
    #expect(source.questions.isEmpty)
    _ = verdict(of: .minStrength, .integer(3), password: "abcdef", source)
    #expect(source.questions == ["strength Ann Mary-Jane O'Neill x willie.wildcat@ksu.edu willie.wildcat"])
    let overlong = verdict(
      of: .minStrength, .integer(3), password: String(repeating: "a", count: 1001), source)
    #expect(overlong == .notReached)
    #expect(source.questions.count == 1)
  }

  @Test("a password too old asks for a new one at sign-in")
  func age() {
    let policy = Policy(
      tenant: "t", app: App(name: "T"), identifiers: Identifiers(),
      password: PasswordPolicy(rules: [Policies.password("age", .maxAge, .duration(90 * 86_400))]))
    func next(_ days: Double?) -> [String] {
      let stored = StoredFacts(
        email: "a@example.com", passwordChangedAt: days.map { winter.addingTimeInterval(-$0 * 86_400) })
      return policy.decide(.signIn, Facts(password: "x", stored: stored), at: winter, using: NoFacts()).next
    }
    #expect(next(90) == [])
    #expect(next(90.001) == ["change_password"])
    #expect(next(nil) == [])
  }
}

@Suite("Kinds of rule on fields")
struct FieldRuleKindTests {
  @Test("telephone numbers by length, for the US, without a library")
  func phones() {
    let good = [
      "(555) 123-4567", "555-123-4567", "1 555 123 4567", "5551234567", "+1 555.123.4567", "+15551234567",
      "1-555-123-4567", " 555 123 4567 ", "555\u{A0}123\u{A0}4567", "((555)) 123--4567",
      "٥٥٥١٢٣٤٥٦٧", "５５５１２３４５６７", "555\u{200B}1234567", "\u{202D}+1 (555) 123-4567\u{202C}",
      "555\u{2011}123\u{2212}4567",
    ]
    for raw in good { #expect(PhoneText.unitedStates(raw) == "+15551234567", "\(raw)") }
    let bad = [
      "", "555-0123", "555-123-456", "555-123-45678", "2 555 123 4567", "+49 30 901820", "+44 20 7946 0018",
      "555-123-4567 x12", "555-123-4567#", "555-ABC-4567", "+5551234567",
      "++15551234567", "1+5551234567", "555+1234567", "+1+5551234567", "15551234567890", "0015551234567",
      "555/123/4567",
      "555\n1234567", "tel:5551234567", "+2 555 123 4567", "1 1 555 123 4567",
    ]
    for raw in bad { #expect(PhoneText.unitedStates(raw) == nil, "\(raw)") }
  }

  @Test("other regions and `check: valid` ask the library")
  func library() {
    #expect(verdict(of: .required, .flag(true), "030 901820", type: .phone, region: "DE").isEmpty)
    #expect(verdict(of: .required, .flag(true), "0000", type: .phone, region: "DE") == ["f.format"])
    #expect(verdict(of: .required, .flag(true), "0000", type: .phone, region: "DE", check: .length).isEmpty)
    #expect(verdict(of: .required, .flag(true), "nonsense", type: .phone, region: "US") == ["f.format"])
    let regions = Parameter.texts(["DE", "AT"])
    #expect(verdict(of: .allowedRegions, regions, "030 901820", type: .phone, region: "DE").isEmpty)
    #expect(
      verdict(of: .allowedRegions, regions, "+44 20 7946 0018", type: .phone, region: "DE")
        == ["f.allowed_regions"])
    #expect(
      verdict(of: .allowedRegions, regions, "5551234567", type: .phone, region: "US", check: .length)
        == ["f.allowed_regions"])
  }

  @Test(
    "bounds, sets and words",
    arguments: [
      (.minLength, .integer(2), "ab", true), (.minLength, .integer(2), "a", false),
      (.minLength, .integer(2), "e\u{301}", false), (.minLength, .integer(2), "", true),
      (.maxLength, .integer(2), "ab", true), (.maxLength, .integer(2), "abc", false),
      (.maxLength, .integer(2), "e\u{301}e\u{301}", true), (.maxLength, .integer(1), "👍", true),
      (.reserved, .texts(["admin", "straße"]), "ADMIN", false),
      (.reserved, .texts(["admin", "straße"]), "STRASSE", false), (.reserved, .texts(["admin"]), "admins", true),
    ] as [(RuleKind, Parameter, String, Bool)])
  func texts(kind: RuleKind, parameter: Parameter, value: String, passes: Bool) {
    #expect(verdict(of: kind, parameter, .string(value)) == (passes ? [] : ["f." + kind.name]))
  }

  @Test(
    "whole numbers and their bounds",
    arguments: [
      (.min, 1, 1, true), (.min, 1, 0, false), (.min, .min, .min, true), (.max, 4, 4, true), (.max, 4, 5, false),
      (.max, .max, .max, true), (.max, -5, -4, false),
    ] as [(RuleKind, Int64, Int64, Bool)])
  func integers(kind: RuleKind, bound: Int64, value: Int64, passes: Bool) {
    #expect(
      verdict(of: kind, .integer(bound), .integer(value), type: .integer) == (passes ? [] : ["f." + kind.name]))
  }

  @Test(
    "every type takes its own values and no others",
    arguments: FieldType.allCases,
    [
      .null, true, 3, "", "x", "2027-02-28", "https://example.com/", "(555) 123-4567", .unsupported("array"),
      .unsupported("number"),
    ] as [FieldValue])
  func types(type: FieldType, value: FieldValue) {
    let violations = verdict(
      of: .values, .texts(["x"]), value, type: type, region: "US", check: .length)
    let expected: [String]
    switch (type, value) {
    case (_, .null), (.boolean, .boolean), (.integer, .integer), (.string, .string("x")): expected = []
    case (.enum, .string("x")),
      (_, .string("")) where type != .integer && type != .boolean:
      expected = []
    case (.url, "https://example.com/"), (.date, "2027-02-28"), (.phone, "(555) 123-4567"): expected = []
    case (.string, .string), (.enum, .string): expected = ["f.values"]
    case (.url, .string), (.date, .string), (.phone, .string): expected = ["f.format"]
    default: expected = ["f.type"]
    }
    // `values` is a rule of enums; on other types it is only here to be passed over by a value it knows.
    #expect(violations.filter { type == .enum || type == .string || $0 != "f.values" } == expected)
  }

  @Test(
    "days that exist",
    arguments: [
      ("2024-02-29", true), ("2023-02-29", false), ("1900-02-29", false), ("2000-02-29", true), ("2027-04-31", false),
      ("2027-13-01", false), ("2027-00-10", false), ("2027-1-01", false), ("27-01-01", false), ("2027-01-01Z", false),
      ("2027/01/01", false), ("٢٠٢٧-01-01", false), ("2027-01-00", false), ("9999-12-31", true), ("1899-12-31", false),
    ])
  func days(text: String, exists: Bool) {
    #expect((Day(text) != nil) == exists)
    #expect(verdict(of: .required, .flag(true), .string(text), type: .date) == (exists ? [] : ["f.format"]))
  }

  @Test("a field is trimmed before it is judged, also of invisible spaces, and only where the file says so")
  func trim() {
    func stored(_ trim: Bool, _ text: String) -> FieldValue? {
      let policy = Policy(
        tenant: "t", app: App(name: "T"), identifiers: Identifiers(), password: PasswordPolicy(rules: []),
        profile: ProfilePolicy(fields: [Field(name: "f", type: .string, trim: trim, multiline: true)]))
      let facts = Facts(profile: ["f": .string(text)])
      return policy.decide(.updateProfile, facts, at: winter, using: NoFacts()).normalised.profile["f"]
    }
    for text in [" a b ", "\u{A0}\u{3000}a b\t\n", "\u{FEFF}a b\u{200B}", "a b\r\n"] {
      #expect(stored(true, text) == "a b")
      #expect(stored(false, text)?.string?.unicodeScalars.count == text.unicodeScalars.count)
    }
    #expect(stored(true, " \u{2003}") == "")
  }
}
