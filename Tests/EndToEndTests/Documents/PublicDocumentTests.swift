import GatehouseAdminWire
import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("Public documents that were answered before")
struct PublicDocumentTests {
  private static let before = Date(timeIntervalSince1970: 1_798_675_200)  // 2026-12-31
  private static let after = Date(timeIntervalSince1970: 1_803_945_600)  // 2027-03-02

  @Test(
    "the same question gets the same answer under another name", arguments: ["/v1/policy", "/.well-known/jwks.json"])
  func again(path: String) async throws {
    try await ThreeApps.share { apps in
      let first = try await apps.messai.get(path)
      let second = try await apps.messai.get(path)
      #expect(first.status == 200 && second.status == 200)
      #expect(first.body == second.body && first.headers["etag"] == second.headers["etag"])
      #expect(first.headers["cache-control"] == second.headers["cache-control"])
      #expect(second.headers["x-content-type-options"] == "nosniff")
      let names = [first.headers["x-request-id"], second.headers["x-request-id"]]
      #expect(names[0]?.utf8.count == 15 && names[1]?.utf8.count == 15 && names[0] != names[1])
      let named = try await apps.messai.send("GET", path, headers: ["X-Request-Id": "my-own-name"])
      #expect(named.headers["x-request-id"] == "my-own-name")
    }
  }

  @Test("what was kept for one tenant, path, method or condition answers no other")
  func apart() async throws {
    try await ThreeApps.share { apps in
      let plain = try await apps.messai.get("/v1/policy")
      #expect(try await apps.ride.get("/v1/policy").body != plain.body)
      #expect(try await apps.messai.get("/.well-known/jwks.json").body != plain.body)
      let head = try await apps.messai.send("HEAD", "/v1/policy")
      #expect(head.status == 200 && head.body.isEmpty)
      #expect(try await apps.messai.post("/v1/policy").status == 405)
      let tag = try #require(plain.headers["etag"])
      #expect(try await apps.messai.send("GET", "/v1/policy", headers: ["If-None-Match": tag]).status == 304)
      #expect(try await apps.messai.get("/v1/policy").status == 200)
      let disabled = TestClient(apps.server.url + "/t/nobody")
      #expect(try await disabled.get("/v1/policy").status == 404)
    }
  }

  @Test("T148 an answer to several language fields is in the language of the list that they are")
  func languages() async throws {
    try await ThreeApps.share { apps in
      let client = NamedClient(server: apps.server, host: "localhost")
      let fields = ["Accept-Language: es", "Accept-Language: en;q=0.5"]
      let repeated = try client.send("GET", "/t/dd-ride/v1/policy", fields: fields)
      let joined = try await apps.ride.send("GET", "/v1/policy", headers: ["Accept-Language": "es, en;q=0.5"])
      let english = try await apps.ride.send("GET", "/v1/policy", headers: ["Accept-Language": "en"])
      #expect(repeated.body == joined.text)
      #expect(joined.text != english.text)
    }
  }

  @Test("a checklist has regions, checks, uniqueness, doors and normal form, and no exceptions")
  func checklist() async throws {
    let secret = "coach@ksu.edu"
    try await ThreeApps.run(
      policy: { app, text in
        guard app == .ride else { return text }
        return PolicyText.withoutTests(text)
          + "\nexceptions: [{email: \(secret), rule: password.digit, until: 2099-01-01, reason: a private word}]\n"
      },
      {
        apps in
        let answer = try await apps.ride.get("/v1/policy")
        let policy = try ContractJSON.decode(PublicPolicy.self, from: Data(answer.body))
        #expect(policy.identifiers?.email?.normalize == "lowercase")
        let phone = try #require(policy.fields.first { $0.name == "phoneNumber" })
        #expect(phone.region == "US" && phone.phoneCheck == "length" && phone.unique == nil)
        let vibes = try ContractJSON.decode(
          PublicPolicy.self, from: Data(try await apps.vibes.get("/v1/policy").body))
        let username = try #require(vibes.fields.first { $0.name == "username" })
        #expect(username.unique == "ignore_case" && username.region == nil && username.phoneCheck == nil)
        #expect(policy.rules.filter { $0.hasExceptions == true }.map(\.id) == ["password.digit"])
        #expect(policy.rules.first { $0.id == "email.syntax" }?.doors?.contains("sign_up") == true)
        #expect(policy.rules.allSatisfy { !($0.doors ?? []).contains { ["admin_create", "import"].contains($0) } })
        for word in [secret, "coach", "private word", "admin_create", "reason", "until"] {
          #expect(!answer.text.contains(word), "\(word)")
        }
      })
  }

  @Test("each field has its label in the language of the document, and says whether a sign-up asks for it")
  func labels() async throws {
    try await ThreeApps.share { apps in
      func fields(_ language: String) async throws -> [PublicPolicy.Field] {
        let answer = try await apps.ride.send("GET", "/v1/policy", headers: ["Accept-Language": language])
        return try ContractJSON.decode(PublicPolicy.self, from: Data(answer.body)).fields
      }
      let english = try await fields("en")
      #expect(english.map(\.label) == ["Name", "Phone number", "Class year", "Role", "Chapter"])
      let spanish = try await fields("es")
      #expect(spanish.map(\.label) == ["Nombre", "Número de teléfono", "Curso", "Rol", "Capítulo"])
      #expect(english.map(\.atSignUp) == [true, true, true, false, false])
    }
  }

  @Test(
    "values of a field are named as people read them: by the policy, else by what they say",
    arguments: [
      ("en", "First year", ["admin": "Admin", "member": "Member"]),
      ("es", "Primero", ["admin": "Administrador", "member": "Miembro"]),
    ])
  func values(_ language: String, _ first: String, _ roles: [String: String]) async throws {
    try await ThreeApps.share { apps in
      let answer = try await apps.ride.send("GET", "/v1/policy", headers: ["Accept-Language": language])
      let fields = try ContractJSON.decode(PublicPolicy.self, from: Data(answer.body)).fields
      #expect(fields.first { $0.name == "classYear" }?.labels?["1"] == first)
      #expect(fields.first { $0.name == "role" }?.labels == roles)
    }
  }

  @Test("a new revision, a disabled tenant and a day on which a stage begins are seen by the next question")
  func changes() async throws {
    try await ThreeApps.run(at: Self.before) { apps in
      let services = apps.server.services
      let first = try await apps.messai.get("/v1/policy")
      apps.server.clock.set(Self.after)
      let staged = try await apps.messai.get("/v1/policy")
      #expect(staged.body != first.body)

      let text = try TestLists.policy("messai")
      let rules = text[..<(try #require(text.range(of: "\ntests:")).lowerBound)]
      let longer = String(rules).replacing("{id: min6, min_length: 6}", with: "{id: min6, min_length: 7}") + "\n"
      let tenant = try await Tenants.find("messai", services)
      let author = Author(.operator("test"), name: "test", reason: "longer")
      _ = try await Policies.apply(longer, file: "messai.yaml", to: tenant, author: author, services)
      try await TenantLoader(services).loadAll()
      #expect(try await apps.messai.get("/v1/policy").body != staged.body)

      _ = try await SetTenant.run(.init(tenant: "messai", enabled: false), apps.asOperator)
      try await TenantLoader(services).loadAll()
      let closed = try await apps.messai.get("/v1/policy")
      #expect(closed.code == "tenant_disabled")
    }
  }
}
