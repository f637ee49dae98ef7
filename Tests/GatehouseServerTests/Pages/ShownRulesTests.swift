import Foundation
import GatehousePolicy
import GatehousePolicyFile
import Testing

@testable import GatehouseServer

@Suite("The rules of a form as its reader sees them")
struct ShownRulesTests {
  private func shown(_ rules: String, on day: String = "2026-12-01", profile: String = "") throws -> ShownRules {
    let text = """
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme, locales: [en]}
      identifiers: {email: {allowed_domains: [ksu.edu, "*.k-state.edu"]}}
      password: {rules: [\(rules)]}
      profile: {fields: {nick: {type: string, \(profile)}}}
      providers: {password: {use: sign_in}}
      """
    let policy = try PolicyFile.read(text, name: "acme.yaml").get().policy
    let instant = try #require(Day(day)).startSeconds
    return ShownRules(policy, at: Date(timeIntervalSince1970: TimeInterval(instant)))
  }

  private func passwords(_ rules: [PublicRule]) -> [String] {
    rules.filter { $0.pointer == Pointer.password && !["required", "max_length"].contains($0.kind) }.map(\.id)
  }

  private static let lengths =
    "{id: min6, min_length: 6}, {id: min8, min_length: 8, enforce: warn, enforce_from: 2027-06-01}"

  @Test("before its day a stricter bound is one of later, beside that of now")
  func before() throws {
    let shown = try shown(Self.lengths)
    #expect(passwords(shown.now) == ["password.min6"])
    #expect(shown.later.map { passwords($0.rules) } == [["password.min8"]])
  }

  @Test("from its day on the stricter bound is shown alone, and covers the other")
  func after() throws {
    let shown = try shown(Self.lengths, on: "2027-06-01")
    #expect(passwords(shown.now) == ["password.min8"])
    #expect(shown.covered == ["password.min6"] && shown.later.isEmpty)
  }

  @Test("a later bound that is no stricter than one of now is not shown")
  func weaker() throws {
    let rules = "{id: min9, min_length: 9}, {id: min8, min_length: 8, enforce: warn, enforce_from: 2027-06-01}"
    #expect(try shown(rules).later.isEmpty)
  }

  @Test("rules that demand different things are all shown")
  func different() throws {
    let rules = "{id: upper, require: uppercase}, {id: digit, require: digit}"
    #expect(passwords(try shown(rules).now) == ["password.upper", "password.digit"])
  }

  @Test("days come in their order, each with its rules")
  func days() throws {
    let rules = """
      {id: digit, require: digit, enforce: warn, enforce_from: 2027-06-01}, \
      {id: upper, require: uppercase, enforce: warn, enforce_from: 2027-03-01}
      """
    #expect(try shown(rules).later.map(\.day.description) == ["2027-03-01", "2027-06-01"])
  }

  // MARK: Checks of the script

  private func checks(_ profile: String) throws -> [FormField.Check] {
    try shown("{id: min8, min_length: 8}", profile: profile).now.filter { $0.pointer == "/profile/nick" }
      .compactMap { $0.check(in: "en") }
  }

  @Test("a rule about text becomes a check with its parameter and its sentence")
  func lengths() throws {
    let checks = try checks("min_length: 3, max_length: 30")
    #expect(checks.map(\.kind) == [.least, .most] && checks.map(\.value) == ["3", "30"])
    #expect(checks[0].told == "Nick must be at least 3 characters.")
  }

  @Test("a set of characters becomes a class of a regular expression")
  func characters() throws {
    #expect(try checks("charset: \"a-z_.\"").map(\.value) == ["\\u{61}-\\u{7a}\\u{5f}\\u{2e}"])
  }

  @Test("what only the server can tell is no check", arguments: ["unique: true", "charset: letters"])
  func unknown(_ keys: String) throws {
    #expect(try checks(keys).isEmpty)
  }

  @Test("an address is checked for its form, and then for its domain")
  func address() throws {
    let rules = try shown("{id: min8, min_length: 8}").now.filter { $0.pointer == Pointer.email }
    let checks = rules.compactMap { $0.check(in: "en") }
    #expect(checks.map(\.kind) == [.needed, .address, .domains])
    #expect(checks.last?.value == "ksu.edu *.k-state.edu")
  }

  @Test("value and sentence of a check are one attribute, escaped")
  func attribute() {
    let check = FormField.Check(kind: .least, value: "3", told: "At \"least\" 3.")
    #expect(check.html.text == " data-least=\"3\nAt &quot;least&quot; 3.\"")
  }
}
