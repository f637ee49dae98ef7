import Foundation
import GatehousePolicy
import GatehousePolicyFile
import Testing

/// A change that an operator makes to a shipped file.
struct PolicyEdit: Sendable, CustomTestStringConvertible {
  let name: String
  let tenant: String
  let replaced: String
  let put: String

  var testDescription: String { "\(tenant): \(name)" }

  static let all = [
    PolicyEdit("twelve characters instead of eight", "dd-ride", "min_length: 8}", "min_length: 12}"),
    PolicyEdit(
      "ten characters, as a second rule", "dd-ride", "    - {id: upper",
      "    - {id: min10, min_length: 10}\n    - {id: upper"),
    PolicyEdit(
      "a class more", "dd-ride", "    - {id: not_personal",
      "    - {id: special, require: special}\n    - {id: not_personal"),
    PolicyEdit("a class that only warns", "dd-ride", "require: uppercase}", "require: uppercase, enforce: warn}"),
    PolicyEdit(
      "twelve characters from a date on", "dd-ride", "min_length: 8}",
      "min_length: 12, enforce: warn, enforce_from: 2027-06-01}"),
    PolicyEdit(
      "own names refused", "dd-ride", "[email, name], enforce: warn, enforce_from: 2027-09-01}", "[email, name]}"),
    PolicyEdit("own names refused in the spring", "dd-ride", "enforce_from: 2027-09-01", "enforce_from: 2027-03-01"),
    PolicyEdit("another domain", "dd-ride", "allowed_domains: [ksu.edu]", "allowed_domains: [k-state.edu]"),
    PolicyEdit("a second domain", "dd-ride", "allowed_domains: [ksu.edu]", "allowed_domains: [ksu.edu, k-state.edu]"),
    PolicyEdit("subdomains too", "dd-ride", "allowed_domains: [ksu.edu]", "allowed_domains: [ksu.edu, \"*.ksu.edu\"]"),
    PolicyEdit("phone numbers of Canada", "dd-ride", "region: US", "region: CA"),
    PolicyEdit("a fifth class year", "dd-ride", "max: 4\n", "max: 5\n"),
    PolicyEdit("a role more", "dd-ride", "values: [admin, member]", "values: [admin, member, driver]"),
    PolicyEdit("access for all", "dd-ride", "requires: [email_verified]", "requires: []"),
    PolicyEdit("shorter sessions", "dd-ride", "refresh_idle_ttl: 60d", "refresh_idle_ttl: 30d"),
    PolicyEdit("a longer cooldown", "dd-ride", "resend_cooldown: 60s", "resend_cooldown: 120s"),
    PolicyEdit("seven characters instead of six", "messai", "min_length: 6}", "min_length: 7}"),
    PolicyEdit("the stricter set two months later", "messai", "2027-03-01}", "2027-05-01}"),
    PolicyEdit("the stricter set two months earlier", "messai", "2027-03-01}", "2027-01-01}"),
    PolicyEdit("longer display names", "messai", "max_length: 50", "max_length: 80"),
    PolicyEdit("eight characters instead of six", "vibes", "min_length: 6}", "min_length: 8}"),
    PolicyEdit("usernames of four characters", "vibes", "min_length: 3", "min_length: 4"),
    PolicyEdit("usernames of twenty characters", "vibes", "max_length: 30", "max_length: 20"),
    PolicyEdit("a reserved name more", "vibes", "reserved: [admin,", "reserved: [admin, root,"),
    PolicyEdit("Spotify as a warning", "vibes", "\"linked:spotify\"]", "{need: \"linked:spotify\", enforce: warn}]"),
    PolicyEdit("some scopes only", "vibes", "require_scopes: all", "require_scopes: [user-read-email]"),
  ]

  init(_ name: String, _ tenant: String, _ replaced: String, _ put: String) {
    (self.name, self.tenant, self.replaced, self.put) = (name, tenant, replaced, put)
  }

  /// The edited file.
  func bytes() throws -> [UInt8] {
    let text = try original()
    let edited = text.replacing(replaced, with: put)
    try #require(edited != text, "the text is not in the file")
    return Array(edited.utf8)
  }

  /// The edited file, checked; its name is that of the tenant.
  func check() throws -> PolicyCheck {
    PolicyCheck.check(try bytes(), name: "\(tenant).yaml", using: try ShippedLists(), now: date("2026-11-20"))
  }

  /// The lines that differ, counted in the edited file.
  func lines() throws -> Set<Int> {
    let before = Set(try original().split(separator: "\n", omittingEmptySubsequences: false))
    let after = try original().replacing(replaced, with: put).split(separator: "\n", omittingEmptySubsequences: false)
    return Set(after.indices.filter { !before.contains(after[$0]) }.map { $0 + 1 })
  }

  private func original() throws -> String {
    String(decoding: try Repository.bytes("policies/\(tenant).yaml"), as: UTF8.self)
  }
}

@Suite("Edits that operators make to the files of this repository")
struct EditsTests {
  /// Where the failing tests stand; a test with each: is one, however many of its members fail.
  private func failing(_ report: PolicyCheck) -> [SourceRange: [Diagnostic]] {
    Dictionary(grouping: report.results.compactMap(\.diagnostic), by: \.range)
  }

  @Test("at most two tests fail for an edit, and no other error comes of it", arguments: PolicyEdit.all)
  func few(edit: PolicyEdit) throws {
    let report = try edit.check()
    #expect(report.file != nil && report.refusals.isEmpty && failing(report).count <= 2, "\n\(report.text())")
  }

  @Test("each failing test is shown with its own line and the line of the edit", arguments: PolicyEdit.all)
  func lines(edit: PolicyEdit) throws {
    let (report, edited) = (try edit.check(), try edit.lines())
    for diagnostic in report.results.compactMap(\.diagnostic) {
      let text = try #require(report.file).text([diagnostic])
      let leads = edited.contains { text.contains("stands on line \($0)") }
      #expect(text.contains("\(edit.tenant).yaml:\(diagnostic.range.start.line):") && leads, "\(edited)\n\(text)")
    }
  }

  @Test("the tests of each file notice some of the edits", arguments: ["dd-ride", "messai", "vibes"])
  func noticed(tenant: String) throws {
    let edits = PolicyEdit.all.filter { $0.tenant == tenant }
    #expect(try edits.count { try !failing($0.check()).isEmpty } >= 2)
  }
}
