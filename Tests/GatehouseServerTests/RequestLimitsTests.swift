import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Limits on requests as such")
struct RequestLimitsTests {
  /// A small policy with these limits.
  private static func policy(_ name: String, _ limits: String) -> String {
    """
    schema: gatehouse/policy.v1
    tenant: \(name)
    app: {name: Limited}
    identifiers: {sign_in_with: [email], email: {normalize: lowercase}}
    password: {rules: [{id: min8, min_length: 8}]}
    privacy: {account_exists: reveal}
    \(limits.isEmpty ? "" : "limits: {\(limits)}")
    """
  }

  private static func run(
    _ tenants: [String: String], on database: TestDatabase? = nil, clock: TestClock = TestClock(),
    _ body: (TestServer) async throws -> Void
  ) async throws {
    var policies: [String: String] = [:]
    for (name, limits) in tenants { policies[name] = policy(name, limits) }
    let server = try await TestServer.start(policies: policies, on: database, clock: clock)
    do {
      try await body(server)
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  /// That so many requests in a row are answered with this status.
  private func expect(_ status: Int, of client: TestClient, times: Int = 1) async throws {
    for _ in 0..<times {
      let answer = try await client.get("/v1/policy")
      #expect(answer.status == status)
    }
  }

  @Test("requests_per_ip: the next one is 429 with Retry-After, whatever it asks for, until the window ends")
  func perAddress() async throws {
    try await Self.run(["a": "requests_per_ip: 5/1m", "b": ""]) { server in
      let (a, b) = (TestClient(server.url + "/t/a"), TestClient(server.url + "/t/b"))
      try await expect(200, of: a, times: 5)
      // A body that is no JSON is not even read: without the limit it is 400.
      let bodies: [(String, String, String?, Int)] = [
        ("GET", "/v1/policy", nil, 200), ("POST", "/v1/sign-in", "{", 400), ("GET", "/v1/nowhere", nil, 404),
        ("DELETE", "/v1/sign-up", nil, 405), ("GET", "/.well-known/jwks.json", nil, 200),
      ]
      for (method, path, body, status) in bodies {
        let refused = try await a.send(method, path, body)
        #expect(refused.status == 429 && refused.code == "rate_limited", "\(path)")
        #expect(refused.headers["content-type"] == "application/problem+json")
        let wait = try #require(refused.headers["retry-after"].flatMap { Int($0) })
        #expect((1...60).contains(wait))
        #expect(refused.json["retry_after"]?.integer == Int64(wait))
        // Negative control: another tenant, without the limit, answers each of them.
        for _ in 0..<3 { #expect(try await b.send(method, path, body).status == status, "\(path)") }
      }
      let page = try await a.get("/ui/verify-email")
      #expect(page.status == 429 && page.headers["content-type"]?.hasPrefix("text/html") == true)
      #expect(page.headers["retry-after"] != nil && page.text.contains("Too many requests"))
      server.clock.advance(seconds: 61)
      try await expect(200, of: a, times: 5)
      try await expect(429, of: a)
    }
  }

  @Test("T153 where the policy is silent, a server refuses an address beyond its own limit, and no other address")
  func silent() async throws {
    try await Self.run(["a": ""]) { server in
      let limits = RequestLimits(own: Limit(count: 2, window: 60))
      func statuses(_ address: String, _ times: Int) async throws -> [Int] {
        var statuses: [Int] = []
        let tenant = try #require(server.services.registry.snapshot("a"))
        let source = try #require(NetworkAddress("\(address)"))
        let call = Call(
          tenant: tenant, requestID: "test", address: source, languages: [], now: server.clock.now)
        for _ in 0..<times {
          do {
            try await limits.admit(call, server.services)
            statuses.append(200)
          } catch let refusal as Refusal {
            statuses.append(refusal.retryAfter == 60 ? 429 : 0)
          }
        }
        return statuses
      }
      let first = try await statuses("192.0.2.1", 4)
      let other = try await statuses("192.0.2.2", 1)
      server.clock.advance(seconds: 60)
      let later = try await statuses("192.0.2.1", 1)
      #expect(first + other + later == [200, 200, 429, 429, 200, 200])
    }
  }

  @Test("requests_per_tenant counts every client of the tenant, and none of another tenant")
  func perTenant() async throws {
    try await Self.run(["a": "requests_per_tenant: 3/1h, requests_per_ip: 100/1m", "b": ""]) { server in
      let (a, b) = (TestClient(server.url + "/t/a"), TestClient(server.url + "/t/b"))
      try await expect(200, of: a, times: 3)
      let refused = try await a.get("/v1/policy")
      #expect(refused.status == 429)
      #expect((3000...3600).contains(refused.headers["retry-after"].flatMap { Int($0) } ?? 0))
      try await expect(200, of: b)
      // The operator looks after the house all the same.
      #expect(try await TestClient(server.operationsURL).get("/readyz").status == 200)
    }
  }

  @Test("two servers together let in exactly as many as the limit says")
  func together() async throws {
    let database = try await TestDatabase.make()
    try await Self.run(["a": "requests_per_ip: 200/1m"], on: database) { one in
      let two = try await one.sibling()
      do {
        try await admit(one, two, database)
        await two.stop()
      } catch {
        await two.stop()
        throw error
      }
    }
  }

  private func admit(_ one: TestServer, _ two: TestServer, _ database: TestDatabase) async throws {
    let clients = [one, two].map { TestClient($0.url + "/t/a") }
    let admitted = try await withThrowingTaskGroup(of: Int.self) { group in
      for index in 0..<12 {
        group.addTask {
          var count = 0
          for _ in 0..<40 where try await clients[index % 2].get("/v1/policy").status == 200 { count += 1 }
          return count
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(admitted == 200)
    let refusals = try await Self.audited(database)
    #expect(refusals == 2, "one row for each server and window, not for each request")
  }

  private static func audited(_ database: TestDatabase) async throws -> Int {
    let connection = try await database.connect()
    let tenant = try await connection.read(nil, "SELECT id FROM tenant").first.map { try $0[0] as UUID }
    let count: Int64 =
      try await connection.read(tenant, "SELECT count(*) FROM audit WHERE event = 'excess_rate_limit_exceeded'")
      .single()?[0] ?? 0
    await connection.stop()
    return Int(count)
  }

  @Test("a request within a lease costs no round trip to the database")
  func memory() async throws {
    try await Self.run(["a": "requests_per_ip: 1000/1m, requests_per_tenant: 1000/1m", "b": ""]) { server in
      let a = TestClient(server.url + "/t/a")
      let before = server.database.statistics.succeeded
      try await expect(200, of: a, times: 100)
      // A twentieth of 1000 is leased at a time, of both limits together; a job may have asked something meanwhile.
      let asked = server.database.statistics.succeeded - before
      #expect((2...5).contains(asked))
      let b = TestClient(server.url + "/t/b")
      try await expect(200, of: b, times: 100)
      #expect(server.database.statistics.succeeded - before <= asked + 3, "without limits nothing is asked")
    }
  }

  @Test("while the database is away, what does not need it is answered all the same")
  func withoutDatabase() async throws {
    try await Self.run(["a": "requests_per_ip: 5/1m"]) { server in
      await server.database.stop()
      let a = TestClient(server.url + "/t/a")
      try await expect(200, of: a, times: 2)
      let signIn = try await a.post("/v1/sign-in", #"{"email":"al@example.com","password":"Wildcat17"}"#)
      #expect(signIn.status == 503 && signIn.headers["retry-after"] != nil)
    }
  }

  @Test("a limit that an edit of the policy changes counts at once")
  func edited() async throws {
    try await Self.run(["a": "requests_per_ip: 2/1h"]) { server in
      let a = TestClient(server.url + "/t/a")
      try await expect(200, of: a, times: 2)
      try await expect(429, of: a)
      _ = try await server.apply(Self.policy("a", "requests_per_ip: 40/1h"), to: "a", allowsWeaker: true)
      try await TenantFollowed.wait(server, "a", revision: 2)
      try await expect(200, of: a, times: 30)
      _ = try await server.apply(Self.policy("a", "requests_per_ip: 3/1h"), to: "a", allowsWeaker: true)
      try await TenantFollowed.wait(server, "a", revision: 3)
      try await expect(429, of: a)
    }
  }

  @Test("T031 mail_per_ip: one address causes a limited number of mails, and is then told so for every recipient")
  func mailPerAddress() async throws {
    try await Self.run(["a": "mail_per_ip: 4/1h", "b": ""]) { server in
      for (name, expected) in [("a", 4), ("b", 6)] {
        let client = TestClient(server.url + "/t/\(name)")
        var users: [String] = []
        for number in 0..<3 {
          let email = "p\(number)@\(name).example.com"
          users.append(email)
          let up = try await client.post("/v1/sign-up", #"{"email":"\#(email)","password":"Wildcat17"}"#)
          #expect(up.status == 201, "\(up.text)")
        }
        var answers: [Int] = []
        for email in users + ["nobody@\(name).example.com"] {
          answers.append(try await client.post("/v1/password-reset", #"{"email":"\#(email)"}"#).status)
        }
        #expect(answers == (name == "a" ? [202, 429, 429, 429] : [202, 202, 202, 202]))
        var mails = 0
        for email in users { mails += try await server.mailCount(to: email) }
        #expect(mails == expected, "\(name)")
      }
    }
  }
}

/// Waits until a server that follows has heard of a revision.
enum TenantFollowed {
  static func wait(_ server: TestServer, _ tenant: String, revision: Int) async throws {
    let end = ContinuousClock.now + .seconds(20)
    while server.services.registry.snapshot(tenant)?.revision != revision {
      guard ContinuousClock.now < end else { throw Late() }
      await Task.yield()
    }
  }

  struct Late: Error {}
}
