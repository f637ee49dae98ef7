import Foundation
import GatehousePolicy
import Testing

@testable import GatehousePolicyFile

@Suite("The keys of hosted pages in a policy file")
struct HostedPagesFileTests {
  private func sessions(_ text: String) throws -> Sessions { try read(ReadingTests.base + text).policy.sessions }

  @Test("a browser is signed out after a day unused and after thirty days in all, where the file is silent")
  func silent() throws {
    for text in ["", "sessions: {access_token_ttl: 5m}\n"] {
      let sessions = try sessions(text)
      #expect(sessions.pageIdleTTL == 86_400 && sessions.pageMaxTTL == 30 * 86_400)
    }
  }

  @Test("a stored revision from before the keys has the same lifetimes")
  func stored() throws {
    let stored = try PolicyFile.read(ReadingTests.base, name: "acme revision 1", as: .stored(.first)).get()
    #expect(stored.policy.sessions.pageIdleTTL == 86_400 && stored.policy.sessions.pageMaxTTL == 30 * 86_400)
  }

  @Test(
    "each lifetime is read by itself, and a longer idle time alone makes the whole as long",
    arguments: [
      ("page_idle_ttl: 1m", 60, 2_592_000), ("page_max_ttl: 1d", 86_400, 86_400),
      ("page_idle_ttl: 15m, page_max_ttl: 15m", 900, 900), ("page_idle_ttl: 400d", 34_560_000, 34_560_000),
    ] as [(String, Int64, Int64)])
  func lifetimes(keys: String, idle: Int64, whole: Int64) throws {
    let sessions = try sessions("sessions: {\(keys)}\n")
    #expect(sessions.pageIdleTTL == idle && sessions.pageMaxTTL == whole)
    #expect(sessions.refreshIdleTTL == Sessions().refreshIdleTTL, "the sessions of apps are others")
  }

  @Test("the box of a shared computer is offered where the file says so", arguments: [nil, false, true] as [Bool?])
  func shared(_ said: Bool?) throws {
    let key = said.map { "sessions: {page_shared_computer: \($0)}\n" } ?? ""
    #expect(try sessions(key).pageSharedComputer == (said ?? false))
  }

  @Test(
    "a lifetime out of bounds, of another kind, or longer than the whole is refused",
    arguments: [
      ("page_idle_ttl: 59s", "from 1m to 400d"), ("page_max_ttl: 401d", "from 1m to 400d"),
      ("page_max_ttl: 30", "P0120"), ("page_idle_ttl: [1d]", "P0116"), ("page_ttl: 1d", "page_idle_ttl, page_max_ttl"),
      ("page_idle_ttl: 31d, page_max_ttl: 30d", "page_idle_ttl (31d) is longer than page_max_ttl (30d)"),
      ("page_max_ttl: 12h", "page_idle_ttl (1d) is longer than page_max_ttl (12h)"),
    ])
  func refused(keys: String, told: String) {
    let found = findings(ReadingTests.base + "sessions: {\(keys)}\n")
    #expect(found.contains(told), "\(found)")
  }

  private static let fields = "profile: {fields: {team: {type: string%}}}\n"

  private func team(_ keys: String) throws -> Field {
    let file = try read(ReadingTests.base + Self.fields.replacing("%", with: keys))
    return try #require(file.policy.profile.field("team"))
  }

  @Test("a field is asked for at sign-up where the file says so")
  func atSignUp() throws {
    #expect(try team("").atSignUp == false)
    #expect(try team(", at_sign_up: false").atSignUp == false)
    #expect(try team(", at_sign_up: true").atSignUp)
  }

  @Test("a sign-up asks for what the file requires, and a requirement that is off asks for nothing")
  func required() throws {
    #expect(try team(", required: true").isAskedAtSignUp)
    #expect(try team(", required: {value: true, enforce: warn}").isAskedAtSignUp)
    #expect(try team(", required: {value: true, enforce: off}").isAskedAtSignUp == false)
    #expect(try team(", required: false").isAskedAtSignUp == false)
  }

  @Test(
    "a key of a field with a value of another type is refused",
    arguments: [
      ("at_sign_up: yes", "P0117"), ("at_sign_up: \"true\"", "P0117"), ("at_sign_up: [true]", "P0116"),
      ("label: Team", "P0116"), ("label: {}", "P0125"), ("label: {english: Team}", "P0127"),
      ("label: {en: \"\"}", "P0124"), ("label: {en: \(String(repeating: "x", count: 81))}", "P0124"),
    ])
  func wrong(key: String, code: String) {
    let found = findings(ReadingTests.base + Self.fields.replacing("%", with: ", " + key))
    #expect(found.contains("error[\(code)]"), "\(found)")
  }

