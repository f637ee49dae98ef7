import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("A key file that is not the installation's, and tenants that are not served")
struct WrongKeyTests {
  private static let words = [
    "serve", "--dev", "--listen", "127.0.0.1:0", "--ops-listen", "127.0.0.1:0", "--log-format", "json",
  ]

  private static func restarted(
    _ app: ServedApp, _ body: (TestClient) async throws -> Void
  ) async throws {
    let server = try RunningBinary(words, in: app.directory, environment: app.environment)
    defer { server.stop() }
    let started = try JSONParser.parse(Array(try await server.line(with: "server.started").utf8))
    try await body(TestClient("http://" + (try #require(started["operations"]?.string))))
  }

  @Test(
    "serve with another key file ends with 6, and says which file, what is wrong and what to do; the true one serves")
  func wrong() async throws {
    try await ServedApp.run { server, _, app in
      server.stop()
      let data = app.directory.path + "/data"
      let path = TestKeyFile.path(in: data)
      let text = try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
      let own = try #require(Data(base64Encoded: text))
      try TestKeyFile.put([UInt8](repeating: 7, count: 32), in: data)
      let refused = try await RunningBinary(Self.words, in: app.directory, environment: app.environment).refusal()
      let doctor = try app.run("doctor", "--dev")
      #expect(refused.exit == 6)
      #expect(
        refused.text.contains("the key-encryption key of \"\(path)\" opens none of the 1 data keys in the database"),
        "\(refused.text)")
      #expect(refused.text.contains("put the key file of this installation back (kek.file)"))
      #expect(doctor.exit == 1 && doctor.output.contains("opens none of the 1 data keys"), "\(doctor.output)")
      #expect(doctor.output.contains("would not be served: data key 1 does not open"), "\(doctor.output)")
      try TestKeyFile.put([UInt8](own), in: data)
      try await Self.restarted(app) { operations in
        let ready = try await operations.get("/readyz")
        #expect(ready.status == 200)
      }
    }
  }

  @Test("a key that is lost is not replaced, by no start and by no doctor; both say that the data keys need it")
  func lost() async throws {
    try await ServedApp.run { server, _, app in
      server.stop()
      let path = app.directory.path + "/data/kek"
      try FileManager.default.removeItem(atPath: path)
      let doctor = try app.run("doctor", "--dev")
      #expect(doctor.exit == 1 && doctor.output.contains("there is no key-encryption key at"), "\(doctor.output)")
      let refused = try await RunningBinary(Self.words, in: app.directory, environment: app.environment).refusal()
      #expect(refused.exit == 6 && refused.text.contains("put the file back from its backup"), "\(refused.text)")
      let command = try app.run("secret", "list", "dd-ride")
      #expect(command.exit == 6 && command.errors.contains("data keys in the database need it"), "\(command.errors)")
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test("the doctor of a new installation makes no key, and says that the first start does")
  func doctorMakesNone() async throws {
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let database = try await TestDatabase.make()
    let environment = try Binary.environment(database, in: directory, hasKey: false)
    let doctor = try Binary.run(["doctor", "--dev"], in: directory, environment: environment)
    #expect(doctor.output.contains("the first start makes it"), "\(doctor.output)")
    #expect(!FileManager.default.fileExists(atPath: directory.path + "/data/kek"))
    try await database.drop()
  }

  @Test("no command makes a key: the first refuses, says that a server makes it, and leaves nothing behind")
  func commandMakesNone() async throws {
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let database = try await TestDatabase.make()
    let environment = try Binary.environment(database, in: directory, hasKey: false)
    let asking = ["admin", "create", "olivia", "--scope", "audit:read", "--all-tenants"]
    let migrate = try Binary.run(["db", "migrate"], in: directory, environment: environment)
    let create = try Binary.run(asking, in: directory, environment: environment)
    #expect(migrate.exit == 0, "\(migrate.errors)")
    #expect(create.exit == 6 && create.errors.contains("yet, and only a server makes it"), "\(create.errors)")
    #expect(create.errors.contains("gatehouse serve"), "\(create.errors)")
    #expect(!FileManager.default.fileExists(atPath: directory.path + "/data/kek"))
    let server = try RunningBinary(Self.words, in: directory, environment: environment)
    _ = try await server.line(with: "server.started")
    server.stop()
    let after = try Binary.run(asking, in: directory, environment: environment)
    #expect(after.exit == 0, "\(after.errors)")
    try await database.drop()
  }

  @Test("a command without a key makes no private cluster either, and nothing else: it says that a server does")
  func commandMakesNothing() throws {
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let environment = [
      "GATEHOUSE_DATA_DIR": directory.path + "/data", "GATEHOUSE_LISTS": TestLists.root + "/config/lists",
    ]
    let asked = try Binary.run(["tenant", "list"], in: directory, environment: environment)
    #expect(asked.exit == 6 && asked.errors.contains("yet, and only a server makes it"), "\(asked.errors)")
    #expect(asked.errors.contains("gatehouse serve"), "\(asked.errors)")
    let left = try FileManager.default.contentsOfDirectory(atPath: directory.path)
    #expect(left.isEmpty)
  }

  @Test(
    "a tenant that is not served is named in /readyz, a metric and the doctor, and the others keep the server ready")
  func unserved() async throws {
    let names = ["dd-ride", "messai", "vibes"]
    let policies = try Dictionary(uniqueKeysWithValues: names.map { ($0, try TestLists.policy($0)) })
    try await ServedApp.run(policies: policies) { server, database, app in
      server.stop()
      try await database.runAsSuperuser(
        script: """
          UPDATE gatehouse.data_key SET sealed = set_byte(sealed, 40, 255 - get_byte(sealed, 40))
          WHERE tenant_id = (SELECT id FROM gatehouse.tenant WHERE name = 'dd-ride');
          UPDATE gatehouse.policy_revision SET text = 'no policy'
          WHERE tenant_id = (SELECT id FROM gatehouse.tenant WHERE name = 'messai')
          """)
      try await Self.restarted(app) { operations in
        let ready = try await operations.get("/readyz")
        let figures = try await operations.get("/metrics").text.split(separator: "\n")
          .filter { $0.hasPrefix("gatehouse_tenant_not_served{") }
        let why = ready.json["tenants_not_served"]
        #expect(ready.status == 200 && ready.json["tenants_on_last_good_revision"] == nil)
        #expect(
          why?["dd-ride"]?.string == "data key 1 does not open with the configured key-encryption key"
            && why?["messai"]?.string?.isEmpty == false && why?["vibes"] == nil, "\(ready.text)")
        #expect(
          figures == [
            "gatehouse_tenant_not_served{tenant=\"dd-ride\"} 1", "gatehouse_tenant_not_served{tenant=\"messai\"} 1",
          ])
      }
      let doctor = try app.run("doctor", "--dev").output
      #expect(
        doctor.contains("kek.file and kek.other_file in gatehouse config show")
          && doctor.contains("gatehouse policy history messai"), "\(doctor)")
    }
  }
}
