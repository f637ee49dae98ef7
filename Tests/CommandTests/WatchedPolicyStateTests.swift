import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("A watched file that is refused or drifted is seen")
struct WatchedPolicyStateTests {
  private static let serve = [
    "serve", "--dev", "--watch", "policies", "--listen", "127.0.0.1:0", "--ops-listen", "127.0.0.1:0", "--log-format",
    "json",
  ]

  /// What operators see of policy files: `/readyz` of a server, its two gauges, and the doctor beside it.
  private struct Sight {
    var ready: [String: String] = [:]
    var refused: [String] = []
    var drifted: [String] = []
    /// By file, what is found and what to run.
    var doctor: [String: (state: String, finding: String, advice: String)] = [:]

    init(_ operations: String, _ app: ServedApp) async throws {
      let answer = try await TestClient(operations).get("/readyz")
      #expect(answer.status == 200 && answer.json["ready"] == .bool(true), "\(answer.text)")
      for (name, line) in answer.json["policy_files"]?.object?.members.map({ ($0.key, $0.value) }) ?? [] {
        ready[name] = line.string
      }
      let metrics = try await TestClient(operations).get("/metrics").text
      func tenants(_ figure: String) -> [String] {
        metrics.split(separator: "\n").filter { $0.hasPrefix(figure + "{") }.map(String.init)
      }
      refused = tenants("gatehouse_policy_file_refused")
      drifted = tenants("gatehouse_policy_file_drifted")
      // Beside the server, with nothing of its flags.
      let told = try app.run("doctor", "--output", "json")
      for item in try JSONParser.parse(Array(told.output.utf8))["items"]?.array ?? [] {
        guard let subject = item["subject"]?.string, subject.hasPrefix("policy file ") else { continue }
        doctor[String(subject.dropFirst("policy file ".count))] = (
          item["state"]?.string ?? "", item["finding"]?.string ?? "", item["advice"]?.string ?? ""
        )
      }
    }

    /// Whether nothing at all is said.
    var isSilent: Bool { ready.isEmpty && refused.isEmpty && drifted.isEmpty && doctor.isEmpty }
  }

  private static func refused(_ tenant: String) -> [String] {
    ["gatehouse_policy_file_refused{tenant=\"\(tenant)\"} 1"]
  }
  private static func drifted(_ tenant: String) -> [String] {
    ["gatehouse_policy_file_drifted{tenant=\"\(tenant)\"} 1"]
  }

  private static func save(_ text: String, _ app: ServedApp, _ name: String = "dd-ride") throws {
    try text.write(
      to: app.directory.appending(path: "policies/\(name).yaml"), atomically: true, encoding: .utf8)
  }

  private static func ready(_ operations: String, says name: String, _ part: String?) async throws {
    let isSaid = try await eventually {
      let line = try await TestClient(operations).get("/readyz").json["policy_files"]?[name]?.string
      return part.map { line?.contains($0) ?? false } ?? (line == nil)
    }
    #expect(isSaid, "\(name): \(part ?? "nothing")")
  }

  @Test("an edit with a mistake is refused everywhere, with place and command, until it is repaired")
  func repaired() async throws {
    let text = try TestLists.policy("dd-ride")
    try await ServedApp.run { server, _, app in
      #expect(try await Sight(app.operations, app).isSilent)
      try Self.save(text + "nonsense: 1\n", app)
      let line = try await server.line(with: "policy.refused")
      let place = "policies/dd-ride.yaml:\(text.split(separator: "\n", omittingEmptySubsequences: false).count):1"
      for part in [
        #""tenant":"dd-ride""#, #""code":"P0107""#, place, "run: gatehouse policy check policies/dd-ride.yaml",
      ] {
        #expect(line.contains(part), "\(line)")
      }
      let seen = try await Sight(app.operations, app)
      #expect(seen.ready["dd-ride"]?.hasPrefix("refused: \(place) P0107 unknown key \"nonsense\"") == true)
      #expect(seen.refused == Self.refused("dd-ride") && seen.drifted.isEmpty)
      let finding = try #require(seen.doctor["dd-ride"])
      #expect(finding.state == "failure" && finding.finding.contains("P0107"))
      // The path is one that holds wherever the doctor is asked.
      #expect(finding.advice == "gatehouse policy check \(app.directory.path)/policies/dd-ride.yaml")
      try Self.save(text + "# repaired\n", app)
      _ = try await server.line(with: "policy.applied")
      #expect(try await Sight(app.operations, app).isSilent)
    }
  }

