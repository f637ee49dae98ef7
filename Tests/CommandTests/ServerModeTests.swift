import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import gatehouse

@Suite("The command line through a server")
struct ServerModeTests {
  /// Each works on what the ones before it left; those that change something run twice and say the same both times.
  private static let lines = [
    "tenant list", "tenant list --output json", "tenant show dd-ride", "tenant show nobody",
    "tenant show 'no such thing'",
    "tenant create Solo", "tenant create solo --dry-run", "tenant create dd-ride",
    "tenant create dd-ride --if-not-exists",
    "tenant set dd-ride", "tenant set dd-ride --display-name Ride", "tenant disable dd-ride --dry-run",
    "tenant delete dd-ride --dry-run", "tenant delete dd-ride --no-input",
    "policy show dd-ride", "policy show dd-ride --revision 7", "policy history dd-ride --output csv",
    "policy history nobody", "policy diff dd-ride policies/dd-ride.yaml", "policy diff dd-ride weaker.yaml",
    "policy diff dd-ride wrong.yaml", "policy diff dd-ride failing.yaml", "policy impact dd-ride failing.yaml",
    "policy diff dd-ride weaker.yaml --output json", "policy diff dd-ride --revision 1",
    "policy diff dd-ride --revision 9 1", "policy diff dd-ride --revision 1 weaker.yaml", "policy diff dd-ride",
    "policy diff dd-ride --revision 1 0", "policy diff nobody --revision 1 1",
    "policy diff policies/dd-ride.yaml --revision 1",
    "policy apply dd-ride weaker.yaml", "policy apply dd-ride weaker.yaml --dry-run --allow-weaker",
    "policy apply dd-ride wrong.yaml", "policy apply dd-ride failing.yaml", "policy apply nobody weaker.yaml",
    "policy apply dd-ride weaker.yaml --expect-revision 9", "policy apply dd-ride policies/dd-ride.yaml",
    "policy apply --files policies --dry-run", "policy rollback dd-ride 1", "policy rollback dd-ride 9",
    "policy rollback dd-ride 1 --reason 'once more'", "policy purge dd-ride nickname --dry-run",
    "policy purge dd-ride nickname --yes", "policy purge dd-ride name --yes",
    "policy backfills dd-ride", "policy backfills nobody",
    "policy undo dd-ride 0198c2f4-55aa-7cc1-8d13-0a2b8f3f1c11 --yes",
    "user list dd-ride --fields name,nickname --output json", "user list dd-ride --fields name,nickname",
    "policy impact dd-ride policies/dd-ride.yaml", "policy impact dd-ride wrong.yaml",
    "policy impact dd-ride weaker.yaml --output json --at 2030-01-01",
    "policy explain dd-ride password.min8", "policy explain dd-ride password.min9", "policy explain dd-ride",
    "policy explain dd-ride --sign-up '{\"email\":\"a@example.com\",\"password\":\"x\"}'",
    "policy explain dd-ride --sign-up '{' ", "policy explain dd-ride --user willie@ksu.edu",
    "policy explain dd-ride --user willie@ksu.edu --revision 4", "policy explain dd-ride --request '{}' --door invite",
    "user list dd-ride", "user list dd-ride --failing email.allowed_domains", "user list dd-ride --failing nothing",
    "user list dd-ride --after 7", "user list dd-ride --output json --limit 1", "user show dd-ride willie@ksu.edu",
    "user show dd-ride nobody@ksu.edu", "user show dd-ride 'a b/..%2f'", "user create dd-ride al",
    "user create dd-ride kay@ksu.edu name=Kay phoneNumber=7855550123 --dry-run",
    "user create dd-ride kay@ksu.edu name", "user create dd-ride willie@ksu.edu name=Kay phoneNumber=7855550123",
    "user set dd-ride willie@ksu.edu classYear=three", "user set dd-ride willie@ksu.edu classYear=3",
    "user set dd-ride --where classYear=3 classYear=4 --dry-run",
    "user set dd-ride --where classYear classYear=4 --yes",
    "user set dd-ride --where classYear=3 classYear=77 --yes",
    "user set dd-ride willie@ksu.edu", "user set dd-ride willie@ksu.edu colour=red",
    "user disable dd-ride willie@ksu.edu",
    "user enable dd-ride willie@ksu.edu", "user verify-email dd-ride willie@ksu.edu",
    "user sessions dd-ride willie@ksu.edu", "user revoke dd-ride willie@ksu.edu --session 7",
    "user revoke dd-ride willie@ksu.edu --session 0190e5a2-5c1b-7e7c-8d3a-3a1f5b6c7d8e",
    "user revoke dd-ride willie@ksu.edu", "user delete dd-ride willie@ksu.edu --no-input",
    "user delete dd-ride willie@ksu.edu --dry-run",
    "secret list dd-ride", "secret set dd-ride Wrong --secret-file key.txt",
    "secret set dd-ride key --secret-file key.txt",
    "secret list dd-ride --output ndjson", "secret remove dd-ride nothing --yes",
    "key list dd-ride", "key rotate dd-ride --dry-run", "key jwks dd-ride", "key jwks nobody", "key rewrap --dry-run",
    "key rewrap --output json", "key retire dd-ride nothing --yes",
    "tenant host list dd-ride", "tenant host add dd-ride auth_dd",
    "tenant host add dd-ride auth.ddride.example --dry-run",
    "tenant host allow dd-ride auth.ddride.example",
    "tenant host verify dd-ride auth.ddride.example", "tenant host remove dd-ride auth.ddride.example --yes",
    "tenant logo show dd-ride", "tenant logo set dd-ride key.txt", "tenant logo set dd-ride logo.svg --dry-run",
    "tenant logo remove dd-ride --yes", "tenant logo show nobody",
    "webhook list dd-ride", "webhook create dd-ride https://169.254.169.254/",
    "webhook create dd-ride https://example.com/ --fields colour",
    "webhook create dd-ride https://example.com/ --dry-run",
    "webhook create dd-ride https://example.com/ --events made", "webhook show dd-ride 0000",
    "webhook test nobody 0000",
    "webhook delete dd-ride 0000 --yes", "webhook enable dd-ride 0000", "webhook rotate-secret dd-ride 0000",
    "mail preview dd-ride verify_email", "mail preview dd-ride reset_password --language es --html",
    "mail queue --tenant dd-ride", "mail queue --tenant nobody", "mail retry --tenant dd-ride --dry-run",
    "mail drop --kind nothing --dry-run",
    "mail preview dd-ride nothing", "mail send-test dd-ride ops@example.com --kind nothing",
    "mail send-test dd-ride ops@example.com --dry-run",
    "user export dd-ride nobody@ksu.edu", "user erase dd-ride willie@ksu.edu --dry-run",
    "user erase dd-ride willie@ksu.edu --no-input", "user erase dd-ride nobody@ksu.edu --yes",
    "audit verify nobody", "audit export nobody",
    "audit search dd-ride --event tenant_created", "audit search dd-ride --user nobody@ksu.edu",
    "admin list --output ndjson", "admin create Not-A-Name --scope all --all-tenants",
    "admin create x --scope all --all-tenants --dry-run", "admin create x --all-tenants", "admin create x --scope all",
    "admin create x --scope root --all-tenants", "admin revoke nobody",
  ]

