import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import gatehouse

@Suite("A database that answers reads and refuses writes")
struct RefusedWritesTests {
  private static let form =
    #"{"email":"willie@ksu.edu","password":"Wildcat1","profile":{"name":"Willie","phoneNumber":"785-555-0123"}}"#

  /// Lets each new account be refused, as a full disk does; false lets them in again.
  private func fill(_ database: TestDatabase, _ isFull: Bool) async throws {
    let all = try await database.connect(user: Embedded.superuser)
    let statements: [SQL] =
      isFull
      ? [
        """
        CREATE FUNCTION gatehouse.full_disk() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$
        """,
        "CREATE TRIGGER full_disk BEFORE INSERT ON gatehouse.account FOR EACH ROW EXECUTE FUNCTION gatehouse.full_disk()",
      ] : ["DROP TRIGGER full_disk ON gatehouse.account", "DROP FUNCTION gatehouse.full_disk()"]
    for statement in statements { _ = try await all.write(nil, statement) }
    await all.stop()
  }

  @Test("readiness, a metric, one error event and the doctor say so, and a command says that nothing was changed")
  func told() async throws {
    try await ServedApp.run { server, database, app in
      try await fill(database, true)
      let client = TestClient(app.url)
      let refused = try await client.post("/t/dd-ride/v1/sign-up", Self.form)
      #expect(refused.status == 503)
      let event = try await server.line(with: "database.refuses_writes")
      #expect(event.contains(#""level":"error""#) && event.contains("the database's disk is full (53100)"))
      let ready = try await TestClient(app.operations).get("/readyz").json["database"]?.string
      #expect(ready == "answers, and refuses writes: the database's disk is full (53100)")
      let metrics = try await TestClient(app.operations).get("/metrics").text
      #expect(metrics.contains(#"gatehouse_database_refuses_writes{class="53"} 1"#))
      #expect(metrics.contains(#"gatehouse_database_refuses_writes{class="57"} 0"#))
      let doctor = try app.run("doctor")
      #expect(doctor.exit == 1 && doctor.output.contains("disk is full"), "\(doctor.output)")
      let made = try app.run("user", "create", "dd-ride", "a@ksu.edu", "name=Ada", "phoneNumber=785-555-0124")
      #expect(made.errors.contains("the database's disk is full (53100); nothing was changed"), "\(made.errors)")
      _ = try? await client.post("/t/dd-ride/v1/sign-up", Self.form)
      try await fill(database, false)
      #expect(try await client.post("/t/dd-ride/v1/sign-up", Self.form).status == 201)
      #expect(server.lines.filter { $0.contains("database.refuses_writes") }.count == 1)
    }
  }

  @Test(
    "no refusal of the store is told by the name of a case",
    arguments: [
      StoreError.emailTaken, .fieldTaken("username"), .exists, .refused(.codeIsLive),
      .limited(name: "mails", retryAfter: 9),
      .overloaded, .unavailable, .unknownOutcome, .impaired(state: "53100"), .impaired(state: "XX000"),
    ])
  func words(_ error: StoreError) {
    let said = Failure(AdminProblems.problem(of: error, requestID: "").problem).messages.joined()
    #expect(said.contains("nothing was changed") || said.contains("it may have happened, or not"))
    #expect(!said.hasPrefix("\(error)") && !said.contains("(state"))
  }
}
