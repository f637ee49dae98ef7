import Foundation
import GatehouseTesting
import Testing

@testable import GatehousePolicy

@Suite("Visible text")
struct VisibleTextTests {
  private static func policy(trim: Bool = true, multiline: Bool = false, unique: Field.Unique? = nil) -> Policy {
    Policy(
      tenant: "t", app: App(name: "T"), identifiers: Identifiers(), password: PasswordPolicy(rules: []),
      profile: ProfilePolicy(fields: [
        Field(
          name: "name", type: .string, rules: [Policies.field("name", .required)], trim: trim, multiline: multiline,
          unique: unique),
        Field(name: "nick", type: .string),
      ]))
  }

  /// U+FDD0, which no literal may hold.
  private static let nothing = String(String.UnicodeScalarView([UInt32(0xFDD0)].compactMap(Unicode.Scalar.init)))

  private func refusals(_ name: String, _ policy: Policy = Self.policy()) -> [Violation] {
    policy.decide(.updateProfile, Facts(profile: ["name": .string(name)]), at: winter, using: NoFacts()).violations
  }

  @Test("a required text that shows nothing is missing, cut or not")
  func missing() {
    for scalar in CodePointTable.invisible where scalar.properties.isDefaultIgnorableCodePoint && !scalar.turnsText {
      #expect(refusals(String(scalar)).map(\.rule) == ["name.required"], "U+\(String(scalar.value, radix: 16))")
    }
    for text in ["\u{3164}", "\u{2800}", "\u{115F}", "\u{AD}", "\u{34F}", "\u{180E}", "\u{FE0F}", " ", "\u{301}"] {
      #expect(refusals(text, Self.policy(trim: false)).map(\.rule) == ["name.required"])
    }
    #expect(refusals("\u{3164}a").isEmpty)
  }

  @Test("a line of any text has no flaw, and shows something")
  func lines() {
    var generator = SeededGenerator()
    let odd = CodePointTable.invisible + ["\n", "\u{7}", "\u{202E}", "\u{301}", "\u{FFFE}", "\u{FFF9}", "\u{2028}"]
    for _ in 0..<500 {
      let scalars = (0..<20).map { _ in Bool.random(using: &generator) ? odd.randomElement() ?? "b" : "a" }
      let text = String(String.UnicodeScalarView(scalars))
      let line = TypedText.line(text)
      #expect(line.map { Flaw.of($0, multiline: false) == nil && TypedText.isShown($0) } ?? !scalars.contains("a"))
    }
  }

