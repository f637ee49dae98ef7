import Foundation
import GatehouseIdentity
import GatehousePolicyFile
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseAdminWire
import GatehouseWire
import Testing

/// What a change of policy does to a tenant whose secrets and people are led elsewhere by it.
enum TrustEdit: String, CaseIterable, CustomTestStringConvertible {
  case spotifyElsewhere = "Spotify's secret and grants go to another server"
  case ownIssuer = "an issuer of the thief's own signs in as any proven person"
  case continueElsewhere = "a sign-in is handed to another page"
  case linksElsewhere = "mailed links lead elsewhere"
  case stricter = "an app's return address goes"

  var testDescription: String { rawValue }

  func made(in policy: String) throws -> String {
    let (old, new) =
      switch self {
      case .spotifyElsewhere:
        (
          "    client_id: REPLACE\n",
          """
              client_id: REPLACE
              endpoints: {authorization: "https://evil.example/a", token: "https://evil.example/t",
                userinfo: "https://evil.example/u"}

          """
        )
      case .ownIssuer:
        (
          "  spotify:\n",
          """
            evil: {use: sign_in, flow: id_token, audiences: [x], existing_email: link_if_both_verified,
              endpoints: {issuer: "https://evil.example", jwks: "https://evil.example/jwks"}}
            spotify:

          """
        )
      case .continueElsewhere: ("[vibes://signed-in]", #"[vibes://signed-in, "https://evil.example/in"]"#)
      case .linksElsewhere: ("  locales: [en]\n", "  locales: [en]\n  base_url: https://evil.example\n")
      case .stricter: ("  continue: [vibes://signed-in]\n", "")
      }
    guard policy.contains(old) else { throw CocoaError(.formatting) }
    return policy.replacing(old, with: new)
  }
}

@Suite("A change of whom a tenant trusts, over the admin API")
struct TrustScopeTests {
  private static let path = "/admin/v1/tenants/vibes/policy"
  private static let ci: [AdminScope] = [.policyWrite]
  private static let trusted: [AdminScope] = [.policyWrite, .trustWrite]

  /// The app's policy without its tests, which speak of what is changed here.
  private static func policy(_ ground: AdminGround) -> String {
    ground.policy.components(separatedBy: "\nusers:")[0] + "\n"
  }

  private static func put(
    _ ground: AdminGround, _ text: String, query: String = "?allow_weaker=true&allow_lockout=true", token: String
  ) async throws -> TestClient.Answer {
    try await ground.client.send(
      "PUT", path + query, text, token: token, headers: ["Content-Type": "application/yaml", "If-Match": "*"])
  }

  private static func revision(_ ground: AdminGround) async throws -> Int? {
    try await Tenants.find("vibes", ground.server.services).live(ground)
  }

  @Test(
    "T172 a token with policy:write alone is refused by the scope, and nothing is changed",
    arguments: TrustEdit.allCases)
  func refused(_ edit: TrustEdit) async throws {
    try await AdminGround.run { ground in
      let token = try await ground.server.adminToken("ci", scopes: Self.ci, tenants: ["vibes"])
      let text = try edit.made(in: Self.policy(ground))
      let many = #"{"items":[{"tenant":"vibes","text":\#(JSONValue.string(text).text)}],"allow_weaker":true}"#
      let answers = [
        try await Self.put(ground, text, token: token),
        try await Self.put(ground, text, query: "?dry_run=true&allow_weaker=true&allow_lockout=true", token: token),
        try await Self.put(ground, text, query: "", token: token),
        try await ground.client.post("/admin/v1/policies", many, token: token),
      ]
      #expect(answers.map(\.status) == [403, 403, 403, 403], "\(answers.map(\.text))")
      #expect(answers.allSatisfy { $0.code == "forbidden" && $0.json["scope"] == .string("trust:write") })
      #expect(try await Self.revision(ground) == 1)
    }
  }

  @Test("T172 the refusal names each change of trust, and who may apply it")
  func words() async throws {
    try await AdminGround.run { ground in
      let token = try await ground.server.adminToken("ci", scopes: Self.ci)
      let text = try TrustEdit.continueElsewhere.made(in: TrustEdit.linksElsewhere.made(in: Self.policy(ground)))
      let refused = try await Self.put(ground, text, token: token).json
      let detail = refused["detail"]?.string ?? ""
      #expect(
        detail.contains("app.base_url: nothing → https://evil.example") && detail.contains("app.continue")
          && refused["hint"]?.string?.contains("trust:write") == true, "\(detail)")
    }
  }

