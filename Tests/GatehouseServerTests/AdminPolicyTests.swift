import GatehouseAdminWire
import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("A policy change over the admin API")
struct AdminPolicyTests {
  private static let path = "/admin/v1/tenants/vibes/policy"

  /// The policy with another length of access tokens: a change that means something and weakens nothing.
  private static func changed(_ policy: String, _ minutes: Int) throws -> String {
    let changed = policy.replacing(/access_token_ttl: \w+/, with: "access_token_ttl: \(minutes)m")
    guard changed != policy else { throw CocoaError(.formatting) }
    return changed
  }

  private static func put(
    _ ground: AdminGround, _ text: String, ifMatch: String?, query: String = "", token: String
  ) async throws -> TestClient.Answer {
    var headers = ["Content-Type": "application/yaml"]
    headers["If-Match"] = ifMatch
    return try await ground.client.send("PUT", path + query, text, token: token, headers: headers)
  }

  @Test("the text comes with its revision as ETag, and goes back under If-Match")
  func round() async throws {
    try await AdminGround.run { ground in
      let token = try await ground.server.adminToken("ci")
      let live = try await ground.client.get(Self.path, token: token)
      #expect(live.text == ground.policy && live.headers["etag"] == "\"1\"")
      #expect(live.headers["content-type"] == "application/yaml")
      let text = try Self.changed(ground.policy, 7)
      let missing = try await Self.put(ground, text, ifMatch: nil, token: token)
      #expect(missing.status == 428 && missing.code == "precondition_required")
      for tag in ["1", "W/\"1\"", "\"1\", \"2\"", "\"x\"", "\"-1\"", "\"99999999999999999999\""] {
        #expect(try await Self.put(ground, text, ifMatch: tag, token: token).status == 400, "\(tag)")
      }
      let stale = try await Self.put(ground, text, ifMatch: "\"2\"", token: token)
      #expect(stale.status == 412 && stale.code == "revision_stale" && stale.json["revision"] == .integer(1))
      #expect(stale.headers["etag"] == "\"1\"")
      let applied = try await Self.put(
        ground, text, ifMatch: "\"1\"", query: "?reason=shorter%20tokens&allow_weaker=true", token: token)
      #expect(applied.json["outcome"] == .string("applied"), "\(applied.text)")
      #expect(applied.json["revision"] == .integer(2) && applied.headers["etag"] == "\"2\"")
      let history = try await ground.client.get(Self.path + "/revisions?limit=1", token: token).json
      #expect(history["items"]?.array?[0]["author"] == .string("ci"))
      #expect(history["items"]?.array?[0]["reason"] == .string("shorter tokens"))
      let rest = try await ground.client.get(
        Self.path + "/revisions?cursor=\(history["next_cursor"]?.string ?? "")", token: token)
      #expect(rest.json["items"]?.array?.map { $0["revision"] } == [.integer(1)] && rest.json["next_cursor"] == nil)
      let row = try #require(try await ground.audit(.policyApplied).first)
      #expect(row.actor == "operator:ci" && row.address == "127.0.0.1" && row.details["token"] != nil)
      let old = try await ground.client.get(Self.path + "?revision=1", token: token)
      #expect(old.text == ground.policy && old.headers["etag"] == "\"1\"")
    }
  }

