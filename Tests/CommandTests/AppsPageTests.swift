import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// What docs/apps.md and docs/attest.md show, held to the server. Programs for backends are run by tests of their own.
@Suite("docs/apps.md and docs/attest.md")
struct AppsPageTests {
  /// Blocks of a language, in the page's order, without the indentation of a list.
  private static func blocks(_ language: String, on page: String = "docs/apps.md") throws -> [String] {
    let lines = try String(contentsOf: ConfigTests.root.appending(path: page), encoding: .utf8)
      .components(separatedBy: "\n")
    var (blocks, open): ([String], [String]?) = ([], nil)
    for line in lines {
      if let block = open {
        guard line.trimmingCharacters(in: .whitespaces) == "```" else {
          open = block + [line]
          continue
        }
        let margin = line.prefix { $0 == " " }.count
        blocks.append(block.map { $0.dropFirst(margin) + "\n" }.joined())
        open = nil
      } else if line.trimmingCharacters(in: .whitespaces) == "```" + language {
        open = []
      }
    }
    return blocks
  }

  private static func names(_ value: JSONValue?) -> Set<String> { Set(value?.object?.members.map(\.key) ?? []) }

  @Test("a session answer and a refusal have the members that the page shows")
  func answers() async throws {
    let shown = try Self.blocks("json").map { try JSONParser.parse(Array($0.utf8)) }
    try #require(shown.count == 2)
    try await ServedApp.run { _, _, app in
      let client = TestClient(app.url + "/t/dd-ride")
      let profile = #""profile":{"name":"Willie W","phoneNumber":"(785) 555-0123"},"device":{"name":"phone"}"#
      let session = try await client.send(
        "POST", "/v1/sign-up", #"{"email":"willie@ksu.edu","password":"Wildcat1",\#(profile)}"#)
      #expect(session.status == 201 && Self.names(session.json) == Self.names(shown[0]), "\(session.text)")
      for part in ["session", "user", "policy", "device"] {
        #expect(Self.names(shown[0][part]).isSubset(of: Self.names(session.json[part])), "\(part): \(session.text)")
      }
      let refused = try await client.send(
        "POST", "/v1/sign-up", #"{"email":"wendy@ksu.edu","password":"Wild1",\#(profile)}"#)
      #expect(Self.names(refused.json) == Self.names(shown[1]), "\(refused.text)")
      let error = refused.json["errors"]?.array?.first
      #expect(error == shown[1]["errors"]?.array?.first, "\(refused.text)")
    }
  }

  /// Has the policy of an app checked, with these lines at its end.
  private static func check(_ lines: String) throws -> Binary.Outcome {
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let text = """
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme, locales: [en]}
      identifiers: {sign_in_with: [email], email: {normalize: lowercase}}
      password: {rules: [{id: length, min_length: 8}]}
      providers: {password: {use: sign_in}}
      profile:
        fields:
          username: {type: string, unique: ignore_case, visible_to: users, max_length: 40}
          displayName: {type: string, visible_to: users, max_length: 40}

      """
    try (text + lines).write(to: directory.appending(path: "acme.yaml"), atomically: true, encoding: .utf8)
    return try Binary.run(["policy", "check", "acme.yaml"], in: directory)
  }

  @Test("the sections of a policy are sections of a policy")
  func sections() throws {
    let blocks = try Self.blocks("yaml")
    try #require(blocks.count == 2)
    for block in blocks {
      let checked = try Self.check(block)
      #expect(checked.exit == 0, "\(block)\(checked.errors)\(checked.output)")
    }
  }

  @Test("the section on attestation is one, and its test passes")
  func attestation() throws {
    let blocks = try Self.blocks("yaml", on: "docs/attest.md")
    try #require(blocks.count == 2)
    let checked = try Self.check(blocks.joined(separator: "tests:\n"))
    let said = checked.output + checked.errors
    #expect(checked.exit == 0 && said.contains("1 test passed"), "\(said)")
  }

  @Test("the secrets of a sign-in on the server's pages are made by the commands of the page")
  func secrets() throws {
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let block = try #require(try Self.blocks("sh").first { $0.hasPrefix("verifier=") })
    let path = ["PATH": "/usr/bin:/bin"]
    let outcome = try Shell.run(block + "printf '%s %s' \"$verifier\" \"$challenge\"", in: directory, path)
    let made = outcome.output.split(separator: " ").map(String.init)
    try #require(outcome.exit == 0 && made.count == 2, "\(outcome.output)")
    #expect(made[0].utf8.count == 43 && made[1] == Base64URL.encode(SHA256.digest(made[0])))
  }

  @Test("the token of a backend for push messages is made by the commands of the page")
  func pushToken() async throws {
    let block = try #require(try Self.blocks("sh").first { $0.contains("push.token") })
    try await ServedApp.run(policies: ["messai": TestLists.policy("messai")]) { _, _, app in
      let path = Binary.url.deletingLastPathComponent().path + ":/usr/bin:/bin"
      let outcome = try Shell.run(block, in: app.directory, app.environment.merging(["PATH": path]) { $1 })
      #expect(outcome.exit == 0, "\(outcome.output)")
      let file = app.directory.appending(path: "push.token")
      let token = try String(contentsOf: file, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
      let admin = TestClient(app.admin)
      let found = try await admin.send(
        "POST", "/admin/v1/tenants/messai/push-tokens", #"{"users":["01970000-0000-7000-8000-000000000001"]}"#,
        token: token)
      #expect(found.status == 200, "\(found.text)")
    }
  }
}
