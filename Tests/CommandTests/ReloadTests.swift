import Foundation
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import gatehouse

@Suite("A configuration that is read again while the server runs")
struct ReloadTests {
  /// A list of throw-away domains, beside nothing else.
  private static let lists = ["lists/disposable.txt": "mailinator.com\n"]

  /// For all addresses but those of throw-away domains.
  private static let policy = """
    schema: gatehouse/policy.v1
    tenant: acme
    app:
      name: Acme
      locales: [en]
    identifiers:
      sign_in_with: [email]
      email: {deny_disposable: true}
    password:
      rules:
        - {id: min8, min_length: 8}
    privacy: {account_exists: reveal}
    """

  /// Runs a server with this configuration file.
  private func run(
    _ yaml: String, files: [String: String] = [:], environment: [String: String] = [:],
    _ body: (RunningBinary, ServedApp) async throws -> Void
  ) async throws {
    let files = Self.lists.merging(files) { $1 }.merging(["gatehouse.yaml": yaml]) { $1 }
    try await ServedApp.run(
      policies: ["acme": Self.policy], files: files,
      environment: environment.merging(["GATEHOUSE_CONFIG": "gatehouse.yaml", "GATEHOUSE_LISTS": "lists"]) { $1 }
    ) { server, _, app in try await body(server, app) }
  }

  private func signUp(_ app: ServedApp, _ email: String) async throws -> Int {
    let body = #"{"email":"\#(email)","password":"Quilted-Harbour-2031!"}"#
    return try await TestClient(app.url + "/t/acme").post("/v1/sign-up", body).status
  }

  private func hangUp(_ server: RunningBinary) { kill(server.processIdentifier, SIGHUP) }

  /// What the operations listener says.
  private func operations(_ app: ServedApp, _ path: String) async throws -> JSONValue {
    try await TestClient(app.operations).get(path).json
  }

  /// The lines of an event so far.
  private func lines(_ event: String, _ server: RunningBinary) -> [JSONValue] {
    server.lines.filter { $0.contains("\"\(event)\"") }.compactMap { try? JSONParser.parse(Array($0.utf8)) }
  }

  @Test("each setting that a running server takes stands in one part, and no other does")
  func table() throws {
    let surroundings = Surroundings(environment: [:], userID: 1000)
    var reader = ConfigReader([.yaml(Array("dev: true\n".utf8), path: "g.yaml")], surroundings)
    let (parts, _) = StartParts.read(Config(&reader), for: .server)
    let log = Log(level: .info, form: .json) { _ in }
    let taken = ReloadPart.all(parts, nil, log).flatMap(\.keys)
    #expect(taken.sorted() == Settings.all.filter { $0.taken != .atStart }.map(\.key).sorted())
  }

  @Test("SIGHUP ends no server, with or without TLS, and says what was taken: nothing")
  func nothing() async throws {
    try await run("dev: true\n") { server, app in
      hangUp(server)
      let line = try await server.line(with: "config.reloaded")
      #expect(line.contains(#""settings":"none""#))
      #expect(try await signUp(app, "a@example.com") == 201)
    }
  }

  @Test("a setting that is taken at once counts, and one that needs a start is named, until it is taken back")
  func settings() async throws {
    try await run("dev: true\n") { server, app in
      try app.write("log:\n  level: debug\nlimits:\n  connections: 999\n", to: "gatehouse.yaml")
      hangUp(server)
      #expect(try await server.line(with: "config.reloaded").contains(#""settings":"log.level""#))
      #expect(try await server.line(with: "config.needs_restart").contains(#""settings":"limits.connections""#))
      #expect(try await operations(app, "/readyz")["config_needs_restart"] == .array([.string("limits.connections")]))
      let found = try app.run("doctor")
      #expect(found.exit == 1 && found.output.contains("limits.connections"), "\(found.output)")
      try app.write("dev: true\n", to: "gatehouse.yaml")
      hangUp(server)
      let cleared = try await eventually { try await operations(app, "/readyz")["config_needs_restart"] == nil }
      #expect(cleared)
    }
  }

  @Test("a configuration with a mistake changes nothing, and the log and the operations listener say where it is")
  func mistake() async throws {
    try await run("dev: true\n") { server, app in
      try app.write("log:\n  level: loud\n", to: "gatehouse.yaml")
      hangUp(server)
      #expect(try await server.line(with: "config.not_reloaded").contains("gatehouse.yaml:2:"))
      let trouble = try await operations(app, "/readyz")["config_not_reloaded"]?["config"]?.string
      #expect(trouble?.contains("log.level") == true && trouble?.contains("missing") == false)
      #expect(try await signUp(app, "a@example.com") == 201)
    }
  }