  @Test(
    "a line keeps what a person reads",
    arguments: [
      ("Al\u{202E}ia\n", "Alia"), (" a\u{3000}\n\tb ", "a b"), ("\u{3164}", nil), ("\u{7}", nil),
      ("e" + String(repeating: "\u{301}", count: 60), "e" + String(repeating: "\u{301}", count: Flaw.mostMarks)),
      ("👩\u{200D}🚀\u{FE0F}", "👩\u{200D}🚀\u{FE0F}"),
    ] as [(String, String?)])
  func line(text: String, line: String?) { #expect(TypedText.line(text) == line) }

  @Test("a stored text that shows nothing is no value")
  func stored() {
    #expect(FieldValue.string("\u{2800}").isAbsent && !FieldValue.string("a").isAbsent && FieldValue.null.isAbsent)
    #expect(!FieldValue.boolean(false).isAbsent && !FieldValue.integer(0).isAbsent)
    let given = Facts(profile: ["nick": "\u{3164}"])
    let decision = Self.policy().decide(.updateProfile, given, at: winter, using: NoFacts())
    #expect(decision.normalised.profile["nick"] == "")
  }

  @Test(
    "controls, line ends, turns of direction, noncharacters and masses of marks are refused with a sentence",
    arguments: [
      ("Bo\nb", Flaw.lines), ("Bo\u{2028}b", .lines), ("Bo\tb", .lines), ("a\u{7}b", .characters),
      ("a\u{9F}b", .characters), ("a\u{202E}b", .characters), ("a\u{2066}b", .characters), ("a\u{FFFE}b", .characters),
      ("a" + nothing + "b", .characters), ("a\u{10FFFF}b", .characters), ("a\u{FFF9}b", .characters),
      ("a" + String(repeating: "\u{301}", count: 60), .marks),
      ("a" + String(repeating: "\u{1AB0}\u{200D}", count: 9), .marks),
    ])
  func refused(text: String, flaw: Flaw) {
    let found = refusals(text)
    #expect(found.map(\.rule) == ["name.type"])
    let sentence = flaw.text.sentence.many.en
    #expect(found.first?.sentence.text(in: ["en"]) == sentence.replacing("{field}", with: "Name"))
  }

  @Test("several lines are taken where the policy says so, and nothing else of this")
  func multiline() {
    let policy = Self.policy(multiline: true)
    for text in ["Bo\nb", "Bo\r\n\tb", "Bo\u{2028}b"] { #expect(refusals(text, policy).isEmpty) }
    for text in ["a\u{7}b", "a\u{202E}b", "a\u{FFFE}b"] { #expect(refusals(text, policy).map(\.rule) == ["name.type"]) }
  }

  @Test("eight marks on a letter are taken")
  func marks() {
    #expect(refusals("q" + String(repeating: "\u{1AB0}", count: Flaw.mostMarks)).isEmpty)
    #expect(refusals("ཧཱུྃ བསྒྲུབས").isEmpty)
    #expect(refusals("שָׁלוֹם").isEmpty)
  }

  @Test(
    "values that look alike share their key",
    arguments: [
      ("no\u{200B}va", "nova"), ("Nova\u{3164}", "nova"), ("ＮＯＶＡ", "nova"), ("no\u{AD}va", "nova"),
      ("Bo  b", "bo b"), ("Bo\u{2003}b", "bo b"), ("Bo\u{2800}b", "bo b"), ("ｶﾞ", "ガ"), ("bob ", "bob"),
    ])
  func keys(text: String, key: String) {
    let policy = Self.policy(unique: .ignoreCase)
    #expect(policy.uniqueKey(for: "name", value: .string(text)) == key)
    #expect(policy.uniqueKey(for: "name", value: .string(key)) == key)
    #expect(policy.uniqueKey(for: "name", value: "\u{200B}") == nil)
    #expect(Self.policy(unique: .exact).uniqueKey(for: "name", value: "Nova\u{200B}") == "Nova")
  }

  @Test(
    "a reserved word stays reserved with characters that show nothing",
    arguments: ["ad\u{200B}min", "ＡＤＭＩＮ", "Admin\u{3164}"])
  func reserved(text: String) {
    var policy = Self.policy()
    policy.profile.fields[0].rules = [Policies.field("name", .reserved, .texts(["admin"]))]
    #expect(refusals(text, policy).map(\.rule) == ["name.reserved"])
    #expect(refusals("administer", policy).isEmpty)
  }

  @Test("the widths are those of Unicode")
  func widths() {
    for scalar in CodePointTable.all
    where (0xFF01...0xFFEE).contains(scalar.value) && scalar.isShown
      && scalar.properties.generalCategory != .unassigned
    {
      // NFKC goes further for jamo and for the macron, whose usual width is itself a compatibility character.
      let key = UniqueText.key("a" + String(scalar), ignoringCase: false, ignoringMarks: false) ?? ""
      #expect(
        Text.same(
          key.precomposedStringWithCompatibilityMapping,
          ("a" + String(scalar)).precomposedStringWithCompatibilityMapping), "U+\(String(scalar.value, radix: 16))")
      #expect(!key.unicodeScalars.contains { (0xFF01...0xFFEE).contains($0.value) }, "\(scalar)")
    }
  }

  @Test("a password with a control character is refused, and one with any blank is judged with U+0020")
  func passwords() {
    let policy = Self.policy()
    func refusals(_ password: String) -> [String] {
      policy.decide(.setPassword, Facts(password: password), at: winter, using: NoFacts()).violationIDs
    }
    for text in ["a\nb", "a\u{7}b", "\u{9F}", "tab\t"] { #expect(refusals(text) == ["password.syntax"]) }
    #expect(refusals(" a\u{A0}b\u{200B} ").isEmpty)
    let known = PasswordHistoryFacts(NoFacts(), passwords: ["a\u{A0}b"])
    #expect(known.isReused(TypedText.password("a\u{2003}b"), last: 1) == true)
  }

  @Test("a number with an extension is told so, and a refused foreign one nothing about the United States")
  func phones() {
    func sentence(_ check: Field.PhoneCheck, _ number: String) -> String? {
      var policy = Self.policy()
      policy.profile.fields = [Field(name: "phone", type: .phone, region: "US", phoneCheck: check)]
      let facts = Facts(profile: ["phone": .string(number)])
      return policy.decide(.updateProfile, facts, at: winter, using: FixedFacts()).violations.first?.sentence.text(
        in: ["en"])
    }
    #expect(sentence(.length, "785-532-6011 x123") == "Phone must be a number without an extension.")
    #expect(sentence(.valid, "extended") == "Phone must be a number without an extension.")
    #expect(sentence(.length, "1") == "Phone must be a 10-digit US number.")
    #expect(sentence(.valid, "+44 1") == "Phone is not valid.")
    #expect(sentence(.valid, "0000") == "Phone is not valid.")
    #expect(sentence(.length, "\u{202D}785-532-6011\u{202C}") == nil)
  }

  @Test("`check: warn` takes a possible number that nobody has, with a warning")
  func warned() {
    var policy = Self.policy()
    func decide(_ check: Field.PhoneCheck, _ number: String) -> Decision {
      policy.profile.fields = [Field(name: "phone", type: .phone, region: "DE", phoneCheck: check)]
      return policy.decide(
        .updateProfile, Facts(profile: ["phone": .string(number)]), at: winter, using: FixedFacts())
    }
    #expect(decide(.warn, "0000").warningIDs == ["phone.format"] && decide(.warn, "0000").allow)
    #expect(decide(.warn, "0000").normalised.profile["phone"] == "+490000")
    #expect(decide(.warn, "030 901820").warningIDs.isEmpty && decide(.length, "0000").warningIDs.isEmpty)
    #expect(!decide(.valid, "0000").allow && !decide(.warn, "nothing").allow)
  }
}
