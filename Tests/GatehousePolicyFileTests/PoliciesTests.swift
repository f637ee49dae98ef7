import Foundation
import GatehousePolicy
import GatehousePolicyFile
import Testing

@Suite("The policies of this repository")
struct PoliciesTests {
  static let paths = ["policies/messai.yaml", "policies/dd-ride.yaml", "policies/vibes.yaml"]

  @Test("each file passes its own tests with the lists that ship", arguments: paths)
  func ownTests(path: String) throws {
    let report = PolicyCheck.check(
      try Repository.bytes(path), name: path, using: try ShippedLists(), now: date("2026-11-20"))
    #expect(report.isGood(), "\n\(report.text())")
    #expect(report.results.count >= 20)
    #expect(report.results.filter { !$0.passed }.isEmpty)
  }

  @Test("each file is without a lint", arguments: paths)
  func lints(path: String) throws {
    let report = PolicyCheck.check(
      try Repository.bytes(path), name: path, using: try ShippedLists(), now: date("2026-11-20"))
    #expect(report.isGood(strict: true), "\n\(report.text())")
  }

  @Test("each file is in the canonical layout", arguments: paths)
  func layout(path: String) throws {
    let bytes = try Repository.bytes(path)
    #expect(try PolicyFormat.text(of: Document.parse(bytes, name: path)).utf8.elementsEqual(bytes))
  }

  @Test(
    "each file leads pages back to its app's own scheme",
    arguments: [("messai", "messai"), ("dd-ride", "ddride"), ("vibes", "vibes")])
  func shipped(tenant: String, scheme: String) throws {
    let text = String(decoding: try Repository.bytes("policies/\(tenant).yaml"), as: UTF8.self)
    let app = try read(text).policy.app
    #expect(app.continueTargets == ["\(scheme)://signed-in"] && app.openApp == "\(scheme)://open")
  }

  @Test(
    "the sign-up of each app asks for these fields, in the languages of the app",
    arguments: [
      ("messai", ["Display name"], ["Nombre visible"]),
      ("dd-ride", ["Name", "Phone number", "Class year"], ["Nombre", "Número de teléfono", "Curso"]),
      ("vibes", ["Username"], ["Nombre de usuario"]),
    ])
  func form(tenant: String, english: [String], spanish: [String]) throws {
    let text = String(decoding: try Repository.bytes("policies/\(tenant).yaml"), as: UTF8.self)
    let fields = try read(text).policy.profile.fields.filter(\.isAskedAtSignUp)
    #expect(fields.map { $0.title(in: ["en"]) } == english && fields.map { $0.title(in: ["es"]) } == spanish)
  }

  /// Each row loosens or tightens one line; a test of the file has to notice.
  @Test(
    "a changed line turns a test",
    arguments: [
      ("policies/dd-ride.yaml", "min_length: 8}", "min_length: 7}"),
      ("policies/dd-ride.yaml", "min_length: 8}", "min_length: 9}"),
      ("policies/dd-ride.yaml", "allowed_domains: [ksu.edu]", "allowed_domains: [ksu.edu, notksu.edu]"),
      ("policies/dd-ride.yaml", "require: uppercase}", "require: uppercase, enforce: warn}"),
      ("policies/dd-ride.yaml", "require: lowercase}", "require: lowercase, enforce: off}"),
      ("policies/dd-ride.yaml", "require: digit}", "require: digit, enforce: warn}"),
      ("policies/dd-ride.yaml", "max: 4\n", "max: 5\n"),
      ("policies/dd-ride.yaml", "min: 1\n", "min: 0\n"),
      ("policies/dd-ride.yaml", "default: \"\"\n      write: admin", "default: \"\"\n      write: user"),
      ("policies/dd-ride.yaml", "requires: [email_verified]", "requires: []"),
      ("policies/dd-ride.yaml", "unknown_fields: reject", "unknown_fields: ignore"),
      ("policies/dd-ride.yaml", "normalize: lowercase", "normalize: none"),
      ("policies/messai.yaml", "min_length: 6}", "min_length: 5}"),
      (
        "policies/messai.yaml", "min_length: 8, enforce: warn, enforce_from: 2027-03-01",
        "min_length: 8, enforce: warn, enforce_from: 2027-03-03"
      ),
      ("policies/messai.yaml", "trim: true", "trim: false"),
      ("policies/messai.yaml", "https_only: true", "https_only: false"),
      ("policies/messai.yaml", "min_length: 2\n", "min_length: 1\n"),
      ("policies/messai.yaml", "max_length: 50", "max_length: 51"),
      ("policies/vibes.yaml", "min_length: 3", "min_length: 2"),
      ("policies/vibes.yaml", "max_length: 30", "max_length: 31"),
      ("policies/vibes.yaml", "reserved: [admin, support, vibes]", "reserved: [admin, vibes]"),
      ("policies/vibes.yaml", "require_scopes: all", "require_scopes: none"),
      ("policies/vibes.yaml", "\"profile:username\", \"linked:spotify\"", "\"profile:username\""),
      ("policies/vibes.yaml", "[\"profile:username\", \"linked:spotify\"]", "[\"linked:spotify\"]"),
    ])
  func mutation(path: String, line: String, changed: String) throws {
    let text = String(decoding: try Repository.bytes(path), as: UTF8.self)
    let mutant = text.replacing(line, with: changed, maxReplacements: 1)
    #expect(mutant != text, "the line is not in the file")
    let report = PolicyCheck.check(Array(mutant.utf8), name: path, using: SmallLists(), now: date("2026-11-20"))
    let noticed = report.diagnostics.filter { [.testFailed, .addAt, .unknownRuleInTest].contains($0.code) }
    #expect(!noticed.isEmpty, "no test noticed")
    #expect(!report.isGood())
  }

  @Test("the default policy passes its own tests, and asks for what it promises")
  func defaultPolicy() throws {
    let text = PolicyFile.initial(tenant: "acme", name: "Acme: \"rockets\" & more")
    let report = PolicyCheck.check(
      Array(text.utf8), name: "acme.yaml", using: try ShippedLists(), now: date("2026-11-20"))
    #expect(report.isGood(strict: true), "\n\(report.text())")
    let policy = try #require(report.file?.policy)
    #expect(policy.app.name == "Acme: \"rockets\" & more")
    #expect(policy.privacy.accountExists == .hide)
    #expect(policy.sessions.accessTokenTTL == 600)
    #expect(policy.sessions.refreshIdleTTL == 30 * 86_400)
    #expect(report.results.count >= 5)
  }

  @Test("T001 the default policy refuses 14 code points and takes 15")
  func defaultLength() throws {
    let policy = try read(PolicyFile.initial(tenant: "acme", name: "Acme")).policy
    func violations(_ password: String) -> [String] {
      policy.decide(
        .signUp, Facts(email: "a@example.com", password: password), at: date("2026-11-20"), using: SmallLists()
      )
      .violations.map(\.rule)
    }
    #expect(violations("kq vmtz hrwp bj") == [])
    #expect(violations("kq vmtz hrwp b") == ["password.min15"])
  }
}
