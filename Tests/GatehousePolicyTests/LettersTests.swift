import Foundation
@testable import GatehousePolicy
import Testing

@Suite("charset: letters")
struct LettersTests {
  private static let policy = Policy(
    tenant: "acme", app: App(name: "Acme"), identifiers: Identifiers(), password: PasswordPolicy(rules: []),
    profile: ProfilePolicy(fields: [
      Field(
        name: "username", type: .string,
        rules: [
          Charset("letters").map {
            Rule(id: "username.charset", kind: .charset, target: .field, parameter: .characters($0))
          },
          Rule(id: "username.reserved", kind: .reserved, target: .field, parameter: .texts(["admin", "renée"])),
        ].compactMap { $0 }, unique: .ignoreCase)
    ]))

  private func rules(_ name: String) -> [String] {
    let facts = Facts(profile: ["username": .string(name)], writer: .user)
    return Self.policy.decide(.updateProfile, facts, at: Date(timeIntervalSince1970: 0), using: FixedFacts())
      .violations.map(\.rule)
  }

  private func key(_ name: String) -> String? { Self.policy.uniqueKey(for: "username", value: .string(name)) }

  @Test(
    "names of many languages are of letters",
    arguments: [
      "Zoë", "Zoe\u{308}", "José", "Łukasz", "Þór", "Søren", "Nguyễn", "Đặng", "Ọláyínká", "Məmməd", "İpek", "Işık",
      "Škoda", "Ștefan", "Groß", "GROẞ", "Ƴusuf", "Ɓala", "N\u{301}a", "ZOE",
    ])
  func letters(name: String) { #expect(rules(name) == [], "\(name)") }

  @Test(
    "digits, blanks, punctuation, other scripts, look-alikes of them and invisible characters are not",
    arguments: [
      "zoe1", "zo e", "zo_e", "zo.e", "zo-e", "o'neil", "аdam", "Ζoe", "ab\u{34F}c", "a\u{200D}b", "ǀan", "ﬁn", "ａb",
      "ªa",
      "×a", "a÷", "ſam", "ǆem", "ƿin", "a\u{20DD}", "zoë😀", "周", "\u{301}zoe",
    ])
  func others(name: String) { #expect(rules(name) == ["username.charset"], "\(name)") }

  @Test(
    "with case, marks and their spelling left out it is one name",
    arguments: ["zoe", "ZOË", "Zoe\u{308}", "zoé", "ZOE"])
  func unique(name: String) { #expect(key(name) == key("Zoë") && key(name) == "zoe") }

  @Test(
    "letters that are not the same with a mark stay two",
    arguments: [("Søren", "Soren"), ("Łukasz", "Lukasz"), ("a", "b")])
  func different(one: String, other: String) { #expect(key(one) != key(other)) }

  @Test("a reserved word is reserved without case and marks", arguments: ["ádmin", "ADMÍN", "renee", "Renée"])
  func reserved(name: String) { #expect(rules(name) == ["username.reserved"]) }

  @Test("with each letter its other case is in the set")
  func cases() throws {
    let set = try #require(Charset("letters"))
    for value in Charset.latinLetters.joined() {
      let letter = String(try #require(Unicode.Scalar(value)))
      for other in [letter.lowercased(), letter.uppercased()] { #expect(set.holds(other), "\(letter) \(other)") }
    }
  }

  @Test("each of the letters is one to Unicode, is its own NFC, and the ranges are in order and apart")
  func table() throws {
    for value in Charset.latinLetters.joined() {
      let scalar = try #require(Unicode.Scalar(value))
      #expect(scalar.properties.isAlphabetic && Text.same(Text.nfc(String(scalar)), String(scalar)), "\(scalar)")
    }
    for (range, next) in zip(Charset.latinLetters, Charset.latinLetters.dropFirst()) {
      #expect(range.upperBound < next.lowerBound)
    }
  }

  @Test("the word is the set, and any other spelling of it the characters that it has")
  func word() throws {
    #expect(Charset("letters")?.isLetters == true)
    #expect(Charset("Letters")?.holds("é") == false && Charset("letters ")?.isLetters == false)
  }

  @Test("a form is told so in the person's language, and reads the same set from the public half")
  func publicHalf() throws {
    let rule = try #require(
      Self.policy.publicRules(at: Date(timeIntervalSince1970: 0)).first { $0.id == "username.charset" })
    #expect(rule.params == ["characters": .string("letters")])
    #expect(rule.message.text(in: ["es"]) == "Usa solo letras" && rule.message.text(in: ["en"]) == "Use only letters")
    #expect(RuleKind.charset.parameter(from: rule.params) == Charset("letters").map(Parameter.characters))
  }

  @Test("fields of another set stay unique with their marks")
  func other() {
    let field = Field(name: "name", type: .string, unique: .ignoreCase)
    let policy = Policy(
      tenant: "acme", app: App(name: "Acme"), identifiers: Identifiers(), password: PasswordPolicy(rules: []),
      profile: ProfilePolicy(fields: [field]))
    #expect(policy.uniqueKey(for: "name", value: .string("Zoë")) == "zoë")
  }
}