  private static func files(_ app: ServedApp) throws {
    let policy = try TestLists.policy("dd-ride")
    let versions = [
      "weaker.yaml": policy.replacing("refresh_idle_ttl: 60d", with: "refresh_idle_ttl: 61d"),
      "wrong.yaml": policy.replacing("password:", with: "pasword:"),
      "failing.yaml": policy.replacing("expect: {ok: true", with: "expect: {ok: false"),
    ]
    for (name, text) in versions {
      try #require(text != policy)
      try text.write(to: app.directory.appending(path: name), atomically: true, encoding: .utf8)
    }
    try #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>"#
      .write(to: app.directory.appending(path: "logo.svg"), atomically: true, encoding: .utf8)
    let key = app.directory.appending(path: "key.txt")
    try "hunter2\n".write(to: key, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key.path)
  }

  @Test("every verb says the same, and ends the same, through a server as over the database")
  func parity() async throws {
    try await ServedApp.run { _, _, app in
      try Self.files(app)
      let up = try await TestClient(app.url + "/t/dd-ride").post(
        "/v1/sign-up",
        #"{"email":"willie@ksu.edu","password":"Wildcat1","profile":{"name":"Willie","phoneNumber":"(785) 555-0123"}}"#)
      #expect(up.status == 201)
      let remote = try Self.remote(app, try app.adminToken("ops", "--scope", "all", "--all-tenants"))
      for line in Self.lines {
        let words = ShellWords.split(line)
        let here = try Binary.run(words, in: app.directory, environment: app.environment)
        let there = try Binary.run(words, in: app.directory, environment: remote)
        // When a token was last used changes with its use.
        let output = line.hasPrefix("admin list") ? Self.withoutUse(there.output) : there.output
        #expect(output == (line.hasPrefix("admin list") ? Self.withoutUse(here.output) : here.output), "\(line)")
        #expect(there.errors == here.errors, "\(line)")
        #expect(there.exit == here.exit, "\(line): \(there.exit), \(here.exit)")
      }
    }
  }

  @Test("a command with --server takes effect, and the trail names its token")
  func changes() async throws {
    try await ServedApp.run { _, _, app in
      try Self.files(app)
      let remote = try Self.remote(app, try app.adminToken("ci", "--scope", "all", "--all-tenants"))
      func there(_ line: String, input: String = "") throws -> Binary.Outcome {
        try Binary.run(ShellWords.split(line), in: app.directory, environment: remote, input: input)
      }
      let applied = try there("policy apply dd-ride weaker.yaml --allow-weaker --reason 'longer sessions'")
      #expect(applied.output == "revision 2 is live\n" && applied.exit == 0, "\(applied.errors)")
      #expect(try there("policy rollback dd-ride 1").output == "revision 3 is live\n")
      #expect(try there("user create dd-ride kay@ksu.edu name=Kay phoneNumber=7855550123").exit == 0)
      #expect(try there("secret set dd-ride key --secret-file -", input: "s3cret-canary").exit == 0)
      #expect(try there("key rotate dd-ride").exit == 0)
      #expect(try there("tenant create other --display-name Other").output.hasPrefix("made other\n"))
      #expect(try there("tenant delete other --yes").errors.contains("gatehouse tenant disable other"))
      #expect(try there("tenant disable other --yes").exit == 0)
      #expect(try there("tenant delete other --yes").errors == "other is gone\n")
      let history = try app.run("policy", "history", "dd-ride", "--output", "csv").output
      #expect(history.contains(",ci,longer sessions,") && history.contains(",ci,rollback to revision 1,"))
      let trail = try app.run("audit", "search", "dd-ride", "--output", "ndjson").output
      for event in ["policy_applied", "user_created", "secret_changed", "key_rotated"] {
        #expect(
          trail.split(separator: "\n").contains { $0.contains(event) && $0.contains("\"operator:ci\"") }, "\(event)")
      }
      let secrets = try there("secret list dd-ride --output json").output
      #expect(secrets.contains("key") && !secrets.contains("canary") && !trail.contains("canary"))
      // Each of these changes the trail, so that only here it can be asked for through the server.
      #expect(try there("mail send-test dd-ride ops@example.com").errors.hasPrefix("sent to ops@example.com: "))
      let hook = try there("webhook create dd-ride https://example.com/in --fields email --output json")
      let made = try JSONParser.parse(Array(hook.output.utf8))["item"] ?? .null
      #expect(made["secret"]?.string?.hasPrefix("whsec_") == true && hook.exit == 0, "\(hook.errors)")
      let id = try #require(made["id"]?.string)
      #expect(try there("webhook rotate-secret dd-ride \(id)").exit == 0)
      #expect(try there("webhook enable dd-ride \(id)").exit == 0)
      #expect(try there("webhook delete dd-ride \(id) --yes").exit == 0)
      let copy = try there("audit export dd-ride")
      #expect(copy.exit == 0, "\(copy.errors)")
      let check = try Binary.run(
        ["audit", "verify", "--file", "-", "--output", "json"], in: app.directory, environment: [:], input: copy.output)
      #expect(check.exit == 0 && check.output.contains(#""holds":true"#), "\(check.output)")
      try copy.output.write(to: app.directory.appending(path: "trail.ndjson"), atomically: true, encoding: .utf8)
      let whole = try there("audit verify dd-ride --against trail.ndjson --output json")
      #expect(whole.exit == 0 && whole.output.contains(#""holds":true"#), "\(whole.errors)")
      #expect(try there("user export dd-ride kay@ksu.edu").output.contains(#""email":"kay@ksu.edu""#))
      #expect(try there("user erase dd-ride kay@ksu.edu --yes").errors == "kay@ksu.edu of dd-ride: erased\n")
      #expect(try there("user show dd-ride kay@ksu.edu").exit == 3)
      // Checking by the server's lists prints what checking here prints.
      for line in ["policy check failing.yaml", "policy check wrong.yaml --format sarif", "policy test failing.yaml"] {
        let words = ShellWords.split(line)
        let here = try Binary.run(words, in: app.directory, environment: app.environment)
        let checked = try Binary.run(words + ["--server", app.admin], in: app.directory, environment: remote)
        #expect(checked.output == here.output && checked.exit == here.exit, "\(line): \(checked.errors)")
      }
      #expect(try there("admin create child --scope policy:read --tenant dd-ride").exit == 0)
      let revoked = try app.run("admin", "revoke", "ci", "--yes")
      #expect(revoked.errors == "the token ci is revoked, and 1 that it made: child\n")
    }
  }