  @Test("a list counts within seconds after its file changed, without a signal; a file of no use changes nothing")
  func lists() async throws {
    try await run("dev: true\n") { server, app in
      #expect(try await signUp(app, "a@spam.example") == 201)
      try app.write("mailinator.com\nspam.example\n", to: "lists/disposable.txt")
      #expect(try await server.line(with: "config.reloaded").contains(#""settings":"lists""#))
      #expect(try await signUp(app, "b@spam.example") == 422)
      try app.write("not a domain at all\n", to: "lists/disposable.txt")
      _ = try await server.line(with: "config.not_reloaded")
      #expect(try await signUp(app, "c@spam.example") == 422)
      #expect(try await operations(app, "/readyz")["config_not_reloaded"]?["lists"] != nil)
    }
  }

  @Test("a part that was of no use at a reload is taken once its file is mended, and the doctor then finds nothing")
  func mended() async throws {
    let files = ["floor.yaml": "schema: gatehouse/floor.v1\n", "other.yaml": "no floor"]
    try await run("policy:\n  floor: floor.yaml\n", files: files) { server, app in
      try app.write("policy:\n  floor: other.yaml\n", to: "gatehouse.yaml")
      hangUp(server)
      _ = try await server.line(with: "config.not_reloaded")
      #expect(try app.run("doctor").output.contains("another policy.floor"))
      try app.write("schema: gatehouse/floor.v1\n", to: "other.yaml")
      let isMended = try await eventually { try await operations(app, "/readyz")["config_not_reloaded"] == nil }
      #expect(isMended)
      let doctor = try app.run("doctor").output
      #expect(doctor.contains("has in force what these files say"), "\(doctor)")
    }
  }

  @Test("a floor that is applied while the server runs binds it")
  func floor() async throws {
    let empty = ["floor.yaml": "schema: gatehouse/floor.v1\n"]
    try await run("policy:\n  floor: floor.yaml\n", files: empty) { server, app in
      try app.write("schema: gatehouse/floor.v1\npassword:\n  min_length: 10\n", to: "floor.yaml")
      _ = try await server.line(with: "floor.differs")
      #expect(try app.run("floor", "apply").exit == 0)
      _ = try await server.line(with: "floor.agrees")
      let token = try app.adminToken("ci", "--scope", "policy:write", "--tenant", "acme")
      try app.write(token, to: "token")
      func apply(_ text: String) throws -> Binary.Outcome {
        try app.write(text, to: "acme.yaml")
        return try app.run(
          "policy", "apply", "acme", "acme.yaml", "--server", app.admin, "--token-file", "token", "--yes",
          "--allow-weaker")
      }
      let refused = try apply(Self.policy.replacing("min_length: 8", with: "min_length: 7"))
      #expect(refused.exit == 1 && refused.errors.contains("the floor"), "\(refused.errors)")
      // The tenant is below already: what makes nothing worse is let through.
      let edited = try apply(Self.policy.replacing("Acme", with: "Acme 2"))
      #expect(edited.exit == 0, "\(edited.errors)")
      let asked = try app.run(
        "policy", "check", "acme.yaml", "--server", app.admin, "--token-file", "token")
      #expect(asked.exit == 0 && asked.output.contains("so is the live revision"), "\(asked.output)\(asked.errors)")
    }
  }

  @Test("another password of the mail server counts once its file was replaced, and no mail is lost meanwhile")
  func smtpPassword() async throws {
    let sink = try await MailSink.start(MailSink.Options(login: ("gatehouse", "right")))
    let url = sink.url.replacing(":right@", with: "@") + "&password_file=password"
    let (yaml, files) = ("mail:\n  from: no-reply@example.com\n", ["password": "wrong\n"])
    try await run(yaml, files: files, environment: ["GATEHOUSE_SMTP_URL": url]) { server, app in
      #expect(try await signUp(app, "a@example.com") == 201)
      _ = try await server.line(with: "mail.postponed")
      try app.write("right\n", to: "password")
      #expect(try await server.line(with: "config.reloaded").contains(#""settings":"smtp_url""#))
      #expect(try await sink.next(to: "a@example.com", within: 40).login == "gatehouse")
    }
  }

  @Test("the doctor compares the files with those that the running server read")
  func doctor() async throws {
    try await run("policy:\n  lockout_share: 5\n") { _, app in
      #expect(try app.run("doctor").output.contains("has in force what these files say"))
      try app.write("policy:\n  lockout_share: 6\n", to: "gatehouse.yaml")
      let found = try app.run("doctor")
      #expect(found.exit == 1 && found.output.contains("another policy.lockout_share"), "\(found.output)")
    }
  }
}
