import Foundation
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("What operators ask a running server")
struct OperationsTests {
  @Test("metrics and health answer while the database is away, and say that it is")
  func withoutDatabase() async throws {
    try await ServedApp.run { _, database, app in
      let client = TestClient(app.operations)
      func figure(_ name: String) async throws -> Int? {
        try await client.get("/metrics").text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
          .flatMap { Int($0.split(separator: " ")[1]) }
      }
      let connected = try await figure("gatehouse_database_connected")
      #expect((connected ?? 0) > 2)
      let isMeasured = try await eventually { try await figure("gatehouse_outbox_waiting") == 0 }
      #expect(isMeasured)
      let ready = try await client.get("/readyz")
      #expect(ready.status == 200 && ready.json["ready"] == .bool(true))
      #expect(try await eventually { try await client.get("/readyz").json["database"] == .string("answers") })
      try await database.runAsSuperuser(
        script: """
          REVOKE CONNECT ON DATABASE \(database.name) FROM PUBLIC, \(Roles.app), \(Roles.jobs);
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = '\(database.name)' AND pid <> pg_backend_pid();
          """)
      let isGone = try await eventually { try await figure("gatehouse_database_connected") == 0 }
      #expect(isGone)
      let started = ContinuousClock.now
      let text = try await client.get("/metrics").text
      #expect(ContinuousClock.now - started < .seconds(1), "figures are at hand, whatever the database does")
      #expect(
        text.contains("gatehouse_requests_total") && text.contains("gatehouse_policy_revision{tenant=\"dd-ride\"} 1"))
      let isUnknown = try await eventually { try await figure("gatehouse_outbox_waiting") == nil }
      #expect(isUnknown, "an old size of the outbox is not told as if it were new")
      let isNoticed = try await eventually { try await figure("gatehouse_database_answers") == 0 }
      #expect(isNoticed)
      let still = try await client.get("/readyz")
      #expect(still.status == 200, "another server has no other database")
      #expect(still.json["database"]?.string?.hasPrefix("does not answer: ") == true)
      #expect(try await client.get("/healthz").status == 200)
    }
  }

  @Test("commands beside a running server name the address that it is reached at")
  func address() async throws {
    try await ServedApp.run { server, _, app in
      func issuer() throws -> String? {
        try app.run("tenant", "show", "dd-ride").output.split(separator: " ")
          .first { $0.hasPrefix("http") }?.split(separator: "\n").first.map(String.init)
      }
      // The server was told where to listen by a flag that this command was not given.
      #expect(try issuer() == "http://127.0.0.1:0/t/dd-ride")
      let link = try app.run("mail", "preview", "dd-ride", "change_email_notice").output
      #expect(link.contains("http://127.0.0.1:0/t/dd-ride/ui/undo-email?lang=en&token="))
      let named = try Binary.run(
        ["tenant", "show", "dd-ride", "--output", "json"], in: app.directory,
        environment: app.environment.merging(["GATEHOUSE_PUBLIC_URL": "https://auth.example.com"]) { $1 })
      #expect(named.output.contains("https://auth.example.com/t/dd-ride"))
      server.stop()
      #expect(try issuer() == "http://127.0.0.1:8080/t/dd-ride")
      // What a server left behind that did not end well is not believed.
      try "http://127.0.0.1:9".write(toFile: app.directory.path + "/data/served_at", atomically: true, encoding: .utf8)
      #expect(try issuer() == "http://127.0.0.1:8080/t/dd-ride")
    }
  }

  @Test("T160 a server that stops writes how many refusals became no row")
  func suppressed() async throws {
    try await ServedApp.run { server, _, app in
      let client = TestClient(app.url)
      for _ in 0..<30 { _ = try await client.get("/t/dd-ride/v1/me", token: "x.y.z") }
      _ = server.stop()
      let found = try app.run("audit", "search", "dd-ride", "--event", "authn_token_refused", "--output", "json")
      let rows = try JSONParser.parse(Array(found.output.utf8))["items"]?.array ?? []
      #expect(rows.map { $0["details"]?["suppressed"]?.string ?? "" }.sorted() == ["", "29"])
    }
  }
}