  @Test("T172 a token with both scopes applies it; answer, history and trail say what it changed of trust")
  func honest() async throws {
    try await AdminGround.run { ground in
      let token = try await ground.server.adminToken("lead", scopes: Self.trusted)
      let applied = try await Self.put(
        ground, try TrustEdit.continueElsewhere.made(in: Self.policy(ground)), token: token)
      #expect(applied.status == 200, "\(applied.text)")
      #expect(applied.json["trust"]?.array?.count == 1, "\(applied.text)")
      let history = try await ground.client.get(Self.path + "/revisions", token: token).json["items"]?.array ?? []
      #expect(history.map { $0["trust"] } == [.array([.string("app.continue")]), nil])
      #expect(try await ground.audit(.policyApplied).first?.details["trust"] == "app.continue")
    }
  }

  @Test("T172 a change of a rule needs no more than policy:write, and is marked nowhere")
  func rules() async throws {
    try await AdminGround.run { ground in
      let token = try await ground.server.adminToken("ci", scopes: Self.ci, tenants: ["vibes"])
      let text = Self.policy(ground).replacing("access_token_ttl: 15m", with: "access_token_ttl: 5m")
      let applied = try await Self.put(ground, text, token: token)
      #expect(applied.status == 200 && applied.json["trust"] == nil, "\(applied.text)")
    }
  }

  @Test("T172 a difference is marked where it is one of trust, for who may only read")
  func difference() async throws {
    try await AdminGround.run { ground in
      let token = try await ground.server.adminToken("reader", scopes: [.policyRead])
      let text = try TrustEdit.stricter.made(in: Self.policy(ground)).replacing(
        "access_token_ttl: 15m", with: "access_token_ttl: 5m")
      let answer = try await ground.client.send(
        "POST", Self.path + "/diff", text, token: token, headers: ["Content-Type": "application/yaml"])
      let marks = Dictionary(
        uniqueKeysWithValues: (answer.json["items"]?.array ?? []).map { ($0["subject"]?.string ?? "", $0["trust"]) })
      #expect(marks == ["app.continue": .bool(true), "sessions.access_token_ttl": nil], "\(answer.text)")
    }
  }

  @Test("T172 a way back to a revision that trusts others needs the scope as well")
  func rollback() async throws {
    try await AdminGround.run { ground in
      let token = try await ground.server.adminToken("ci", scopes: Self.ci, tenants: ["vibes"])
      let lead = try await ground.server.adminToken("lead", scopes: Self.trusted)
      _ = try await ground.server.apply(
        try TrustEdit.stricter.made(in: Self.policy(ground)), to: "vibes", allowsWeaker: true, allowsLockout: true)
      let body = #"{"revision":1,"allow_weaker":true,"allow_lockout":true}"#
      let refused = try await ground.client.post(Self.path + "/rollback", body, token: token)
      #expect(refused.status == 403 && refused.json["scope"] == .string("trust:write"), "\(refused.text)")
      #expect(try await Self.revision(ground) == 2)
      let back = try await ground.client.post(Self.path + "/rollback", body, token: lead)
      #expect(back.status == 200, "\(back.text)")
    }
  }

