import Foundation
import GatehouseOutbound
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import gatehouse

/// The whole program behind a proxy, which says from where a user signs in.
@Suite("Where devices signed in")
struct GeoIPCommandTests {
  private static let user = #""email":"willie@ksu.edu","password":"Wildcat1""#
  private static let proxy = [
    "GATEHOUSE_PROXIES_TRUSTED": "127.0.0.1", "GATEHOUSE_PROXIES_PROTOCOL": "x_forwarded_for",
  ]

  private func signUp(_ client: TestClient, from address: String) async throws -> TestClient.Answer {
    try await client.send(
      "POST", "/v1/sign-up",
      #"{\#(Self.user),"profile":{"name":"Willie W","phoneNumber":"(785) 555-0123"},"device":{"name":"iPhone"}}"#,
      headers: ["X-Forwarded-For": address])
  }

  private func signIn(_ client: TestClient, from address: String, on device: String) async throws -> TestClient.Answer {
    try await client.send(
      "POST", "/v1/sign-in", #"{\#(Self.user),"device":{"name":"\#(device)"}}"#,
      headers: ["X-Forwarded-For": address])
  }

  /// The places of the list of devices, newest first; `-` where one has none.
  private func places(_ answer: TestClient.Answer, _ list: String) -> [String] {
    (answer.json[list]?.array ?? []).map { $0["place"]?.string ?? "-" }
  }

  /// What is stored of sessions, as text.
  private func stored(_ database: TestDatabase) async throws -> [String] {
    let all = try await database.connect(user: Embedded.superuser)
    let rows = try await all.read(
      nil, "SELECT coalesce(place, '-') FROM gatehouse.session ORDER BY created_at DESC, id DESC")
    await all.stop()
    return try rows.map { try $0[0] }
  }

  @Test("people, the notice by mail, operators and the copy of a person say it, and an erasure takes it away")
  func everywhere() async throws {
    let folder = try Binary.directory()
    let file = folder.appending(path: "places.mmdb")
    try Data(try TestGeoIP.file()).write(to: file)
    let environment = Self.proxy.merging(["GATEHOUSE_PLACES": file.path]) { $1 }
    try await ServedApp.run(environment: environment) { server, database, app in
      let client = TestClient(app.url + "/t/dd-ride")
      #expect(try await signUp(client, from: "10.1.2.3").status == 201)
      // An unproven address gets one notice only.
      try #require(try app.run("user", "verify-email", "dd-ride", "willie@ksu.edu").exit == 0)
      #expect(try await signIn(client, from: "2001:db8:1::5", on: "Pad").status == 200)
      // What a client claims stands left of what the proxy adds.
      let last = try await signIn(client, from: "192.0.2.1, 198.51.100.7", on: "Pixel").json
      let token = try #require(last["access_token"]?.string)
      let expected = ["Manhattan, US", "Málaga, ES", "-"]
      #expect(places(try await client.get("/v1/me/sessions", token: token), "items") == expected)
      #expect(try await stored(database) == expected)
      let mail = try await notice("Device: Pixel", app)
      #expect(mail.text.contains("Place: near Manhattan, US\n") && mail.html.contains("near Manhattan, US"))
      let shown = try app.run("user", "sessions", "dd-ride", "willie@ksu.edu")
      #expect(shown.output.contains("Manhattan, US") && shown.output.contains("Málaga, ES"))
      let copy = try await client.get("/v1/me/export", token: token)
      #expect(Set(places(copy, "sessions")) == Set(expected))
      // A refresh is no sign-in: the place stays that of the sign-in.
      let refresh = #"{"refresh_token":"\#(last["refresh_token"]?.string ?? "")"}"#
      let fresh = try await client.send("POST", "/v1/token", refresh, headers: ["X-Forwarded-For": "203.0.113.7"])
      #expect(fresh.status == 200)
      #expect(try await stored(database) == expected)
      // A new file is taken as it comes, and one that is none is not.
      try Data(try TestGeoIP.file(manhattan: "Topeka")).write(to: file, options: .atomic)
      _ = try await server.line(with: "config.reloaded")
      #expect(try await signIn(client, from: "198.51.100.8", on: "Pixel").status == 200)
      try Data("rubbish".utf8).write(to: file)
      let refused = try await server.line(with: "config.not_reloaded")
      #expect(refused.contains("is not a MaxMind DB file, or is damaged"))
      #expect(try await signIn(client, from: "198.51.100.9", on: "Pixel").status == 200)
      #expect(try await stored(database) == ["Topeka, US", "Topeka, US"] + expected)
      let dump = try await database.dump()
      #expect(dump.contains("Manhattan, US") && !server.text.contains("Manhattan"))
      // A coordinate, and no second of a time.
      #expect(!dump.contains(/[^:0-9]39\.18/))
      #expect(try app.run("user", "erase", "dd-ride", "willie@ksu.edu", "--yes").exit == 0)
      let after = try await database.dump()
      #expect(!after.contains("Manhattan") && !after.contains("Topeka") && !after.contains("Málaga"))
    }
  }

