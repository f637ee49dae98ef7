import Foundation
import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Commands beside servers of an earlier version")
struct OldServerCommandTests {
  private static func versions(_ database: TestDatabase) async throws -> [String] {
    let reader = try await database.connect(user: Roles.app)
    let versions: [String] = try await reader.read(nil, "SELECT version FROM gatehouse.server").map { try $0[0] }
    await reader.stop()
    return versions
  }

  @Test("a running server notes itself, and its row goes when it stops")
  func notes() async throws {
    try await ServedApp.run { server, database, _ in
      let isNoted = try await eventually { try await Self.versions(database) == ["0.1.0"] }
      _ = server.stop()
      let left = try await Self.versions(database)
      #expect(isNoted && left == [])
    }
  }

  @Test("apply and doctor name what an earlier server cannot read, and the doctor what to do")
  func named() async throws {
    try await ServedApp.run { _, database, app in
      try await #require(eventually { try await !Self.versions(database).isEmpty })
      try await database.runAsSuperuser(
        script: """
          INSERT INTO gatehouse.server (id, name, version, vocabulary, started_at, seen_at)
          SELECT gen_random_uuid(), 'auth-2', '0.0.9',
            ARRAY(SELECT word FROM gatehouse.server, unnest(vocabulary) AS word WHERE word NOT LIKE 'theme%'), now(), now()
          """)
      let file = app.directory.appending(path: "edit.yaml")
      try TestLists.policy("dd-ride").replacing("resend_cooldown: 60s", with: "resend_cooldown: 90s")
        .write(to: file, atomically: true, encoding: .utf8)
      let applied = try app.run("policy", "apply", "dd-ride", "edit.yaml", "--allow-weaker", "--reason", "calm")
      let doctor = try app.run("doctor", "--dev").output
      let note = "a server of version 0.0.9 (auth-2, seen just now) cannot read theme (line 71)"
      #expect(applied.exit == 0 && applied.errors.contains("note: \(note)"), "\(applied.errors)")
      #expect(doctor.contains(note) && doctor.contains("upgrade it, or apply a policy without"), "\(doctor)")
    }
  }
}
