import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("What it costs to be asked about an address")
struct EnumerationTests {
  /// Everything that a caller sees of one request, and everything that the server did for it.
  private struct Cost: Equatable, CustomStringConvertible {
    var seen: [String: String]
    var hashes: Int
    var work: UInt64
    var rounds: Int
    var statements: Int
    var rows: [String: Int]

    var description: String { "\(seen[":status"] ?? "") \(hashes) \(work) \(rounds) \(statements) \(rows)" }
  }

  /// What one POST costs.
  private func cost(_ apps: ThreeApps, _ path: String, _ body: String) async throws -> Cost {
    let before = try await apps.rows()
    let (hashes, work, database) = (
      apps.server.hashesDone, apps.server.hashWork, apps.server.database.statistics
    )
    let answer = try await apps.ride.post(path, body)
    let later = apps.server.database.statistics
    let after = try await apps.rows()
    return Cost(
      seen: answer.unnamed, hashes: apps.server.hashesDone - hashes, work: apps.server.hashWork - work,
      rounds: later.succeeded + later.failed - database.succeeded - database.failed,
      statements: later.statements - database.statements,
      rows: after.merging(before) { $0 - $1 })
  }

  /// pat is settled, new has not verified, off is switched off, bare has no password; nobody has no account.
  private func settle(_ apps: ThreeApps) async throws {
    let app = App.ride
    for name in ["pat", "new", "off"] { #expect(try await apps.signUp(app, name).status == 201) }
    try await Operator.verify(app, "pat", apps)
    try await Operator.disable(app, "off", apps)
    try await Operator.create(
      app.email("bare"), ["name": .string("B"), "phoneNumber": .string("785-555-0123")], in: app.rawValue, apps.server)
    apps.server.clock.advance(seconds: 60)
  }

  @Test("T026 an answer that must not reveal an account comes no earlier than the first time step")
  func step() async throws {
    try await ThreeApps.run { apps in
      try await settle(apps)
      for name in ["pat", "nobody"] {
        for (path, body) in [
          ("/v1/sign-in", App.ride.signIn(name, password: App.otherPassword)),
          ("/v1/password-reset", #"{"email":"\#(App.ride.email(name))"}"#),
          ("/v1/email-verification", #"{"email":"\#(App.ride.email(name))"}"#),
        ] {
          let began = ContinuousClock.now
          let answer = try await apps.ride.post(path, body)
          let took = ContinuousClock.now - began
          #expect([202, 401].contains(answer.status) && took >= .milliseconds(25), "\(path) \(name) \(took)")
        }
      }
    }
  }

  @Test("T026 a wrong password costs the same and is answered the same, for every address")
  func signIn() async throws {
    try await ThreeApps.run { apps in
      try await settle(apps)
      var costs: [Cost] = []
      for name in ["pat", "new", "off", "bare", "nobody"] {
        costs.append(try await cost(apps, "/v1/sign-in", App.ride.signIn(name, password: App.otherPassword)))
      }
      #expect(costs.allSatisfy { $0 == costs[0] }, "\(costs)")
      #expect(costs[0].hashes == 1 && costs[0].rows["audit"] == 1 && costs[0].seen[":status"] == "401")
      // The measure tells what differs: a right password writes a session.
      #expect(try await cost(apps, "/v1/sign-in", App.ride.signIn()) != costs[0])
    }
  }

  @Test("T026 a wrong password costs the same where the hash is older and cheaper than those of today")
  func olderHash() async throws {
    try await ThreeApps.run { old in
      try await settle(old)
      let today = PasswordCost(memory: 64, passes: 2)
      try await old.withSibling(cost: today) { apps in
        var costs: [Cost] = []
        for name in ["pat", "new", "off", "bare", "nobody"] {
          costs.append(try await cost(apps, "/v1/sign-in", App.ride.signIn(name, password: App.otherPassword)))
        }
        #expect(costs.allSatisfy { $0 == costs[0] }, "\(costs)")
        #expect(costs[0].hashes == 1 && costs[0].work == 128)
      }
    }
  }

  @Test(
    "T026 T027 T160 beyond the budget of audit rows, each of these costs as many statements for a made-up address",
    arguments: [
      ("/v1/sign-in", "pat"), ("/v1/password-reset", "pat"), ("/v1/email-verification", "new"),
    ])
  func beyondBudget(path: String, name: String) async throws {
    try await ThreeApps.run { apps in
      try await settle(apps)
      func body(_ name: String) -> String {
        path == "/v1/sign-in"
          ? App.ride.signIn(name, password: App.otherPassword) : #"{"email":"\#(App.ride.email(name))"}"#
      }
      for number in 0..<10 { _ = try await apps.ride.post(path, body("nobody\(number)")) }
      var costs = [try await cost(apps, path, body("nobody")), try await cost(apps, path, body(name))]
      #expect(costs.map { $0.rows["audit"] } == [0, 1])
      for index in costs.indices { costs[index].rows["audit"] = nil }
      #expect(costs[0] == costs[1], "\(costs)")
    }
  }

  @Test(
    "T027 reset and resend cost the same for an address that gets a mail and one that does not, in the cooldown too",
    arguments: [
      ("/v1/password-reset", ["pat", "off", "nobody"]), ("/v1/email-verification", ["new", "pat", "nobody"]),
    ])
  func mailed(path: String, names: [String]) async throws {
    try await ThreeApps.run { apps in
      try await settle(apps)
      for _ in 0..<2 {
        var costs: [Cost] = []
        for name in names { costs.append(try await cost(apps, path, #"{"email":"\#(App.ride.email(name))"}"#)) }
        #expect(costs.allSatisfy { $0 == costs[0] }, "\(costs)")
        #expect(costs[0].seen[":status"] == "202" && costs[0].hashes == 0)
      }
      let sent = try await apps.server.mailCount(to: App.ride.email(names[0]))
      #expect(sent >= 1)
      #expect(try await apps.server.mailCount(to: App.ride.email("nobody")) == 0)
    }
  }

  @Test("T027 T162 once a recipient's mails have run out, a reset costs the same whether or not a link lives")
  func outOfMails() async throws {
    try await ThreeApps.run { apps in
      try await settle(apps)
      var costs: [Cost] = []
      for name in ["pat", "off", "nobody"] {
        let body = #"{"email":"\#(App.ride.email(name))"}"#
        for _ in 0..<7 {
          _ = try await apps.ride.post("/v1/password-reset", body)
          apps.server.clock.advance(seconds: 61)
        }
        costs.append(try await cost(apps, "/v1/password-reset", body))
      }
      #expect(costs.allSatisfy { $0 == costs[0] }, "\(costs)")
    }
  }

  @Test("T028 a hidden sign-up costs the same for a free address and a taken one, in the cooldown too")
  func signUp() async throws {
    try await ThreeApps.run(policy: { PolicyText.hiding($1) }) { apps in
      try await Operator.create(
        App.ride.email("bare"), ["name": .string("B"), "phoneNumber": .string("785-555-0123")], in: "dd-ride",
        apps.server)
      for _ in 0..<2 {
        var costs: [Cost] = []
        for name in ["bare", "free"] { costs.append(try await cost(apps, "/v1/sign-up", App.ride.signUp(name))) }
        #expect(costs[0] == costs[1], "\(costs)")
        #expect(costs[0].seen[":status"] == "202" && costs[0].hashes == 1)
      }
    }
  }

  @Test("what stands in for a code redeems nothing, and what stands in for a mail is never sent")
  func decoys() async throws {
    try await ThreeApps.run { apps in
      #expect(try await apps.ride.post("/v1/password-reset", #"{"email":"absent@ksu.edu"}"#).status == 202)
      try await apps.server.deliverMail()
      #expect(try await apps.server.mailCount(to: "absent@ksu.edu") == 0)
      let dump = try await apps.server.storage.dump()
      #expect(!dump.contains("absent@ksu.edu"))
      // A user who signs up with that address notices nothing of it.
      _ = try await apps.signUp(.ride, "absent")
      apps.server.clock.advance(seconds: 60)
      #expect(try await apps.ride.post("/v1/password-reset", #"{"email":"absent@ksu.edu"}"#).status == 202)
      #expect(try await apps.server.mailCount(to: "absent@ksu.edu") == 2)
    }
  }
}