  @Test("without the setting nothing is looked up, kept or answered; only the proxy is believed about an address")
  func without() async throws {
    try await ServedApp.run(environment: Self.proxy) { _, database, app in
      let client = TestClient(app.url + "/t/dd-ride")
      #expect(try await signUp(client, from: "198.51.100.7").status == 201)
      let token = try await signIn(client, from: "198.51.100.7", on: "Pixel").json["access_token"]?.string ?? ""
      let list = try await client.get("/v1/me/sessions", token: token)
      #expect(places(list, "items") == ["-", "-"] && !list.text.contains("place"))
      #expect(try await stored(database) == ["-", "-"])
      let mail = try await notice("Device: Pixel", app)
      #expect(!mail.text.contains("Place") && !mail.html.contains("Place"))
    }
    let folder = try Binary.directory()
    let file = folder.appending(path: "places.mmdb")
    try Data(try TestGeoIP.file()).write(to: file)
    try await ServedApp.run(environment: ["GATEHOUSE_PLACES": file.path]) { _, database, app in
      let up = try await signUp(TestClient(app.url + "/t/dd-ride"), from: "198.51.100.7")
      let kept = try await stored(database)
      #expect(up.status == 201 && kept == ["-"])
    }
  }

  /// The newest mail, once it holds this.
  private func notice(_ text: String, _ app: ServedApp) async throws -> StoredMail {
    var mail = try await app.mail(to: "willie@ksu.edu")
    _ = try await eventually {
      mail = try await app.mail(to: "willie@ksu.edu")
      return mail.text.contains(text)
    }
    return mail
  }

  @Test("a file that is missing or of no use keeps a server from starting, by name, and the doctor says so")
  func start() throws {
    let folder = try Binary.directory()
    func finding(_ bytes: [UInt8]?) throws -> (start: String, doctor: [String]) {
      let path = folder.path + "/p.mmdb"
      if let bytes { try Data(bytes).write(to: URL(filePath: path)) }
      // Beyond the places it would get as far as its key.
      let environment = [
        "GATEHOUSE_PLACES": path, "GATEHOUSE_DATA_DIR": folder.path + "/data",
        "GATEHOUSE_KEK_FILE": folder.path + "/no-key",
      ]
      let served = try Binary.run(
        ["serve", "--dev", "--database", "postgres://nobody@127.0.0.1:9/nowhere"], in: folder, environment: environment)
      var reader = ConfigReader(
        [.yaml(Array("places: \(path)\n".utf8), path: "g.yaml")], Surroundings(environment: [:], userID: 1000))
      let found = MachineFindings.all(Config(&reader)).filter { $0.subject == "places" }
      return (
        served.errors.replacing(folder.path, with: "DIR"),
        found.map { "\($0.state.rawValue): \($0.words.replacing(folder.path, with: "DIR"))" }
      )
    }
    let missing = try finding(nil)
    #expect(
      missing.start.contains(#"places: "DIR/p.mmdb" cannot be read: No such file or directory"#), "\(missing.start)")
    #expect(missing.doctor == [#"failure: places: "DIR/p.mmdb" cannot be read: No such file or directory"#])
    let rubbish = try finding(Array("rubbish".utf8))
    #expect(
      rubbish.start.contains(#"places: "DIR/p.mmdb" is not a MaxMind DB file, or is damaged"#), "\(rubbish.start)")
    let other = try finding(try TestGeoIP.file(type: "GeoLite2-ASN"))
    #expect(other.start.contains(#""DIR/p.mmdb" holds "GeoLite2-ASN", which are no places"#), "\(other.start)")
    let day = Date(timeIntervalSince1970: 1_700_000_000)
    let old = try finding(try TestGeoIP.file(builtAt: day))
    #expect(old.doctor == [#"warning: "DIR/p.mmdb": GeoLite2-City, made on 2023-11-14, more than a year ago"#])
    #expect(old.start.contains("no-key") && !old.start.contains("places"), "\(old.start)")
    // A good one is no reason to stop.
    let good = try finding(try TestGeoIP.file(builtAt: Date()))
    #expect(good.doctor.first?.hasPrefix("ok: DIR/p.mmdb: GeoLite2-City, made on 20") == true)
    #expect(good.start.contains("no-key") && !good.start.contains("places"), "\(good.start)")
  }
}
