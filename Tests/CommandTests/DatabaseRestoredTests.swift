import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("gatehouse db restored")
struct DatabaseRestoredTests {
  private static func moment(_ seconds: TimeInterval) -> String {
    Date().addingTimeInterval(seconds).formatted(.iso8601)
  }

  @Test("it asks, counts in a dry run, ends sessions, says what it did before, and verify names the gap")
  func command() async throws {
    try await ServedApp.run { _, _, app in
      let client = TestClient(app.url + "/t/dd-ride")
      let up = try await client.post(
        "/v1/sign-up",
        #"{"email":"a@ksu.edu","password":"Wildcat1","profile":{"name":"A B","phoneNumber":"(785) 555-0123"}}"#)
      let token = try #require(up.json["access_token"]?.string)
      let until = Self.moment(-3600)
      let missing = try app.run("db", "restored")
      let future = try app.run("db", "restored", "--until", Self.moment(3600), "--yes")
      let unasked = try app.run("db", "restored", "--until", until, "--no-input")
      let dry = try app.run("db", "restored", "--until", until, "--dry-run", "--output", "ndjson")
      #expect(missing.exit == 2 && future.exit == 1 && unasked.exit == 2, "\(missing)\(future)\(unasked)")
      #expect(unasked.errors.contains("its audit log goes on after \(until)"), "\(unasked.errors)")
      #expect(dry.exit == 0 && dry.output.contains(#""state":"would end","sessions":1"#), "\(dry)")
      #expect(try await client.get("/v1/me", token: token).status == 200)
      let done = try app.run("db", "restored", "--until", until, "--yes", "--output", "ndjson")
      #expect(done.exit == 0 && done.output.contains(#""state":"ended","sessions":1"#), "\(done)")
      #expect(try await client.get("/v1/me", token: token).json["code"]?.string == "session_revoked")
      let again = try app.run("db", "restored", "--until", until, "--yes", "--output", "ndjson")
      #expect(again.exit == 0 && again.output.contains(#""state":"recorded before","sessions":0"#), "\(again)")
      let verified = try app.run("audit", "verify", "dd-ride")
      #expect(verified.exit == 0 && verified.output.contains("nothing is known from \(until) to"), "\(verified)")
    }
  }
}