  @Test("a file whose tests fail takes the scope policy:emergency besides, and a reason")
  func emergency() async throws {
    try await AdminGround.run { ground in
      let text = try #require(
        ground.policy.contains("    expect: {ok: true, next")
          ? ground.policy.replacing(
            "    expect: {ok: true, next", with: "    expect: {ok: false, next")
          : nil)
      let query = "?allow_failing_tests=true&allow_weaker=true"
      let writer = try await ground.server.adminToken("writer", scopes: [.policyWrite])
      let refused = try await Self.put(ground, text, ifMatch: "*", query: query + "&reason=outage", token: writer)
      let both = try await ground.server.adminToken("both", scopes: [.policyWrite, .policyEmergency])
      let silent = try await Self.put(ground, text, ifMatch: "*", query: query, token: both)
      let plain = try await Self.put(ground, text, ifMatch: "*", query: "?reason=outage", token: both)
      let applied = try await Self.put(ground, text, ifMatch: "*", query: query + "&reason=outage", token: both)
      #expect([refused, silent, plain, applied].map(\.status) == [403, 422, 422, 200], "\(applied.text)")
    }
  }

  @Test("of two writers who looked at the same revision one wins, and the other is told which one is live")
  func race() async throws {
    try await AdminGround.run { ground in
      let token = try await ground.server.adminToken("ci")
      for round in 1...5 {
        async let first = Self.put(
          ground, try Self.changed(ground.policy, 2 * round + 20), ifMatch: "\"\(round)\"",
          query: "?allow_weaker=true", token: token)
        async let second = Self.put(
          ground, try Self.changed(ground.policy, 2 * round + 21), ifMatch: "\"\(round)\"",
          query: "?allow_weaker=true", token: token)
        let answers = try await [first, second].sorted { $0.status < $1.status }
        #expect(answers.map(\.status) == [200, 412], "\(answers.map(\.text))")
        #expect(answers[1].json["revision"] == .integer(Int64(round + 1)))
      }
      // Also without another request at the same moment.
      let late = try await Self.put(
        ground, try Self.changed(ground.policy, 50), ifMatch: "\"5\"", query: "?allow_weaker=true", token: token)
      #expect(late.status == 412 && late.json["revision"] == .integer(6), "\(late.text)")
      let seen = try await ground.client.get(Self.path + "/revisions", token: token).json["items"]?.array ?? []
      #expect(seen.compactMap { $0["revision"]?.integer } == [6, 5, 4, 3, 2, 1])
    }
  }

  @Test("a file that is wrong comes back with line, column and the text that the command line prints")
  func findings() async throws {
    try await AdminGround.run { ground in
      let token = try await ground.server.adminToken()
      let wrong = ground.policy.replacing("password:", with: "pasword:")
      let refused = try await Self.put(ground, wrong, ifMatch: "*", query: "?file=vibes.yaml", token: token)
      #expect(refused.status == 422 && refused.code == "refused")
      let findings = try #require(refused.json["findings"]?.array)
      let lines = wrong.split(separator: "\n", omittingEmptySubsequences: false)
      let line = try #require(lines.firstIndex { $0.hasPrefix("pasword:") })
      let finding = try #require(findings.first { $0["line"]?.integer == Int64(line + 1) })
      #expect(finding["column"] == .integer(1) && finding["code"]?.string?.hasPrefix("P") == true)
      #expect(refused.json["detail"]?.string?.hasPrefix("vibes.yaml is not applied:\nvibes.yaml:") == true)
      let check = try await ground.client.send(
        "POST", "/admin/v1/policy/check?file=vibes.yaml", wrong, token: token,
        headers: ["Content-Type": "application/yaml"])
      #expect(check.json["good"] == .bool(false) && check.json["findings"]?.text == refused.json["findings"]?.text)
      #expect(refused.json["detail"]?.string?.hasSuffix(check.json["report"]?.string ?? "?") == true)
    }
  }

  @Test("a weaker policy wants its word, a dry run says so and changes nothing")
  func consent() async throws {
    try await AdminGround.run { ground in
      let token = try await ground.server.adminToken()
      let weaker = try Self.changed(ground.policy, 59)
      let refused = try await Self.put(ground, weaker, ifMatch: "\"1\"", query: "?dry_run=true", token: token)
      #expect(refused.status == 409 && refused.code == "consent_required", "\(refused.text)")
      #expect(refused.json["hint"]?.string?.contains("--allow sessions.access_token_ttl") == true)
      let dry = try await Self.put(
        ground, weaker, ifMatch: "\"1\"", query: "?dry_run=true&allow_weaker=true", token: token)
      #expect(dry.json["outcome"] == .string("checked") && dry.json["revision"] == .integer(1))
      #expect(try await ground.client.get(Self.path, token: token).headers["etag"] == "\"1\"")
    }
  }

  @Test("one weaker change is allowed by its name, and another is not")
  func finding() async throws {
    try await AdminGround.run { ground in
      let token = try await ground.server.adminToken()
      let weaker = try Self.changed(ground.policy, 59)
      let other = try await Self.put(
        ground, weaker, ifMatch: "\"1\"", query: "?dry_run=true&allow=sessions.reuse_grace", token: token)
      #expect(other.code == "consent_required")
      #expect(other.json["detail"]?.string?.contains("(--allow sessions.access_token_ttl)") == true, "\(other.text)")
      let allowed = try await Self.put(
        ground, weaker, ifMatch: "\"1\"", query: "?allow=sessions.reuse_grace,sessions.access_token_ttl", token: token)
      #expect(allowed.json["outcome"] == .string("applied"), "\(allowed.text)")
    }
  }

  @Test("a file that is weaker than a revision its statement names is refused, whatever is allowed")
  func baseline() async throws {
    try await AdminGround.run { ground in
      let token = try await ground.server.adminToken()
      let statement = "  - {name: no edit lets more in, not_weaker_than: live}\n"
      let same = try await Self.put(ground, ground.policy + statement, ifMatch: "\"1\"", token: token)
      #expect(same.json["outcome"] == .string("applied"), "\(same.text)")
      let weaker = (ground.policy + statement).replacing("min_length: 3", with: "min_length: 2")
        .replacing(/tests:\n(.|\n)*always:/, with: "always:")
      let refused = try await Self.put(ground, weaker, ifMatch: "\"2\"", query: "?allow_weaker=true", token: token)
      #expect(refused.status == 422 && refused.code == "refused", "\(refused.text)")
      #expect(refused.json["detail"]?.string?.contains("no edit lets more in") == true)
    }
  }

  @Test("several tenants' policies are applied all or none, within the token's reach")
  func several() async throws {
    try await AdminGround.run { ground in
      let token = try await ground.server.adminToken("all")
      let narrow = try await ground.server.adminToken("narrow", tenants: ["vibes"])
      let vibes = JSONValue.string(try Self.changed(ground.policy, 7)).text
      let messai = JSONValue.string(try TestLists.policy("messai") + "\n# edited\n").text
      func body(_ messai: String) -> String {
        #"{"items":[{"tenant":"vibes","text":\#(vibes)},{"tenant":"messai","text":\#(messai)}],"allow_weaker":true}"#
      }
      #expect(try await ground.client.post("/admin/v1/policies", body(messai), token: narrow).status == 404)
      #expect(try await ground.client.post("/admin/v1/policies", body("\"no\""), token: token).status == 422)
      #expect(try await ground.client.get(Self.path, token: token).headers["etag"] == "\"1\"")
      let both = try await ground.client.post("/admin/v1/policies", body(messai), token: token)
      #expect(
        both.json["items"]?.array?.map { $0["outcome"] } == [.string("applied"), .string("applied")], "\(both.text)")
      #expect(try await ground.client.get(Self.path, token: token).headers["etag"] == "\"2\"")
    }
  }

  @Test("an impact is walked in answers of bounded length, and comes to the same as in one")
  func impact() async throws {
    try await AdminGround.run { ground in
      let main = TestClient(ground.server.url + "/t/messai")
      for number in 0..<5 {
        let up = try await main.post(
          "/v1/sign-up",
          #"{"email":"al\#(number)@example.com","password":"kt49xw","profile":{"displayName":"Al \#(number)"}}"#)
        #expect(up.status == 201, "\(up.text)")
      }
      let token = try await ground.server.adminToken("all")
      let text = JSONValue.string(try TestLists.policy("messai")).text
      let path = "/admin/v1/tenants/messai/policy/impact"
      let whole = try await ground.client.post(path, #"{"text":\#(text)}"#, token: token).json
      #expect(whole["people"] == .integer(5) && whole["next_cursor"] == nil)
      var answer = try await ground.client.post(path, #"{"text":\#(text),"limit":2}"#, token: token).json
      #expect(answer["people"] == .integer(2) && answer["total"] == .integer(5))
      var walked = 1
      while let cursor = answer["next_cursor"]?.string {
        answer = try await ground.client.post(
          path, #"{"text":\#(text),"limit":2,"cursor":"\#(cursor)"}"#, token: token
        ).json
        walked += 1
      }
      #expect(walked == 3)
      #expect(answer["rules"]?.text == whole["rules"]?.text && answer["keeping"] == whole["keeping"])
      #expect(answer["people"] == .integer(5) && answer["active"] == whole["active"])
      #expect(answer["passwords"]?.text == whole["passwords"]?.text)
      // Numbers that were never ours are refused, not added to.
      let begun = try await ground.client.post(path, #"{"text":\#(text),"limit":2}"#, token: token).json
      let cursor = try #require(begun["next_cursor"]?.string.flatMap { Base64URL.decode($0) })
      let forged = String(decoding: cursor, as: UTF8.self).replacing(
        "\"people\":2", with: "\"people\":9223372036854775807")
      for bad in [Base64URL.encode(Array(forged.utf8)), "x", Base64URL.encode(Array("{}".utf8))] {
        let refused = try await ground.client.post(path, #"{"text":\#(text),"cursor":"\#(bad)"}"#, token: token)
        #expect(refused.status == 400, "\(refused.text)")
      }
      // The live policy moved on: the walk cannot be finished honestly.
      _ = try await ground.server.apply(try TestLists.policy("messai") + "\n# edited\n", to: "messai")
      let old = Base64URL.encode(cursor)
      let stale = try await ground.client.post(path, #"{"text":\#(text),"cursor":"\#(old)"}"#, token: token)
      #expect(stale.status == 412 && stale.json["revision"] == .integer(2))
    }
  }

  @Test("people are named only to tokens that may read people")
  func samples() async throws {
    try await AdminGround.run { ground in
      let up = try await TestClient(ground.server.url + "/t/messai").post(
        "/v1/sign-up", #"{"email":"al@example.com","password":"kt49xw","profile":{"displayName":"Al"}}"#)
      #expect(up.status == 201)
      let strict =
        try TestLists.policy("messai").replacing(
          "normalize: lowercase",
          with: "normalize: lowercase, allowed_domains: [example.org], existing: require_at_sign_in"
        ).components(separatedBy: "\ntests:")[0] + "\n"
      let path = "/admin/v1/tenants/messai/policy/"
      let blind = try await ground.server.adminToken("blind", scopes: [.policyWrite])
      let seeing = try await ground.server.adminToken("seeing", scopes: [.policyWrite, .userRead])
      let body = #"{"text":\#(JSONValue.string(strict).text)}"#
      for (token, isNamed) in [(seeing, true), (blind, false)] {
        let impact = try await ground.client.post(path + "impact", body, token: token)
        #expect(impact.text.contains("al@example.com") == isNamed, "\(impact.text.prefix(500))")
        let user = try await ground.client.post(path + "explain", #"{"user":"al@example.com"}"#, token: token)
        #expect(user.status == (isNamed ? 200 : 403))
      }
    }
  }
}
