import GatehousePrimitives
import Testing

@testable import GatehouseIdentity
@testable import GatehouseServer
@testable import gatehouse

@Suite("Watched policy files, as a monitor sees them")
struct PolicyFilesTests {
  private func trouble(_ name: String, _ kind: PolicyFileTrouble.Kind = .wrong, why: String = "x") -> PolicyFileTrouble
  {
    PolicyFileTrouble(
      kind: kind, tenant: TenantName(name), name: "\(name).yaml", why: why, code: nil, line: nil, command: "",
      live: nil)
  }

  @Test("the detail has a hundred lines of 300 bytes at most, and counts the others")
  func bounded() {
    let long = String(repeating: "ü\u{0}\"", count: 10_000)
    let troubles = (0..<250).map { trouble("t\($0)", why: long) }
    var body = JSONObject()
    PolicyFilesDetail(lost: nil, troubles: troubles).add(to: &body)
    let lines = body["policy_files"]?.object?.members ?? []
    #expect(lines.count == 100)
    #expect(lines.allSatisfy { ($0.value.string ?? "").utf8.count <= 300 })
    #expect(body["policy_files_more"] == .integer(150))
  }

  @Test("where there is nothing to say, nothing is said")
  func silent() {
    var body = JSONObject()
    PolicyFilesDetail(lost: nil, troubles: []).add(to: &body)
    #expect(body.members.isEmpty)
    #expect(ServerFigures.of(policyFiles: []).flatMap(\.samples).isEmpty)
  }

  @Test("figures have a line for each tenant that there is something to say of, and none for a file's name")
  func figures() {
    let troubles = [
      trouble("a"), trouble("b", .differs), trouble("c", .weaker), trouble("Not A Tenant\n\"", .misnamed),
    ]
    let lines = ServerFigures.of(policyFiles: troubles).map { figure in
      "\(figure.name) " + figure.samples.map { "\($0.labels[0].value)=\($0.value)" }.joined(separator: " ")
    }
    #expect(lines == ["gatehouse_policy_file_refused a=1 c=1", "gatehouse_policy_file_drifted b=1 c=1"])
  }

  @Test(
    "a line has nothing in it that a terminal acts on, and an end",
    arguments: [
      ("plain", "plain"), ("two\nlines", "two\u{FFFD}lines"), ("\u{202E}x", "\u{FFFD}x"), ("é", "é"),
      (String(repeating: "a", count: 40), String(repeating: "a", count: 27) + "…"),
      (String(repeating: "€", count: 11), String(repeating: "€", count: 9) + "…"),
    ])
  func line(text: String, shown: String) {
    #expect(text.oneLine(bytes: 30) == shown)
    #expect(text.oneLine(bytes: 30).utf8.count <= 30)
  }

  @Test(
    "a path is one word of a shell",
    arguments: [
      ("policies/dd-ride.yaml", "policies/dd-ride.yaml"), ("a b.yaml", "'a b.yaml'"), ("it's", "'it'\\''s'"),
      ("$(rm).yaml", "'$(rm).yaml'"), ("", "''"),
    ])
  func word(path: String, word: String) { #expect(ShellWord.of(path) == word) }
}