  @Test("a file that was edited while the server was down is drift, with who applied what is live")
  func down() async throws {
    try await ServedApp.run { server, _, app in
      server.stop()
      try Self.save(try TestLists.policy("dd-ride") + "# edited\n", app)
      let next = try RunningBinary(Self.serve, in: app.directory, environment: app.environment)
      defer { next.stop() }
      let started = try JSONParser.parse(Array(try await next.line(with: "server.started").utf8))
      let operations = "http://" + (try #require(started["operations"]?.string))
      _ = try await next.line(with: "policy.differs")
      let seen = try await Sight(operations, app)
      #expect(seen.ready["dd-ride"]?.hasPrefix("drifted: policies/dd-ride.yaml differs from the live policy") == true)
      #expect(seen.refused.isEmpty && seen.drifted == Self.drifted("dd-ride"))
      let finding = try #require(seen.doctor["dd-ride"])
      #expect(finding.state == "warning")
      #expect(finding.finding.contains("; revision 1 is live, applied by watch at 20"))
      #expect(
        finding.advice == "gatehouse policy apply dd-ride \(app.directory.path)/policies/dd-ride.yaml --reason WHY")
      // What it says is what helps.
      let words = finding.advice.split(separator: " ").map(String.init)
      let applied = try Binary.run(Array(words.dropFirst()), in: app.directory, environment: app.environment)
      #expect(applied.exit == 0, "\(applied.errors)")
      try await Self.ready(operations, says: "dd-ride", nil)
      #expect(try await Sight(operations, app).isSilent)
    }
  }

  @Test("an edit that is refused as weaker is refused and drift, and its command applies it")
  func weaker() async throws {
    try await ServedApp.run { server, _, app in
      let whole = try TestLists.policy("dd-ride")
      // Without its tests, which say what is let in.
      let text = String(whole[..<(try #require(whole.range(of: "\ntests:")).lowerBound)]) + "\n"
      try Self.save(text.replacing("allowed_domains: [ksu.edu]", with: "allowed_domains: [ksu.edu, k.edu]"), app)
      let line = try await server.line(with: "policy.refused")
      #expect(line.contains("weaker: ") && line.contains(#""tenant":"dd-ride""#), "\(line)")
      let seen = try await Sight(app.operations, app)
      #expect(seen.ready["dd-ride"]?.contains("it would let in what the live policy refuses: weaker: ") == true)
      #expect(seen.refused == Self.refused("dd-ride") && seen.drifted == Self.drifted("dd-ride"))
      let advice = try #require(seen.doctor["dd-ride"]?.advice)
      #expect(advice.hasSuffix("policies/dd-ride.yaml --allow email.allowed_domains --reason WHY"))
      let words = advice.split(separator: " ").dropFirst().map(String.init)
      #expect(try Binary.run(words, in: app.directory, environment: app.environment).exit == 0)
      try await Self.ready(app.operations, says: "dd-ride", nil)
      #expect(try await Sight(app.operations, app).isSilent)
    }
  }

  @Test("a revision from the command line makes the file drift, and a rollback to its text ends that")
  func commandLine() async throws {
    try await ServedApp.run { _, _, app in
      let other = app.directory.appending(path: "other.yaml")
      try (TestLists.policy("dd-ride") + "# other\n").write(to: other, atomically: true, encoding: .utf8)
      #expect(try app.run("policy", "apply", "dd-ride", "other.yaml").exit == 0)
      try await Self.ready(app.operations, says: "dd-ride", "is revision 1, and revision 2 is live")
      let seen = try await Sight(app.operations, app)
      #expect(seen.drifted == Self.drifted("dd-ride") && seen.refused.isEmpty)
      #expect(
        seen.doctor["dd-ride"]?.advice
          == "gatehouse policy show dd-ride > \(app.directory.path)/policies/dd-ride.yaml")
      #expect(try app.run("policy", "rollback", "dd-ride", "1").exit == 0)
      try await Self.ready(app.operations, says: "dd-ride", nil)
      #expect(try await Sight(app.operations, app).isSilent)
      #expect(
        try app.run("policy", "history", "dd-ride", "--output", "ndjson").output.split(separator: "\n").count == 3)
    }
  }

  @Test("a tenant that was never made because its first file is wrong is said so, until the file is right or gone")
  func neverMade() async throws {
    try await ServedApp.run { server, _, app in
      try Self.save("schema: gatehouse/policy.v1\ntenant: solo\nnonsense: 1\n", app, "solo")
      let line = try await server.line(with: "policy.refused")
      #expect(line.contains(#"there is no tenant \"solo\", its first file is refused: policies/solo.yaml:"#), "\(line)")
      let seen = try await Sight(app.operations, app)
      #expect(
        seen.ready["solo"]?.hasPrefix("refused: there is no tenant \"solo\", its first file is refused: ") == true)
      #expect(seen.refused == Self.refused("solo") && seen.drifted.isEmpty)
      #expect(seen.doctor["solo"]?.advice == "gatehouse policy check \(app.directory.path)/policies/solo.yaml")
      #expect(seen.doctor["solo"]?.state == "failure")
      try FileManager.default.removeItem(at: app.directory.appending(path: "policies/solo.yaml"))
      try await Self.ready(app.operations, says: "solo", nil)
      #expect(try await Sight(app.operations, app).isSilent)
    }
  }

