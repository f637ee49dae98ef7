import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("The audit trail at the command line")
struct AuditCommandTests {
  private func verify(_ app: ServedApp, _ words: [String] = ["dd-ride"]) throws -> (exit: Int32, item: JSONValue) {
    let outcome = try Binary.run(
      ["audit", "verify"] + words + ["--output", "json"], in: app.directory, environment: app.environment)
    return (outcome.exit, (try? JSONParser.parse(Array(outcome.output.utf8)))?["item"] ?? .null)
  }

  @Test("T121 a server seals what happens within two seconds, and commands verify, copy and check the trail")
  func commands() async throws {
    try await ServedApp.run { _, database, app in
      let client = TestClient(app.url + "/t/dd-ride")
      #expect(
        try await client.post("/v1/sign-in", #"{"email":"nobody@ksu.edu","password":"Wildcat1"}"#).status == 401)
      let written = ContinuousClock.now
      var good = try verify(app)
      while good.item["waiting"]?.integer != 0, ContinuousClock.now - written < .seconds(30) { good = try verify(app) }
      #expect(good.exit == 0 && good.item["holds"] == .bool(true) && good.item["sealed"]?.integer ?? 0 >= 2)
      // Commands start in a fraction of a second; the rest is the sealer's.
      #expect(ContinuousClock.now - written < .seconds(5))

      let trail = app.directory.appending(path: "trail.ndjson")
      let export = try app.run("audit", "export", "dd-ride")
      #expect(export.exit == 0, "\(export.errors)")
      try export.output.write(to: trail, atomically: true, encoding: .utf8)
      // Nothing but the file is there: no configuration, no database.
      let offline = try Binary.run(
        ["audit", "verify", "--file", "trail.ndjson", "--output", "json"], in: app.directory)
      #expect(offline.exit == 0 && offline.output.contains(#""holds":true"#), "\(offline.output)\(offline.errors)")
      let key = try #require(good.item["key"]?.string)
      #expect(try verify(app, ["--file", "trail.ndjson", "--key", key]).exit == 0)
      #expect(try verify(app, ["--file", "trail.ndjson", "--key", "other"]).exit == 1)
      #expect(try verify(app, ["dd-ride", "--against", "trail.ndjson"]).exit == 0)
      let piped = try Binary.run(["audit", "verify", "--file", "-"], in: app.directory, input: export.output)
      #expect(piped.exit == 0)

      let changed = export.output.replacing("authn_login_fail", with: "authn_login_success")
      #expect(changed != export.output)
      try changed.write(to: trail, atomically: true, encoding: .utf8)
      let bad = try verify(app, ["--file", "trail.ndjson"])
      #expect(bad.exit == 1 && bad.item["finding"] == .string("edited") && bad.item["seq"]?.integer ?? 0 > 1)

      try await database.runAsSuperuser(
        script: """
          DELETE FROM gatehouse.audit WHERE id = (SELECT audit_id FROM gatehouse.audit_link
            WHERE seq = 2 AND tenant_id <> gatehouse.installation())
          """)
      let gone = try verify(app)
      #expect(gone.exit == 1 && gone.item["finding"] == .string("deleted") && gone.item["seq"] == .integer(2))
      let refused = try app.run("audit", "export", "dd-ride")
      #expect(refused.exit == 1 && refused.errors.contains("gatehouse audit verify dd-ride"), "\(refused.errors)")

      #expect(try verify(app, ["nowhere"]).exit == 3)
      #expect(try verify(app, []).exit == 2)
      #expect(try verify(app, ["--file", "nothing.ndjson"]).exit == 3)
      #expect(try verify(app, ["dd-ride", "--file", "trail.ndjson"]).exit == 2)
      #expect(try verify(app, ["dd-ride", "--key", key]).exit == 2)
    }
  }

  @Test("the log of the installation is searched, followed, verified and exported; it outlives a tenant")
  func installation() async throws {
    try await ServedApp.run { _, _, app in
      #expect(try app.run("tenant", "create", "doomed", "--as", "Anna").exit == 0)
      #expect(try app.run("tenant", "disable", "doomed", "--yes").exit == 0)
      #expect(try app.run("tenant", "delete", "doomed", "--yes", "--as", "Anna").exit == 0)
      let found = try app.run("audit", "search", "--installation", "--event", "tenant_deleted", "--output", "ndjson")
      #expect(found.exit == 0 && found.output.contains("doomed") && found.output.contains("as Anna, stated"))
      let tail = try app.run("audit", "tail", "--installation")
      #expect(tail.exit == 0 && tail.output.contains("tenant_created"), "\(tail.output)\(tail.errors)")
      let verified = try verify(app, ["--installation"])
      #expect(verified.exit == 0 && verified.item["tenant"] == .string("-"), "\(verified.item)")
      let export = try app.run("audit", "export", "--installation")
      #expect(export.exit == 0 && export.output.contains("tenant_deleted"), "\(export.errors)")
      let checked = try Binary.run(["audit", "verify", "--file", "-"], in: app.directory, input: export.output)
      #expect(checked.exit == 0, "\(checked.errors)")
      for words in [["search"], ["search", "dd-ride", "--installation"], ["tail"], ["export"], ["cut"]] {
        #expect(try Binary.run(["audit"] + words, in: app.directory, environment: app.environment).exit == 2)
      }
      #expect(try app.run("audit", "search", "--installation", "--user", "al@example.com").exit == 2)
    }
  }
}
