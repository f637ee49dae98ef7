import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Claims of host names")
struct HostClaimTests {
  private let host = "auth.shared.example"

  /// A server with two tenants, a name server of another make, and a token of each tenant alone.
  private struct Ground {
    let server: TestServer
    let client: TestClient
    let names: DNSPeer
    let vibes: String
    let messai: String
    let all: String

    static func run(_ body: (Ground) async throws -> Void) async throws {
      let policies = try ["messai": TestLists.policy("messai"), "vibes": TestLists.policy("vibes")]
      let names = try await DNSPeer.start(packages: TestLists.root + "/.build/python")
      let server = try await TestServer.start(
        policies: policies, resolver: .init(address: "127.0.0.1", port: names.port))
      do {
        try await body(
          Ground(
            server: server, client: TestClient(server.adminURL), names: names,
            vibes: try await server.adminToken("vibes-own", tenants: ["vibes"]),
            messai: try await server.adminToken("messai-own", tenants: ["messai"]),
            all: try await server.adminToken("all")))
        await server.stop()
      } catch {
        await server.stop()
        throw error
      }
    }

    func send(_ method: String, _ tenant: String, _ path: String = "", _ body: String = "{}", token: String)
      async throws -> TestClient.Answer
    {
      let answer = try await client.send(
        method, "/admin/v1/tenants/\(tenant)/hosts\(path)", method == "POST" ? body : nil, token: token)
      try await TenantLoader(server.services).loadAll()
      return answer
    }

    func claim(_ host: String, _ tenant: String, token: String) async throws -> TestClient.Answer {
      try await send("POST", tenant, "", #"{"host":"\#(host)"}"#, token: token)
    }

    func verify(_ host: String, _ tenant: String, token: String) async throws -> TestClient.Answer {
      try await send("POST", tenant, "/\(host)/verify", token: token)
    }

    func allow(_ host: String, _ tenant: String, token: String) async throws -> TestClient.Answer {
      try await send("POST", tenant, "/\(host)/allow", token: token)
    }

    /// The states of a tenant's claims.
    func states(_ tenant: String) async throws -> [String] {
      try await send("GET", tenant, token: all).json["items"]?.array?.compactMap { $0["state"]?.string } ?? []
    }
  }

  @Test("T139 a claim by a token of one tenant waits until an operator of all tenants allows it")
  func waits() async throws {
    try await Ground.run { ground async throws in
      let claimed = try await ground.claim(host, "vibes", token: ground.vibes)
      #expect(claimed.status == 201 && claimed.json["items"]?.array?.first?["state"] == .string("waiting"))
      // The name leads here already, and that is not enough.
      let early = try await ground.verify(host, "vibes", token: ground.vibes)
      #expect(early.status == 422 && early.text.contains("_gatehouse.auth.shared.example"), "\(early.text)")
      let own = try await ground.allow(host, "vibes", token: ground.vibes)
      #expect(own.status == 403)
      #expect(try await ground.states("vibes") == ["waiting"])
      #expect(try await ground.allow(host, "vibes", token: ground.all).status == 200)
      #expect(try await ground.states("vibes") == ["allowed"])
      #expect(try await ground.verify(host, "vibes", token: ground.vibes).status == 200)
      #expect(try await ground.states("vibes") == ["verified"])
    }
  }

  @Test("T139 a claim that waits is allowed by the TXT record that holds the tenant's proof, and by no other")
  func record() async throws {
    try await Ground.run { ground async throws in
      let claimed = try await ground.claim(host, "vibes", token: ground.vibes)
      let proof = try #require(claimed.json["items"]?.array?.first?["proof"]?.string)
      let other = try await ground.claim(host, "messai", token: ground.messai)
      let otherProof = try #require(other.json["items"]?.array?.first?["proof"]?.string)
      for texts in [[], ["anything"], [otherProof], [proof + " "], [String(proof.dropLast())]] {
        try await ground.names.set("_gatehouse." + host, texts)
        #expect(try await ground.verify(host, "vibes", token: ground.vibes).status == 422, "\(texts)")
      }
      try await ground.names.set("_gatehouse." + host, ["v=spf1 -all", proof])
      let verified = try await ground.verify(host, "vibes", token: ground.vibes)
      #expect(verified.status == 200, "\(verified.text)")
      #expect(try await ground.states("vibes") == ["verified"])
    }
  }

