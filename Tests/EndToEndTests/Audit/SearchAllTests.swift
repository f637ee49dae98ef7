import Foundation
import GatehouseAdminWire
import GatehouseIdentity
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("Searching all audit logs")
struct SearchAllTests {
  @Test("pages of any size have every row of every log once, newest first")
  func pages() async throws {
    try await ThreeApps.run { apps in
      for app in App.allCases { _ = try await apps.signUp(app) }
      let whole = try await SearchAllAudit.run(.init(limit: 1000), apps.asOperator)
      #expect(whole.nextCursor == nil && whole.items.count > 6)
      #expect(whole.items.map(\.id) == whole.items.map(\.id).sorted(by: >))
      #expect(Set(whole.items.compactMap(\.tenant)) == Set(App.allCases.map(\.rawValue) + ["-"]))
      for size in [1, 2, 5] {
        var items: [AuditRecord] = []
        var cursor: String?
        repeat {
          let page = try await SearchAllAudit.run(.init(limit: size, cursor: cursor), apps.asOperator)
          #expect(page.items.count <= size)
          items += page.items
          cursor = page.nextCursor
        } while cursor != nil
        #expect(items == whole.items, "\(size)")
      }
    }
  }

  @Test("more logs than one batch holds are searched")
  func many() async throws {
    try await Trail.run { trail in
      for number in 1...55 { _ = try await CreateTenant.run(.init(name: "t\(number)"), trail.server.asOperator) }
      let made = try await SearchAllAudit.run(.init(event: "tenant_created", limit: 1000), trail.server.asOperator)
      let own = made.items.filter { $0.tenant != "-" }.compactMap(\.tenant)
      #expect(Set(own).isSuperset(of: (1...55).map { "t\($0)" }))
      #expect(made.items.map(\.id) == made.items.map(\.id).sorted(by: >))
      let first = try await SearchAllAudit.run(.init(event: "tenant_created", limit: 3), trail.server.asOperator)
      #expect(first.items == Array(made.items.prefix(3)))
    }
  }

  @Test("a token of one tenant searches that one, and is refused all and unknown names alike by the server")
  func reach() async throws {
    try await Trail.run { trail in
      let client = TestClient(trail.server.adminURL)
      let narrow = try await trail.server.adminToken("narrow", tenants: ["messai"])
      #expect(try await client.get("/admin/v1/tenants/messai/audit", token: narrow).status == 200)
      let refused = try await client.get("/admin/v1/audit", token: narrow)
      #expect(refused.status == 403 && refused.code == "forbidden", "\(refused.text)")
      let wide = try await trail.server.adminToken("wide", scopes: [.auditRead])
      #expect(try await client.get("/admin/v1/audit?by=narrow&limit=5", token: wide).status == 200)
      let unknown = try await client.get("/admin/v1/audit?event=nonsense", token: wide)
      #expect(unknown.status == 400 && unknown.text.contains("policy_applied"), "\(unknown.text)")
      for query in ["limit=0", "limit=1001", "cursor=x", "by=", "by=a%0Ab", "since=soon", "user=al@example.com"] {
        #expect(try await client.get("/admin/v1/audit?\(query)", token: wide).status == 400, "\(query)")
      }
    }
  }

  @Test("the acts of a user and of strangers are found by the actor as it is stored")
  func actors() async throws {
    try await ThreeApps.run { apps in
      let id = try #require(try await apps.signUp(.messai).json["user"]?["id"]?.string)
      _ = try await apps.signIn(.messai, password: "wrong1")
      func events(_ by: String) async throws -> Set<String> {
        Set(try await SearchAudit.run(.init(tenant: "messai", by: by, limit: 100), apps.asOperator).items.map(\.event))
      }
      #expect(try await events("user:\(id)").contains("user_created"))
      #expect(try await events("anonymous").contains("authn_login_fail"))
      #expect(try await !events("anonymous").contains("user_created"))
      for by in ["user:x", "administrator:\(id)", "system:none", id] { #expect(try await events(by).isEmpty, "\(by)") }
    }
  }

  @Test("the index of operators' rows is used for one of them")
  func index() async throws {
    try await Trail.run { trail in
      try await trail.tamper(
        """
        INSERT INTO gatehouse.audit (tenant_id, id, at, event, actor)
        SELECT '\(try trail.tenant.id.text)', gatehouse.make_id(), now(), 'session_created', 'user:x'
        FROM generate_series(1, 5000)
        """)
      let app = try await trail.server.storage.connect(user: Roles.app)
      let tenant = try trail.tenant.id.uuid
      let plan = try await app.write(
        tenant,
        [
          "SET LOCAL enable_seqscan = off", "SET LOCAL enable_sort = off",
          "EXPLAIN SELECT id FROM audit WHERE actor LIKE 'operator:%' AND actor = 'operator:ci' ORDER BY id DESC LIMIT 5",
        ])
      let lines = try plan[2].map { try $0[0] as String }
      #expect(lines.contains { $0.contains("audit_operator") }, "\(lines)")
      await app.stop()
    }
  }
}
