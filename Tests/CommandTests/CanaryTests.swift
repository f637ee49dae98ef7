import Foundation
import GatehouseOutbound
import GatehousePostgres
import GatehousePrimitives
import GatehouseServer
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

/// Words that must not occur in a log, and that occur nowhere else.
private struct Canaries {
  /// Not even the database may hold these in clear.
  var secrets = [
    "Canary-Pass-7f3a9", "Canary-Next-81bc2", "Canary-Wrong-4d0e5", "canary-refresh-token-62aa", "canary-cookie-19f4",
    "canary-link-token-3b7d", "canary-bearer-0c5e",
  ]
  /// Stored where they belong, and told to no other client.
  let personal = [
    "canary.person", "canary.other", "Canary Person", "5550199", "canary-push-3d1f", "Canary iPhone", "canary-agent",
    "canary-field",
  ]
}

@Suite("Canaries: what people confide stays out of logs, metrics and audit")
struct CanaryTests {
  private let form = ["Content-Type": "application/x-www-form-urlencoded"]

  @Test("T119 T120 canaries sent through every endpoint are in no log line, metric, audit row or error text")
  func everywhere() async throws {
    try await ServedApp.run { server, database, place in
      var canaries = Canaries()
      let client = TestClient(place.url + "/t/dd-ride")
      canaries.secrets += try await live(client, place)
      try await everyRoute(client)
      try await elsewhere(TestClient(place.url))
      // A server whose database fails must not say more than one whose database works.
      try await database.runAsSuperuser(script: "ALTER TABLE gatehouse.account RENAME TO lost")
      for (path, body) in [
        ("/v1/sign-in", #"{"email":"canary.person@ksu.edu","password":"Canary-Wrong-4d0e5"}"#),
        (
          "/v1/sign-up",
          #"{"email":"canary.other@ksu.edu","password":"Canary-Pass-7f3a9","profile":{"name":"Canary Person","phoneNumber":"7855550199"}}"#
        ),
      ] {
        let failed = try await client.post(path, body)
        #expect(failed.status == 500 && failed.code == "internal", "\(failed.text)")
        for word in ["account", "relation", "SELECT", "42P01"] { #expect(!failed.text.contains(word)) }
      }
      try await database.runAsSuperuser(script: "ALTER TABLE gatehouse.lost RENAME TO account")
      _ = try await client.send("GET", "/v1/policy", headers: ["X-Request-Id": "canary-request-id"])
      _ = try await server.line(with: "canary-request-id")
      let metrics = try await TestClient(place.operations).get("/metrics").text
      let audit = try place.run("audit", "search", "dd-ride", "--output", "ndjson", "--limit", "1000").output
      let dump = try dump(database)
      expectNone(canaries.secrets + canaries.personal, in: ["log": server.text, "metrics": metrics, "audit": audit])
      expectNone(canaries.secrets, in: ["database": dump])
      try expectControls(server, metrics, audit, dump)
    }
  }

  private func expectNone(_ words: [String], in places: [String: String]) {
    for (place, text) in places {
      for word in words {
        let hex = word.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(text.range(of: word, options: .caseInsensitive) == nil, "\(word) is in the \(place)")
        #expect(!text.contains(hex), "\(word) is in the \(place), in hexadecimal")
      }
    }
  }

  /// That the search looks where something is to be found.
  private func expectControls(_ server: RunningBinary, _ metrics: String, _ audit: String, _ dump: String) throws {
    #expect(server.lines.count > 80 && server.text.contains("canary-request-id"))
    #expect(metrics.contains(#"rule="email.allowed_domains",verdict="violated""#))
    #expect(metrics.contains(#"gatehouse_sign_ins_total{tenant="dd-ride",result="invalid_credentials"}"#))
    #expect(metrics.contains("gatehouse_outbox_waiting") && metrics.contains("gatehouse_policy_revision"))
    #expect(audit.contains("authn_login_fail") && audit.contains("created from dd-ride.yaml"))
    #expect(dump.contains("canary.person@ksu.edu") && dump.contains("Canary Person"))
    var routes: Set<String> = []
    for line in server.lines {
      let event = try JSONParser.parse(Array(line.utf8))
      guard event["event"]?.string == "request" else { continue }
      for key in ["request_id", "method", "route", "status", "ms"] { #expect(event[key] != nil, "\(line)") }
      routes.insert(event["route"]?.string ?? "")
      if event["code"]?.string == "tenant_not_found" {
        #expect(["/v1/sign-in", "/v1/policy"].contains(event["route"]?.string), "\(line)")
      }
    }
    #expect(routes.isSuperset(of: Routes.all.map(\.path)), "\(Set(Routes.all.map(\.path)).subtracting(routes))")
    #expect(routes.isSuperset(of: ["/ui/verify-email", "/ui/reset-password", "(none)", "/v1/policy"]))
  }

  /// All that the server has stored, as text.
  private func dump(_ database: TestDatabase) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/lib/postgresql/15/bin/pg_dump")
    process.arguments = ["--data-only", "--inserts", "--dbname", database.conninfo(user: Embedded.superuser)]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: data, as: UTF8.self)
  }

  /// The life of a user with the app: everything succeeds once, and fails once. The secrets it was given.
  private func live(_ client: TestClient, _ place: ServedApp) async throws -> [String] {
    let up = try await client.post(
      "/v1/sign-up",
      #"{"email":"Canary.Person@ksu.edu","password":"Canary-Pass-7f3a9","profile":{"name":"Canary Person","phoneNumber":"(785) 555-0199"},"device":{"name":"Canary iPhone"}}"#
    )
    #expect(up.status == 201, "\(up.text)")
    _ = try await client.post(
      "/v1/sign-up",
      #"{"email":"canary.person@gmail.com","password":"Canary-Pass-7f3a9","profile":{"name":"Canary Person"}}"#)
    let wrong = try await client.post(
      "/v1/sign-in", #"{"email":"canary.person@ksu.edu","password":"Canary-Wrong-4d0e5"}"#)
    #expect(wrong.status == 401)
    var secrets = [
      up,
      try await client.post(
        "/v1/sign-in", #"{"email":"canary.person@ksu.edu","password":"Canary-Pass-7f3a9"}"#),
    ]
    .flatMap { [$0.json["access_token"]?.string, $0.json["refresh_token"]?.string].compactMap { $0 } }
    try #require(secrets.count == 4)
    let access = secrets[0]
    let rotated = try await client.post("/v1/token", #"{"refresh_token":"\#(secrets[1])"}"#)
    secrets += [rotated.json["access_token"]?.string, rotated.json["refresh_token"]?.string].compactMap { $0 }
    for (method, path, body, status) in [
      ("PATCH", "/v1/me", #"{"profile":{"name":"Canary Person II"}}"#, 200),
      ("PUT", "/v1/me/sessions/current/push-token", #"{"push_token":"canary-push-3d1f","platform":"apns"}"#, 204),
      ("POST", "/v1/reauthenticate", #"{"password":"Canary-Wrong-4d0e5"}"#, 401),
      ("POST", "/v1/me/password", #"{"current_password":"Canary-Pass-7f3a9","password":"Canary-Next-81bc2"}"#, 200),
      ("POST", "/v1/password-reset", #"{"email":"canary.person@ksu.edu"}"#, 202),
    ] {
      let answer = try await client.send(method, path, body, token: access)
      #expect(answer.status == status, "\(path): \(answer.text)")
    }
    let verification = try await place.mail(to: "canary.person@ksu.edu")
    let mails = MailFilesReader(directory: place.directory.path + "/data/outbox")
    var links = [verification.link].compactMap { $0 }
    _ = try await eventually {
      links = ((try? mails.list()) ?? []).compactMap(\.mail.link)
      return links.contains { $0.contains("reset-password") }
    }
    for link in Set(links) { secrets.append(try await open(link, client)) }
    return secrets
  }

  /// Opens a mail's link and presses its button. Its token.
  private func open(_ link: String, _ client: TestClient) async throws -> String {
    let path = String(link[try #require(link.range(of: "/ui/")).lowerBound...])
    let moved = try await client.get(path)
    let cookie = String(try #require(moved.headers["set-cookie"]?.split(separator: ";").first))
    let plain = String(path.prefix { $0 != "?" })
    let page = try await client.send(
      "GET", "/ui/" + (try #require(moved.headers["location"])), headers: ["Cookie": cookie])
    if let proof = page.text.firstMatch(of: /name="csrf" value="([^"]+)"/)?.output.1,
      let flow = page.text.firstMatch(of: /name="f" value="([^"]+)"/)?.output.1
    {
      _ = try await client.send(
        "POST", plain, "csrf=\(proof)&f=\(flow)&password=Canary-Next-81bc2&again=Canary-Next-81bc2",
        headers: form.merging(["Cookie": cookie, "Sec-Fetch-Site": "same-origin"]) { $1 })
    }
    return String(path.drop { $0 != "=" }.dropFirst())
  }

  /// Every route with canaries wherever it takes anything, and where it takes nothing.
  private func everyRoute(_ client: TestClient) async throws {
    let document = OpenAPI.document("https://auth.example.com")
    let headers = [
      "User-Agent": "canary-agent", "Cookie": "session=canary-cookie-19f4", "Referer": "https://canary-agent.example/",
    ]
    for route in Routes.all {
      let operation = document["paths"]?["/t/{tenant}" + route.path]?[route.method.rawValue.lowercased()]
      let schema = operation?["requestBody"]?["content"]?["application/json"]?["schema"]?["properties"]
      var body = JSONObject()
      for (index, member) in (schema?.object?.members ?? []).enumerated() {
        body[member.key] = value(member.value, index)
      }
      let path = route.path.replacing("{id}", with: "canary.person").replacing("{provider}", with: "canary.person")
      var stray = body
      stray["canary-field"] = .string("Canary-Pass-7f3a9")
      let bodies =
        route.method == .get
        ? [nil] : [body, stray].map { String(decoding: JSONValue.object($0).bytes, as: UTF8.self) }
      for body in bodies + (route.method == .get ? [] : ["{\"canary-field\": Canary-Pass-7f3a9"]) {
        _ = try await client.send(route.method.rawValue, path, body, token: "canary-bearer-0c5e", headers: headers)
        _ = try await client.send(route.method.rawValue, path, body, headers: headers)
      }
      _ = try await client.send(route.method.rawValue, path + "?canary-field=Canary-Pass-7f3a9&ids=canary.person")
    }
  }

  private func value(_ schema: JSONValue, _ index: Int) -> JSONValue {
    let words = [
      "Canary-Wrong-4d0e5", "canary.other@ksu.edu", "canary-refresh-token-62aa", "canary-link-token-3b7d",
      "canary-push-3d1f",
    ]
    return switch schema["type"]?.string {
    case "boolean": .bool(true)
    case "integer": .integer(1)
    case "object": .object(["canary-field": .string("Canary Person"), "name": .string("Canary Person")])
    default: .string(words[index % words.count])
    }
  }

  /// Pages, documents, other paths and other tenants.
  private func elsewhere(_ client: TestClient) async throws {
    let bodies = "token=canary-link-token-3b7d&password=Canary-Pass-7f3a9&csrf=canary-cookie-19f4"
    for page in ["verify-email", "reset-password", "confirm-email", "undo-email", "canary.person"] {
      _ = try await client.get("/t/dd-ride/ui/\(page)?token=canary-link-token-3b7d")
      _ = try await client.get("/t/dd-ride/ui/\(page)?token=Canary-Pass-7f3a9&canary-field=1")
      _ = try await client.send("POST", "/t/dd-ride/ui/\(page)", bodies, headers: form)
    }
    for path in [
      "/canary.person", "/t/canary-agent/v1/sign-in", "/t/dd-ride/canary.person", "/t/dd-ride/v1/policy?canary-field",
      "/t/canary.person@ksu.edu/v1/sign-in", "/openapi.json?canary-field=Canary-Pass-7f3a9",
    ] {
      for method in ["GET", "POST", "PURGE"] { _ = try await client.send(method, path) }
    }
  }
}
