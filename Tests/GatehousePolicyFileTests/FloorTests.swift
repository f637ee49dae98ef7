import Foundation
import GatehousePolicy
@testable import GatehousePolicyFile
import GatehouseTesting
import Testing

@Suite("The operator's floor")
struct FloorTests {
  private func floor(_ text: String) throws -> Floor {
    try Floor.read(Array(("schema: gatehouse/floor.v1\n" + text).utf8), name: "floor.yaml").get()
  }

  private func findings(_ policy: String, _ floor: Floor) throws -> [Diagnostic] {
    let text = "schema: gatehouse/policy.v1\ntenant: acme\napp: {name: Acme}\n" + policy
    let sink = Diagnostics()
    floor.judge(try PolicyFile.read(text, name: "acme.yaml").get(), into: sink)
    return sink.found
  }

  @Test(
    "a policy below it is refused with both lines; one on it is not",
    arguments: [
      (
        "password: {min_length: 8}", "password: {rules: [{id: a, min_length: 7}]}",
        "password: {rules: [{id: a, min_length: 8}]}"
      ),
      (
        "password: {min_length: 8}",
        "password: {rules: [{id: a, min_length: 9, enforce: warn, enforce_from: 2027-01-01}, {id: b, min_length: 6}]}",
        "password: {rules: [{id: a, min_length: 6}, {id: b, min_length: 9}]}"
      ),
      (
        "password: {not_in: [common]}", "password: {rules: [{id: a, min_length: 8}]}",
        "password: {rules: [{id: a, not_in: common}]}"
      ),
      ("sessions: {access_token_ttl: 1h}", "sessions: {access_token_ttl: 61m}", "sessions: {access_token_ttl: 1h}"),
      ("sessions: {page_idle_ttl: 8h}", "privacy: {account_exists: hide}", "sessions: {page_idle_ttl: 8h}"),
      ("sessions: {page_max_ttl: 7d}", "sessions: {page_max_ttl: 169h}", "sessions: {page_max_ttl: 7d}"),
      ("sessions: {reuse_grace: 10s}", "sessions: {reuse_grace: 11s}", "sessions: {reuse_grace: 0s}"),
      (
        "verification: {code_ttl: 5m}", "verification: {email: {code_ttl: 10m}}",
        "verification: {email: {code_ttl: 5m}}"
      ),
      (
        "limits: {sign_in_per_account: 10/15m}", "limits: {sign_in_per_account: 11/15m}",
        "limits: {sign_in_per_account: 9/15m}"
      ),
      (
        "limits: {sign_in_per_account: 10/15m}", "limits: {sign_in_per_account: 10/10m}",
        "limits: {sign_in_per_account: 10/1h}"
      ),
      (
        "limits: {sign_in_per_account: 10/15m}", "privacy: {account_exists: hide}",
        "limits: {sign_in_per_account: 10/15m}"
      ),
    ])
  func bounds(_ bound: String, _ below: String, _ on: String) throws {
    let rest = { (text: String) in
      text.hasPrefix("password") ? text : text + "\npassword: {rules: [{id: a, min_length: 8}]}"
    }
    let floor = try floor(bound)
    let found = try findings(rest(below), floor)
    #expect(found.count == 1 && found.allSatisfy { $0.code == .belowFloor && $0.severity == .error })
    #expect(found.first?.notes.first?.text.hasPrefix("the floor: floor.yaml:2: ") == true)
    #expect((found.first?.range.start.line ?? 0) >= 1)
    #expect(try findings(rest(on), floor).isEmpty)
  }

  private static let hosts = """
    provider_hosts: [idp.example.com, "*.login.example.com"]
    continue_hosts: [auth.example.com, "*.app.example.com", localhost, "com.example.app:"]
    """

  private func hosts(_ keys: String) throws -> [String] {
    let (app, section) = keys.hasPrefix("{") ? (keys, "") : ("{name: Acme}", keys)
    let text =
      "schema: gatehouse/policy.v1\ntenant: acme\napp: \(app)\npassword: {rules: [{id: a, min_length: 8}]}\n\(section)\n"
    let sink = Diagnostics()
    try floor(Self.hosts).judge(try read(text), into: sink)
    return sink.found.map { "\($0.code) \($0.message) | \($0.notes.first?.text ?? "")" }
  }

  private static func provider(_ endpoints: String) -> String {
    "providers: {own: {use: sign_in, flow: code_pkce, client_id: c, redirect_uris: [\"https://x.example/cb\"], "
      + "scopes: [a], endpoints: {\(endpoints)}}}"
  }