  @Test("a bad token, a missing server, and clear text to another machine end with a plain error")
  func refusals() async throws {
    try await ServedApp.run { server, _, app in
      let narrow = try app.adminToken("narrow", "--scope", "policy:read", "--tenant", "dd-ride")
      func run(_ words: [String], _ environment: [String: String]) throws -> Binary.Outcome {
        try Binary.run(words, in: app.directory, environment: environment)
      }
      let list = ["user", "list", "dd-ride"]
      let lacking = try run(list, try Self.remote(app, narrow))
      #expect(lacking.exit == 4 && lacking.errors.contains("does not allow user:read"))
      let unknown = try run(list, try Self.remote(app, "gh_ad_" + String(repeating: "A", count: 43)))
      #expect(unknown.exit == 4 && unknown.errors.contains("unknown, revoked or expired"))
      #expect(try run(list, ["GATEHOUSE_SERVER": app.admin]).exit == 2, "no token")
      let elsewhere = try run(list, ["GATEHOUSE_SERVER": app.url, "GATEHOUSE_ADMIN_TOKEN": narrow])
      #expect(elsewhere.exit == 3 || elsewhere.exit == 6, "\(elsewhere.errors)")
      let clear = try run(list + ["--server", "http://auth.example.com:9091"], ["GATEHOUSE_ADMIN_TOKEN": narrow])
      #expect(clear.exit == 2 && clear.errors.contains("in clear"))
      let unreachable = try run(list + ["--server", "http://127.0.0.1:1"], ["GATEHOUSE_ADMIN_TOKEN": narrow])
      #expect(unreachable.exit == 6 && !unreachable.errors.contains(narrow))
      let both = try run(list + ["--server", app.admin, "--data-dir", "x"], ["GATEHOUSE_ADMIN_TOKEN": narrow])
      #expect(both.exit == 2)
      for bad in ["https://user@host", "https://host/path", "https://host?x", "ftp://host"] {
        #expect(try run(list + ["--server", bad], ["GATEHOUSE_ADMIN_TOKEN": narrow]).exit == 2, "\(bad)")
      }
      let line = try #require(server.lines.last { $0.contains("\"token\":\"narrow\"") })
      #expect(line.contains("/admin/v1/tenants/{tenant}/users") && line.contains("\"status\":403"))
      #expect(!server.text.contains(narrow))
    }
  }

