import Foundation
import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Trips to the database")
struct PageTripTests {
  private let app = App.messai

  /// What the server asked of its database while `work` ran. A request before it has taken the lease of its limits.
  private func trips(_ apps: ThreeApps, _ work: () async throws -> Void) async throws -> Int {
    func asked() -> Int {
      let statistics = apps.server.database.statistics
      return statistics.succeeded + statistics.failed
    }
    let before = asked()
    try await work()
    return asked() - before
  }

  @Test("a sign-up by page takes three: its claim, its limits, its commit")
  func signUp() async throws {
    try await ThreeApps.run { apps in
      let browser = FormClient(apps, app)
      let page = try await browser.open("sign-up")
      let body = FormClient.encoded(try FormClient.fields(page, app.typed()))
      let taken = try await trips(apps) {
        let answer = try await browser.send("POST", browser.address(of: "sign-up"), body)
        #expect(answer.status == 303, "\(answer.text)")
      }
      #expect(taken == 3)
      // The same form again: its claim, which finds the answer, and the look at the session that it names.
      browser.set("gh-messai", "")
      let again = try await trips(apps) {
        let answer = try await browser.send("POST", browser.address(of: "sign-up"), body)
        #expect(answer.status == 303, "\(answer.text)")
      }
      #expect(again == 2)
    }
  }

  @Test("a sign-up under an Idempotency-Key takes three as well, and one that is refused lets its key go")
  func keyed() async throws {
    try await ThreeApps.run { apps in
      _ = try await apps.messai.get("/v1/me")
      func send(_ key: String, _ body: String) async throws -> TestClient.Answer {
        try await apps.messai.send("POST", "/v1/sign-up", body, headers: ["Idempotency-Key": key])
      }
      let taken = try await trips(apps) {
        let made = try await send("k-1", app.signUp())
        #expect(made.status == 201, "\(made.text)")
      }
      #expect(taken == 3)
      #expect(try await send("k-2", app.signUp()).code == "account_exists")
      #expect(try await send("k-2", app.signUp("kay")).status == 201)
    }
  }
}