  @Test("T172 the scope alone, or a token that makes tokens, is no way around")
  func around() async throws {
    try await AdminGround.run { ground in
      let text = try TrustEdit.continueElsewhere.made(in: Self.policy(ground))
      let alone = try await ground.server.adminToken("alone", scopes: [.trustWrite])
      #expect(try await Self.put(ground, text, token: alone).json["scope"] == .string("policy:write"))
      let maker = try await ground.server.adminToken("maker", scopes: [.policyWrite, .tokenWrite])
      let made = try await ground.client.post(
        "/admin/v1/tokens", #"{"name":"child","scopes":["policy:write","trust:write"]}"#, token: maker)
      #expect(made.status == 403 && made.json["scope"] == .string("trust:write"), "\(made.text)")
    }
  }

  @Test("T172 what is applied meanwhile is what a change is judged against")
  func race() async throws {
    try await AdminGround.run { ground in
      let token = try await ground.server.adminToken("ci", scopes: Self.ci, tenants: ["vibes"])
      let wide = Self.policy(ground)
      let narrow = try TrustEdit.stricter.made(in: wide)
      for round in 1...6 {
        // The operator takes the address away; the pipeline holds the text that still has it.
        async let taken = ground.server.apply(
          narrow + "# \(round)\n", to: "vibes", allowsWeaker: true, allowsLockout: true)
        async let late = Self.put(
          ground, wide.replacing("access_token_ttl: 15m", with: "access_token_ttl: \(round)m"), token: token)
        _ = try? await taken
        _ = try await late
        _ = try? await ground.server.apply(
          wide + "# \(round)\n", to: "vibes", allowsWeaker: true, allowsLockout: true)
      }
      let store = ground.server.services.store.open(try await Tenants.find("vibes", ground.server.services).id)
      let revisions = try await store.revisions(before: nil, limit: 100)
      let name = try #require(TenantName("vibes"))
      let brought = try zip(revisions, revisions.dropFirst()).filter { $0.0.author == "ci" }.flatMap { new, old in
        PolicyFile.diff(try old.file(of: name).get(), try new.file(of: name).get()).filter(\.isTrust)
      }
      #expect(brought.isEmpty && revisions.count > 6)
    }
  }

  @Test(
    "T175 a tenant is made with a policy that trusts others by a token that may change trust, and by no other",
    arguments: [
      ([AdminScope.tenantWrite], "", 200),
      ([.tenantWrite, .trustWrite], #", continue: ["https://a.example/in"]"#, 200),
      ([.tenantWrite], #", continue: ["https://a.example/in"]"#, 403),
      ([.tenantWrite, .policyWrite], ", base_url: https://evil.example", 403),
    ])
  func made(_ scopes: [AdminScope], _ key: String, _ status: Int) async throws {
    try await AdminGround.run { ground in
      let token = try await ground.server.adminToken("maker", scopes: scopes)
      let initial = PolicyFile.initial(tenant: "fresh", name: "Fresh").replacing(
        "locales: [en]}", with: "locales: [en]\(key)}")
      let body = #"{"name":"fresh","policy":\#(JSONValue.string(initial).text)"#
      let dry = try await ground.client.post("/admin/v1/tenants", body + #","dry_run":true}"#, token: token)
      let made = try await ground.client.post("/admin/v1/tenants", body + "}", token: token)
      #expect(made.status == status, "\(made.text)")
      #expect((dry.status == 403) == (status == 403), "\(dry.text)")
      let there = try await ground.server.services.directory.tenant(try #require(TenantName("fresh")))
      #expect((there != nil) == (status == 200))
    }
  }

  @Test("T175 a host leads mailed links to itself, so proving one needs trust:write besides")
  func host() async throws {
    try await AdminGround.run { ground in
      let token = try await ground.server.adminToken("narrow", scopes: [.tenantWrite])
      let path = "/admin/v1/tenants/vibes/hosts"
      let claimed = try await ground.client.post(path, #"{"host":"auth.evil.example"}"#, token: token)
      #expect(claimed.status == 201, "\(claimed.text)")
      let refused = try await ground.client.post(path + "/auth.evil.example/verify", "{}", token: token)
      #expect(refused.status == 403 && refused.json["scope"] == .string("trust:write"), "\(refused.text)")
    }
  }

  @Test("T177 THREATS.md says of every scope what it is worth to a thief, and of no other")
  func worth() throws {
    let text = try String(contentsOfFile: TestLists.root + "/THREATS.md", encoding: .utf8)
    let section = try #require(text.components(separatedBy: "## What a stolen admin token is worth\n").last)
      .components(separatedBy: "\n## ")[0]
    let scopes = section.matches(of: /(?m)^\| `([a-z]+:[a-z]+)` \|/).map { String($0.1) }
    #expect(scopes == AdminScope.allCases.map(\.rawValue))
  }
}

extension TenantRecord {
  fileprivate func live(_ ground: AdminGround) async throws -> Int? {
    try await ground.server.services.store.open(id).newestRevision()?.number
  }
}
