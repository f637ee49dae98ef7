import Foundation
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// The way that README.md describes, with the built program.
@Suite("A development server and a browser, without another terminal")
struct FirstPictureTests {
  private static let form =
    #"{"email":"willie@ksu.edu","password":"Wildcat1","profile":{"name":"Willie","phoneNumber":"785-555-0123"}}"#

  @Test("a person signs up, reads the code, edits a policy and sees the edit, or why it is refused")
  func journey() async throws {
    try await ServedApp.run { _, _, app in
      let client = TestClient(app.url)
      func shows(_ text: String, at path: String = "/") async throws -> Bool {
        try await eventually { try await client.get(path).text.contains(text) }
      }
      #expect(try await shows("<h1>One app, one server</h1>"))
      #expect(try await shows("Edit <code>policies/dd-ride.yaml</code> and reload."))
      #expect(try await client.post("/t/dd-ride/v1/sign-up", Self.form).status == 201)
      let code = try #require(try await app.mail(to: "willie@ksu.edu").code)
      #expect(try await shows("<span class=\"code\">\(code)</span>", at: "/dev/mail"))
      let file = app.directory.appending(path: "policies/dd-ride.yaml")
      try Guide.edit(file, from: "name: DD Ride\n", to: "name: Wildcat Rides\n")
      #expect(try await shows("<h2>Wildcat Rides</h2>"))
      try Guide.edit(file, from: "{id: min8, min_length: 8}", to: "{id: min8, min_length: 12}")
      #expect(try await shows("<h2>dd-ride.yaml is refused</h2>"))
      #expect(try await shows("<code>gatehouse policy test policies/dd-ride.yaml</code>"))
      try Guide.edit(file, from: "{id: min8, min_length: 12}", to: "{id: min8, min_length: 8}")
      #expect(try await eventually { try await !client.get("/").text.contains("is refused") })
    }
  }

  @Test("T169 a server without --dev has neither page: each answer is that of an unknown path")
  func production() async throws {
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let database = try await TestDatabase.make()
    let environment = try Binary.environment(
      database, in: directory,
      [
        "GATEHOUSE_MAIL_FROM": "no-reply@auth.example.com", "GATEHOUSE_SMTP_URL": "smtp://127.0.0.1:1",
        "GATEHOUSE_PUBLIC_URL": "https://auth.example.com",
      ])
    let server = try RunningBinary(
      ["serve", "--listen", "127.0.0.1:0", "--ops-listen", "127.0.0.1:0", "--log-format", "json"], in: directory,
      environment: environment)
    defer { server.stop() }
    let started = try JSONParser.parse(Array(try await server.line(with: "server.started").utf8))
    let client = TestClient("http://" + (try #require(started["listen"]?.string)))
    for method in ["GET", "POST", "OPTIONS"] {
      let name = ["X-Request-Id": "same-name"]
      let unknown = try await client.send(method, "/nothing", headers: name)
      for path in ["/", "/dev/mail"] {
        let answer = try await client.send(method, path, headers: name)
        let fields = [answer, unknown].map { $0.headers.filter { $0.key != "date" } }
        #expect(answer.status == 404 && answer.body == unknown.body && fields[0] == fields[1], "\(method) \(path)")
      }
    }
    #expect(server.stop() == 0)
    try await database.drop()
  }
}