  @Test("an admin listener that others could reach in clear is refused")
  func exposed() throws {
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    func check(_ environment: [String: String]) throws -> Binary.Outcome {
      try Binary.run(
        ["config", "check"], in: directory,
        environment: ["GATEHOUSE_ADMIN_LISTEN": "0.0.0.0:9091"].merging(environment) { $1 })
    }
    let refused = try check([:])
    #expect(refused.exit == 1 || refused.exit == 2)
    #expect((refused.errors + refused.output).contains("would take tokens in clear"))
    #expect(try !check(["GATEHOUSE_ADMIN_LISTEN": "127.0.0.1:9091"]).errors.contains("in clear"))
    #expect(try !check(["GATEHOUSE_DEV": "true", "GATEHOUSE_DEV_ANYWHERE": "true"]).errors.contains("in clear"))
    let same = try check(["GATEHOUSE_ADMIN_LISTEN": "127.0.0.1:9090"])
    #expect((same.errors + same.output).contains("is the same address"))
  }

  @Test("what a request needs is escaped, and dots climb nowhere")
  func targets() {
    #expect(AdminRequest.encoded("a b/..%2f") == "a%20b%2F%2E%2E%252f")
    #expect(AdminRequest.encoded("willie@ksu.edu") == "willie%40ksu%2Eedu")
  }

  /// No database, only the server; the lists are here for what runs here.
  private static func remote(_ app: ServedApp, _ token: String) throws -> [String: String] {
    [
      "GATEHOUSE_SERVER": app.admin, "GATEHOUSE_ADMIN_TOKEN": token,
      "GATEHOUSE_LISTS": app.environment["GATEHOUSE_LISTS"] ?? "",
    ]
  }

  private static func withoutUse(_ text: String) -> String {
    text.replacing(/"last_used_at":[^,]*/, with: "")
  }
}