  @Test("T139 a claim by an operator of all tenants asks no name server")
  func operators() async throws {
    try await Ground.run { ground async throws in
      #expect(try await ground.claim(host, "vibes", token: ground.all).status == 201)
      #expect(try await ground.verify(host, "vibes", token: ground.all).status == 200)
      #expect(ground.names.questions == 0)
    }
  }

  @Test(
    "T140 of two tenants that claim a host the first that is verified has it, until it is removed; the other is told")
  func two() async throws {
    try await Ground.run { ground async throws in
      #expect(try await ground.claim(host, "messai", token: ground.all).status == 201)
      #expect(try await ground.claim(host, "vibes", token: ground.all).status == 201)
      #expect(try await ground.verify(host, "vibes", token: ground.vibes).status == 200)
      #expect(try await ground.states("messai") == ["taken"])
      let late = try await ground.verify(host, "messai", token: ground.messai)
      #expect(late.status == 409 && late.text.contains("another tenant's host"), "\(late.text)")
      #expect(try await ground.verify(host, "vibes", token: ground.vibes).status == 200)
      let removed = try await ground.send("DELETE", "vibes", "/\(host)", token: ground.vibes)
      #expect(removed.status == 200)
      #expect(try await ground.verify(host, "messai", token: ground.messai).status == 200)
      #expect(try await ground.claim(host, "vibes", token: ground.all).status == 409)
      let page = try await TestClient(ground.server.url).send("GET", "/v1/policy", headers: ["Host": host])
      #expect(page.json["tenant"] == .string("messai"))
    }
  }

  @Test("T140 of two claims that are verified at one moment the store keeps one")
  func race() async throws {
    try await Ground.run { ground async throws in
      let (services, now) = (ground.server.services, ground.server.clock.now)
      var claims: [(tenant: TenantRecord, host: TenantHost)] = []
      for name in ["messai", "vibes"] {
        #expect(try await ground.claim(host, name, token: ground.all).status == 201)
        let tenant = try await Tenants.find(name, services)
        var claim = try #require(try await Hosts.of(tenant, services).first)
        claim.verifiedAt = now
        claims.append((tenant, claim))
      }
      var outcomes: [StoreError?] = []
      for (tenant, claim) in claims {
        let audit = AuditEntry(id: services.clock.makeID(), at: now, event: .tenantChanged, actor: "operator:test")
        do {
          try await services.directory.verify(claim, of: tenant.id, audit: audit)
          outcomes.append(nil)
        } catch {
          outcomes.append(error as? StoreError)
        }
      }
      #expect(outcomes == [nil, .exists])
    }
  }

  @Test("T140 a claim goes after 7 days without being verified, and may be made again; a verified host stays")
  func ends() async throws {
    try await Ground.run { ground async throws in
      #expect(try await ground.claim("kept.shared.example", "vibes", token: ground.all).status == 201)
      #expect(try await ground.verify("kept.shared.example", "vibes", token: ground.all).status == 200)
      // Claims are listed by age.
      ground.server.clock.advance(seconds: 1)
      #expect(try await ground.claim(host, "vibes", token: ground.all).status == 201)
      ground.server.clock.advance(seconds: 7 * 86_400 - 1)
      #expect(try await ground.states("vibes") == ["verified", "allowed"])
      ground.server.clock.advance(seconds: 1)
      #expect(try await ground.states("vibes") == ["verified"])
      #expect(try await ground.verify(host, "vibes", token: ground.all).status == 404)
      #expect(try await PostgresExpirySweep(ground.server.jobs).prune(batch: 100)["host_claims"] == 1)
      #expect(try await ground.claim(host, "vibes", token: ground.all).status == 201)
      #expect(try await ground.states("vibes") == ["verified", "allowed"])
    }
  }

  @Test("T140 a claim that has ended is made again before the sweep comes")
  func again() async throws {
    try await Ground.run { ground async throws in
      #expect(try await ground.claim(host, "vibes", token: ground.all).status == 201)
      #expect(try await ground.claim(host, "vibes", token: ground.all).status == 409)
      ground.server.clock.advance(seconds: 7 * 86_400)
      #expect(try await ground.claim(host, "vibes", token: ground.all).status == 201)
    }
  }
}
