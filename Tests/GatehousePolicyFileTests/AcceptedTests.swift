import Foundation
import GatehousePolicy
@testable import GatehousePolicyFile
import Testing

/// `Accepted/` holds files that earlier versions accepted. A file is only ever added: each stands for a stored
/// revision.
@Suite("Stored revisions")
struct AcceptedTests {
  private static let folder = "Tests/GatehousePolicyFileTests/Accepted"

  static let names: [String] = {
    let url = Repository.root.appending(path: folder)
    return ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
  }()

  private func text(_ name: String) throws -> String {
    String(decoding: try Repository.bytes("\(Self.folder)/\(name)"), as: UTF8.self)
  }

  private func stored(_ text: String, _ language: PolicyLanguage = .first) throws -> PolicyFile {
    switch PolicyFile.read(text, name: "acme revision 1", as: .stored(language)) {
    case .success(let file): return file
    case .failure(let refusal): throw Unreadable(report: refusal.text())
    }
  }

  private static let head = """
    schema: gatehouse/policy.v1
    tenant: acme
    app: {name: Acme}
    password: {rules: [{id: min8, min_length: 8}]}

    """
  private static let google = "providers: {google: {use: sign_in, client_id: abc}}\n"

  @Test("T136 a file that an earlier version accepted loads as a stored revision", arguments: names)
  func loads(name: String) throws {
    #expect(try stored(try text(name)).policy.password.rules.isEmpty == false)
  }

  @Test("T136 a stored revision of the first language keeps its password door, named or not", arguments: names)
  func keepsDoor(name: String) throws {
    #expect(try stored(try text(name)).policy.hasPassword)
  }

  @Test("T136 a stored revision of an earlier language takes text of several lines, unless it says otherwise")
  func keepsLines() throws {
    let text = Self.head + "profile: {fields: {bio: {type: string}, nick: {type: string, multiline: false}}}\n"
    func lines(_ language: PolicyLanguage) throws -> [Bool] {
      try stored(text, language).policy.profile.fields.map(\.multiline)
    }
    #expect(try lines(.first) == [true, false])
    #expect(try lines(.passwordByName) == [true, false])
    #expect(try lines(.oneLine) == [false, false])
  }

  @Test("T136 the folder of accepted files has each shipped policy, the first default and a file without password")
  func folder() {
    let needed = ["dd-ride-1", "dd-ride-2", "messai-1", "messai-2", "vibes-1", "vibes-2", "initial-1", "no-password"]
    #expect(Set(needed.map { "\($0).yaml" }).isSubset(of: Self.names))
  }

  @Test("T136 only a revision of the first language whose providers leave password out says that it keeps the door")
  func saysSo() throws {
    let unnamed = try text("no-password.yaml")
    #expect(try stored(unnamed).policy.keepsPasswordDoor)
    #expect(try stored(unnamed, .current).policy.keepsPasswordDoor == false)
    #expect(try stored(unnamed, .current).policy.hasPassword == false)
    #expect(try stored(try text("no-providers.yaml")).policy.keepsPasswordDoor == false)
    #expect(try stored(try text("vibes-4.yaml")).policy.keepsPasswordDoor == false)
  }

  @Test("T136 a language that a newer server wrote closes the door as the current one does")
  func newerLanguage() throws {
    let newer = PolicyLanguage(rawValue: PolicyLanguage.current.rawValue + 1)
    #expect(try stored(Self.head + Self.google, newer).policy.hasPassword == false)
  }

  @Test(
    "T136 the tests of a stored revision are not read, whatever stands there",
    arguments: [
      "tests: [{name: closed, sign_up: {email: a@example.com, password: longenough}, expect: {ok: true}}]",
      "users: {Not: a user}\ntests: []", "tests_at: tomorrow\ntests: []", "tests: {not: a list}", "tests: text",
      "tests: [{name: x, door_of_the_future: {}, expect: {}}]",
      "tests: [&anchor {name: x}, *anchor]", "tests: [!tag x]",
      "tests: \(String(repeating: "[", count: 40))\(String(repeating: "]", count: 40))",
    ])
  func testsAreNotRead(tests: String) throws {
    let text = Self.head + Self.google + tests + "\nprivacy: {account_exists: reveal}\n"
    #expect(findings(text).isEmpty == false, "the negative control: a candidate is refused for them")
    let file = try stored(text)
    #expect(file.tests.isEmpty)
    #expect(["tests", "tests_at", "users"].allSatisfy { file.document.root?.entry($0) == nil })
    #expect(file.policy.privacy.accountExists == .reveal, "what stands behind them is read")
  }

  @Test("T136 a section called tests elsewhere is read as ever")
  func otherTests() throws {
    #expect(throws: Unreadable.self) { try stored(Self.head + "privacy: {tests: 1}\n") }
  }

  @Test("T136 a damaged revision is refused and never served with a rule less")
  func damaged() {
    let texts = [
      Self.head.replacing("min_length", with: "min_lenght"), Self.head + Self.head, "not: [a, policy", "",
      Self.head + "unknown: 1\n",
    ]
    for text in texts { #expect(throws: Unreadable.self, "\(text)") { try stored(text) } }
  }

  @Test("T136 a refusal that is newer than the first language binds candidates alone")
  func newRefusals() {
    // The codes of the text and of the meaning that the first servers had; a new one gets a number behind them.
    let old = DiagnosticCode.allCases.filter(\.bindsStored)
    #expect(old.count == 50 && old.allSatisfy { $0.rawValue <= "P0222" })
    let finding = Diagnostic(.closedDoor, "", at: .top)
    #expect(PolicyReading.candidate.refuses(finding))
    #expect(PolicyReading.stored(.first).refuses(finding) == false)
  }
}
