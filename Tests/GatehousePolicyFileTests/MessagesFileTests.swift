import GatehousePolicy
import Testing

@testable import GatehousePolicyFile

@Suite("messages, sentence and label: a tenant's own words in a policy file")
struct MessagesFileTests {
  @Test("a file that is silent has no words of its own")
  func silent() throws { #expect(try read(ReadingTests.base).policy.messages == Messages()) }

  @Test("a text by code and language is read")
  func reads() throws {
    let text = "messages: {invalid_credentials: {en: Nothing matches, es: Nada coincide}, cooldown: {en: Wait}}\n"
    let messages = try read(ReadingTests.base + text).policy.messages
    #expect(messages["invalid_credentials"] == ["en": "Nothing matches", "es": "Nada coincide"])
    #expect(messages["cooldown"] == ["en": "Wait"] && messages["conflict"] == nil && messages["dance"] == nil)
  }

  @Test(
    "a code that people do not meet, an unknown one, and a text out of bounds are refused with what is allowed",
    arguments: [
      ("{invalid_credential: {en: No}}", "did you mean \"invalid_credentials\"?"),
      ("{uri_too_long: {en: No}}", "uri_too_long"), ("{malformed_request: {en: No}}", "malformed_request"),
      ("{consent_required: {en: No}}", "consent_required"), ("{revision_stale: {en: No}}", "revision_stale"),
      ("{conflict: No}", "conflict"), ("{conflict: {}}", "conflict"), ("{conflict: {en: \"\"}}", "en"),
      ("{conflict: {english: No}}", "english"),
      ("{conflict: {en: \(String(repeating: "x", count: 301))}}", "300"),
    ])
  func refused(text: String, told: String) {
    let found = findings(ReadingTests.base + "messages: \(text)\n")
    #expect(found.contains(told), "\(found)")
  }

  @Test("every code is a key, and the file with all of them is read")
  func all() throws {
    let lines = Messages.Code.allCases.map { "  \($0.rawValue): {en: Said by \($0.rawValue)}\n" }.joined()
    let messages = try read(ReadingTests.base + "messages:\n" + lines).policy.messages
    #expect(messages.byCode.count == Messages.Code.allCases.count)
  }

  private static let field = "profile: {fields: {nick: {type: string, min_length: 2%}}}\n"

  private func nick(_ keys: String) throws -> Field {
    let file = try read(ReadingTests.base + Self.field.replacing("%", with: keys))
    return try #require(file.policy.profile.field("nick"))
  }

  @Test("a sentence stands beside a message, of the field for all its rules")
  func sentences() throws {
    let plain = try nick("")
    #expect(plain.rules[0].sentence == nil && plain.typeRule.sentence == nil)
    let both = try nick(", message: {en: Two letters}, sentence: {en: Give two letters.}")
    for rule in both.rules + [both.typeRule] {
      #expect(rule.message == ["en": "Two letters"] && rule.sentence == ["en": "Give two letters."])
    }
  }

  @Test("a rule's own message is its sentence, also where the section has one")
  func ownMessage() throws {
    let text = Self.field.replacing(
      "min_length: 2%", with: "min_length: {value: 2, message: {en: Two}}, sentence: {en: Correct the name.}")
    let field = try #require(try read(ReadingTests.base + text).policy.profile.field("nick"))
    #expect(field.rules[0].message == ["en": "Two"] && field.rules[0].sentence == nil)
    #expect(field.typeRule.sentence == ["en": "Correct the name."])
  }

  @Test("a label names the field")
  func label() throws {
    #expect(try nick("").label == nil)
    #expect(try nick(", label: {es: Apodo}").label == ["es": "Apodo"])
    #expect(findings(ReadingTests.base + Self.field.replacing("%", with: ", label: {}")).contains("label"))
  }

  @Test(
    "other words are a neutral change",
    arguments: [
      (", label: {en: Nickname}", "nick.label"), (", sentence: {en: Correct the name.}", "nick.min_length"),
      (", message: {en: Two}", "nick.min_length"),
    ])
  func neutral(keys: String, subject: String) throws {
    let old = try read(ReadingTests.base + Self.field.replacing("%", with: ""))
    let new = try read(ReadingTests.base + Self.field.replacing("%", with: keys))
    let changes = PolicyFile.diff(old, new)
    #expect(changes.contains { $0.subject == subject } && changes.allSatisfy { $0.relation == .neutral }, "\(changes)")
    #expect(old.policy.canonicalJSON != new.policy.canonicalJSON)
  }
}