  @Test(
    "check advises against at_sign_up only where users may not write the field",
    arguments: [("write: admin", true), ("write: user", false), ("write: user_at_sign_up", false)])
  func lint(write: String, isAdvised: Bool) throws {
    let text = ReadingTests.base + Self.fields.replacing("%", with: ", at_sign_up: true, \(write)")
    let report = PolicyCheck.check(
      Array(text.utf8), name: "acme.yaml", using: SmallLists(), now: date("2026-11-20"))
    #expect(report.diagnostics.contains { $0.code == .notAskedAtSignUp } == isAdvised, "\(report.text())")
  }

  private func choice(_ keys: String) -> String {
    ReadingTests.base + "profile: {fields: {team: {\(keys)}}}\n"
  }

  @Test("values have labels by language, of an enum and of a number")
  func labels() throws {
    let team = try read(choice("type: enum, values: [a, b], labels: {a: {en: Owls, es: Búhos}}")).policy.profile
    #expect(team.field("team")?.valueLabels == ["a": ["en": "Owls", "es": "Búhos"]])
    let year = try read(choice("type: integer, min: 1, max: 4, labels: {1: {en: First}}")).policy.profile
    #expect(year.field("team")?.valueLabels == ["1": ["en": "First"]])
  }

  @Test(
    "a label of what is no value of the field is refused",
    arguments: [
      "type: enum, values: [a], labels: {b: {en: B}}", "type: integer, max: 4, labels: {5: {en: Fifth}}",
      "type: integer, labels: {one: {en: One}}", "type: string, labels: {a: {en: A}}",
    ])
  func noValue(keys: String) {
    let found = findings(choice(keys))
    #expect(found.contains("error[\(DiagnosticCode.keyDoesNotApply.rawValue)]"), "\(found)")
  }

  @Test(
    "a new password is asked for twice, unless the file says once", arguments: [("", true), ("repeat: false, ", false)])
  func twice(keys: String, isRepeated: Bool) throws {
    let text = ReadingTests.base.replacing("password: {", with: "password: {\(keys)")
    #expect(try read(text).policy.password.isRepeated == isRepeated)
  }

  @Test("labels and the number of a password's fields are looks: neither is weaker or stricter")
  func looks() throws {
    let old = choice("type: enum, values: [a, b]")
    for new in [
      choice("type: enum, values: [a, b], labels: {a: {en: Owls}}"),
      old.replacing("password: {", with: "password: {repeat: false, "),
    ] {
      let changes = PolicyFile.diff(try read(old), try read(new))
      #expect(changes.count == 1 && changes[0].relation == .neutral, "\(changes)")
    }
  }

  @Test("each key stands in the canonical form")
  func canonical() throws {
    let base = try read(ReadingTests.base + Self.fields.replacing("%", with: "")).policy.canonicalJSON
    let texts = [
      Self.fields.replacing("%", with: ", at_sign_up: true"), Self.fields.replacing("%", with: ", label: {en: Team}"),
      Self.fields.replacing("%", with: "") + "sessions: {page_idle_ttl: 1h}\n",
      Self.fields.replacing("%", with: "") + "sessions: {page_max_ttl: 2d}\n",
    ]
    for text in texts { #expect(try read(ReadingTests.base + text).policy.canonicalJSON != base, "\(text)") }
  }

  private func targets(_ address: String) -> String {
    let app = "app: {name: Acme, continue: [\"\(address)\"], open_app: \"\(address)\"}"
    return ReadingTests.base.replacing("app: {name: Acme}", with: app)
  }

  @Test(
    "pages lead back to https, to the machine itself and to an app's own scheme",
    arguments: [
      "https://app.acme.example/back?from=pages", "http://localhost:8080/back", "http://127.0.0.1/",
      "http://[::1]:3000/",
      "acme://signed-in", "acme://open?next=inbox", "com.acme.app://open",
    ])
  func taken(address: String) throws {
    let app = try read(targets(address)).policy.app
    #expect(app.continueTargets == [address] && app.openApp == address)
  }

  @Test(
    "pages never lead to a scheme that a browser runs or reads, nor to unencrypted addresses elsewhere",
    arguments: [
      "javascript:alert(1)", "javascript://acme/%0aalert(1)", "JavaScript://acme", "data:text/html,x",
      "data://text/html",
      "vbscript://acme", "file:///etc/passwd", "blob://acme", "about://blank", "intent://acme", "view-source://acme",
      "http://app.acme.example/back", "http://localhost.acme.example/", "http://localhost@acme.example/",
      "https://user@acme.example/", "https://acme.example/#x", "https:///back", "//acme.example", "/back", "acme:open",
      "a://open", "acme://a b", "acme",
    ])
  func notTaken(address: String) {
    let found = findings(targets(address))
    #expect(found.components(separatedBy: "error[P0218]").count == 3, "\(found)")
  }
}