  @Test("a file that appears for a tenant that has another policy is drift, and the same text is nothing")
  func appears() async throws {
    try await ServedApp.run { server, _, app in
      let text =
        "schema: gatehouse/policy.v1\ntenant: solo\napp: {name: Solo}\n"
        + "password: {rules: [{id: min8, min_length: 8}]}\n"
      let other = app.directory.appending(path: "solo.yaml")
      try text.write(to: other, atomically: true, encoding: .utf8)
      #expect(try app.run("tenant", "create", "solo", "--policy", "solo.yaml").exit == 0)
      try Self.save(text + "# more\n", app, "solo")
      _ = try await server.line(with: "policy.differs")
      let seen = try await Sight(app.operations, app)
      #expect(seen.drifted == Self.drifted("solo") && seen.refused.isEmpty)
      #expect(seen.doctor["solo"]?.advice.hasPrefix("gatehouse policy apply solo ") == true)
      // Saved once more, it is an edit of something that was seen.
      try Self.save(text, app, "solo")
      _ = try await server.line(with: "policy.unchanged")
      #expect(try await Sight(app.operations, app).isSilent)
    }
  }

  @Test("a line of the log is under 4 KB, with tenant and first error, whatever the file holds")
  func bounded() async throws {
    let name = String(repeating: "\u{1F9A9}\"\\", count: 40)
    let errors = (0..<4000).map { "\(name.prefix(6))nonsense\($0): [\(name)" + "]\n" }.joined().prefix(200_000)
    let bodies = [
      String(errors), String(repeating: "\u{7}\"\\", count: 60_000),
      "tenant: " + String(repeating: "x", count: 200_000),
      "schema: gatehouse/policy.v1\ntenant: \"dd-ride\"\n? \(String(repeating: "k", count: 200_000))\n: 1\n",
    ]
    try await ServedApp.run { server, _, app in
      for (index, body) in bodies.enumerated() {
        try Self.save(body, app)
        let isSaid = try await eventually { server.lines.count { $0.contains("policy.refused") } == index + 1 }
        #expect(isSaid)
      }
      let lines = server.lines.filter { $0.contains("policy.refused") }
      for line in lines {
        #expect(line.utf8.count < 4096)
        #expect(line.contains(#""tenant":"dd-ride""#) && line.contains(#""code":"P"#) && line.contains(#""line":"#))
      }
      let ready = try await TestClient(app.operations).get("/readyz")
      #expect((ready.json["policy_files"]?["dd-ride"]?.string ?? "").utf8.count <= 300)
    }
  }
}