  @Test(
    "T174 a policy that leads to a host or scheme outside of the floor is refused with the floor's line",
    arguments: [
      (provider(#"issuer: "https://evil.example""#), "providers.own.endpoints.issuer", "provider_hosts"),
      (provider(#"issuer: "https://login.example.com""#), "providers.own.endpoints.issuer", "provider_hosts"),
      (
        provider(#"issuer: "https://idp.example.com.evil.example""#), "providers.own.endpoints.issuer", "provider_hosts"
      ),
      (
        provider(#"issuer: "https://idp.example.com", jwks: "https://k.example/""#), "providers.own.endpoints.jwks",
        "provider_hosts"
      ),
      (#"{name: Acme, continue: ["https://evil.example/in"]}"#, "app.continue", "continue_hosts"),
      (#"{name: Acme, continue: ["https://app.example.com/in"]}"#, "app.continue", "continue_hosts"),
      (#"{name: Acme, continue: ["com.example.apps://in"]}"#, "app.continue", "continue_hosts"),
      (#"{name: Acme, open_app: "other://in"}"#, "app.open_app", "continue_hosts"),
      ("{name: Acme, base_url: https://evil.example}", "app.base_url", "continue_hosts"),
      (#"{name: Acme, origins: ["https://xapp.example.com"]}"#, "app.origins", "continue_hosts"),
    ])
  func hosts(_ keys: String, _ path: String, _ list: String) throws {
    let found = try hosts(keys)
    #expect(
      found.count == 1
        && found[0].hasPrefix("belowFloor \(path) leads to") && found[0].hasSuffix(": \(list)"), "\(found)")
  }

  @Test(
    "T174 hosts and schemes that the floor lists are taken, whatever the port, and so are a known provider's own",
    arguments: [
      provider(#"issuer: "https://idp.example.com:8443", jwks: "https://a.b.login.example.com/keys""#),
      "providers: {password: {use: sign_in}, google: {use: sign_in, audiences: [a]}}",
      #"{name: Acme, continue: ["com.example.app://in", "https://x.app.example.com/in", "http://localhost:8080/in"]}"#,
      #"{name: Acme, base_url: https://AUTH.example.com, open_app: "com.example.app://open"}"#,
    ])
  func listed(_ keys: String) throws { #expect(try hosts(keys) == []) }

  @Test(
    "T174 what is neither host nor scheme is no line of such a list",
    arguments: [
      "provider_hosts: [\"https://idp.example.com\"]", "provider_hosts: [\"idp.example.com:443\"]",
      "provider_hosts: [com]", "provider_hosts: [\"*\"]", "provider_hosts: [\"com.example.app:\"]",
      "continue_hosts: [\"https:\"]", "continue_hosts: [\"javascript:\"]", "continue_hosts: [\"a://b/c:\"]",
    ])
  func patterns(_ line: String) {
    #expect(throws: PolicyFileRefusal.self) { try floor(line) }
  }

  @Test("a wrong floor says where, an unknown key with what was meant")
  func wrong() throws {
    let result = Floor.read(Array("schema: gatehouse/floor.v1\npassword: {min_lenght: 8}\n".utf8), name: "floor.yaml")
    guard case .failure(let refusal) = result else {
      Issue.record("taken")
      return
    }
    #expect(refusal.text().contains("floor.yaml:2:12") && refusal.text().contains("did you mean \"min_length\""))
  }

  @Test("the floor that ships is read, and the three apps stand on it", arguments: ["messai", "dd-ride", "vibes"])
  func shipped(_ name: String) throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(TestLists.root)/config/floor.yaml"))
    let floor = try Floor.read([UInt8](bytes), name: "config/floor.yaml").get()
    let sink = Diagnostics()
    floor.judge(try PolicyFile.read(try TestLists.policy(name), name: name).get(), into: sink)
    #expect(sink.found.isEmpty)
  }

  @Test("stages: due within a week, stale without a date after 90 days, an exception that ends")
  func stages() throws {
    let text = """
      schema: gatehouse/policy.v1
      tenant: acme
      app: {name: Acme}
      password:
        rules: [{id: a, min_length: 8, enforce: warn, enforce_from: 2027-03-01}, {id: b, min_length: 9, enforce: warn}]
      exceptions: [{email: a@example.com, rule: password.a, until: 2027-03-02, reason: guest}]
      """
    let policy = try PolicyFile.read(text, name: "acme.yaml").get().policy
    let (first, last) = (date("2026-11-20"), date("2027-02-25"))
    #expect(policy.stages(at: first, since: first).isEmpty)
    #expect(
      policy.stages(at: last, since: first) == [
        .due(rule: "password.a", on: try #require(Day("2027-03-01"))), .stale(rule: "password.b"),
        .ending(rule: "password.a", on: try #require(Day("2027-03-02"))),
      ])
    #expect(policy.stages(at: last, since: last).count == 2)
  }
}
