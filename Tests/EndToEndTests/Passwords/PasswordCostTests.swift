import Foundation
import GatehouseOutbound
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Another cost of password hashes")
struct PasswordCostTests {
  private static let low = PasswordCost(memory: 8, passes: 1)
  private static let high = PasswordCost(memory: 64, passes: 2)
  private let app = App.ride

  /// A change of the cost.
  struct Direction: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let from: PasswordCost
    let to: PasswordCost

    static let both = [
      Direction(testDescription: "raised", from: low, to: high),
      Direction(testDescription: "lowered", from: high, to: low),
    ]
  }

  /// A person who signed up with a server of the first cost, and a server of the second one.
  private func run(
    _ direction: Direction = Direction.both[0],
    _ body: (_ apps: ThreeApps, _ up: JSONValue, _ mailed: String) async throws -> Void
  ) async throws {
    try await ThreeApps.run(cost: direction.from) { first in
      let up = try await first.signUp(app).json
      let link = try #require(try await first.server.latestMail(to: app.email())?.link)
      let mailed = try #require(link.split(separator: "=").last.map(String.init))
      #expect(try await stored(first).cost == direction.from)
      try await first.withSibling(cost: direction.to) { try await body($0, up, mailed) }
    }
  }

  private struct Stored: Equatable {
    let phc: String
    let epoch: Int
    /// What the hash says of itself.
    var cost: PasswordCost? {
      [PasswordCostTests.low, PasswordCostTests.high].first {
        phc.hasPrefix("$argon2id$v=19$m=\($0.memory),t=\($0.passes),p=1$")
      }
    }
  }

  /// What is stored of the only account.
  private func stored(_ apps: ThreeApps) async throws -> Stored {
    let all = try await apps.server.storage.connect(user: Embedded.superuser)
    let row = try await all.read(
      nil, "SELECT phc, epoch FROM gatehouse.credential JOIN gatehouse.account ON account.id = account_id"
    ).single()
    await all.stop()
    let found = try #require(row)
    return Stored(phc: try found[0], epoch: try found[1])
  }

  @Test("T013 a right password is rehashed at its first sign-in, and not again", arguments: Direction.both)
  func signIn(direction: Direction) async throws {
    try await run(direction) { apps, _, _ in
      var hashes: [Int] = []
      for _ in 0..<2 {
        let before = apps.server.hashesDone
        let (answer, stored) = (try await apps.signIn(app), try await stored(apps))
        #expect(answer.status == 200 && stored.cost == direction.to)
        hashes.append(apps.server.hashesDone - before)
      }
      #expect(hashes == [2, 1])
    }
  }

  @Test("T013 a wrong password does not change the stored hash", arguments: Direction.both)
  func wrong(direction: Direction) async throws {
    try await run(direction) { apps, _, _ in
      let before = try await stored(apps)
      #expect(try await apps.signIn(app, password: App.otherPassword).status == 401)
      #expect(try await stored(apps) == before)
    }
  }

  @Test("T013 T130 sessions, codes that wait and the epoch outlive the new hash", arguments: Direction.both)
  func others(direction: Direction) async throws {
    try await run(direction) { apps, up, mailed in
      let before = try await stored(apps)
      #expect(try await apps.signIn(app).status == 200)
      let after = try await stored(apps)
      #expect(after.phc != before.phc && after.epoch == before.epoch)
      #expect(try await apps.refresh(app, up.refreshToken).status == 200)
      let confirmed = try await apps.ride.post(
        "/v1/email-verification/confirm", #"{"token":"\#(mailed)"}"#, token: up.accessToken)
      #expect(confirmed.status == 200)
    }
  }

  @Test("T013 of five sign-ins at once all succeed")
  func atOnceAll() async throws {
    try await run { apps, _, _ in
      let client = apps.client(app)
      let statuses = try await atOnce(5) { _ in try await client.post("/v1/sign-in", app.signIn()).status }
      #expect(statuses == Array(repeating: 200, count: 5))
      #expect(try await stored(apps).cost == Self.high)
    }
  }

  @Test("T013 a reauthentication replaces an outdated hash")
  func reauthentication() async throws {
    try await run { apps, up, _ in
      let proven = try await apps.ride.post(
        "/v1/reauthenticate", #"{"password":"\#(App.password)"}"#, token: up.accessToken)
      #expect(proven.status == 200)
      #expect(try await stored(apps).cost == Self.high)
    }
  }

  @Test("T013 a password that confirms an address replaces an outdated hash")
  func confirmation() async throws {
    try await run { apps, _, mailed in
      let confirmed = try await apps.ride.post(
        "/v1/email-verification/confirm", #"{"token":"\#(mailed)","password":"\#(App.password)"}"#)
      #expect(confirmed.status == 200)
      #expect(try await stored(apps).cost == Self.high)
    }
  }

  @Test("T012 T013 the built program hashes at its configured cost, and hashes again when the cost changes")
  func program() async throws {
    try await Installation.run { here in
      func costs(_ settings: [String: String], _ path: String, _ body: String) async throws -> String {
        let server = try await here.serve(settings)
        let served = try await eventually { try await server.client(app).get("/v1/policy").status == 200 }
        #expect(served)
        let answer = try await server.client(app).post(path, body)
        #expect((200..<300).contains(answer.status), "\(answer.text)")
        #expect(server.stop() == 0)
        let all = try await here.superuser()
        let phc: String? = try await all.read(nil, "SELECT phc FROM gatehouse.credential").single()?[0]
        await all.stop()
        return phc?.split(separator: "$").dropFirst(2).first.map(String.init) ?? ""
      }
      let made = try here.gatehouse(
        "tenant create \(app.rawValue) --policy \(TestLists.root)/policies/\(app.rawValue).yaml")
      #expect(made.exit == 0, "\(made.errors)")
      let raised = ["GATEHOUSE_HASH_MEMORY": "20", "GATEHOUSE_HASH_PASSES": "3"]
      #expect(try await costs([:], "/v1/sign-up", app.signUp()) == "m=19456,t=2,p=1")
      #expect(try await costs(raised, "/v1/sign-in", app.signIn()) == "m=20480,t=3,p=1")
      #expect(try await costs([:], "/v1/sign-in", app.signIn()) == "m=19456,t=2,p=1")
    }
  }
}
