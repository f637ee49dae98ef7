import GatehouseAssembly
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("What strangers can write into the audit trail of a running server")
struct AuditGrowthTests {
  /// What rows of an event say: whether they name this account, and what they count.
  private func rows(_ event: AuditEvent, _ apps: ThreeApps, about user: String? = nil) async throws -> [String] {
    let tenant = try #require(apps.server.services.registry.snapshot("dd-ride"))
    let found = try await apps.server.services.store.open(tenant.id).audit(
      AuditQuery(event: event.rawValue), limit: 1000)
    return found.map { "\(user != nil && $0.user?.text == user) \($0.details["suppressed"] ?? "-")" }
  }

  private func tell(_ apps: ThreeApps) async throws {
    apps.server.clock.advance(seconds: 61)
    _ = try await apps.server.round(of: .tellSuppressed)
  }

  @Test("T160 guesses at codes of a hundred made-up people are ten rows and a count, a guess at a real one its own row")
  func codes() async throws {
    try await ThreeApps.run(policy: { app, text in
      app == .ride ? PolicyText.limits("code_per_ip: 1000/1h", in: text) : text
    }) { apps in
      let rider = try await apps.rider("willie@ksu.edu")
      for number in 1...110 {
        _ = try await apps.ride.post(
          "/v1/password-reset/confirm", try await guess("x\(number)@ksu.edu", apps))
      }
      _ = try await apps.ride.post("/v1/password-reset/confirm", try await guess("willie@ksu.edu", apps))
      try await tell(apps)
      let found = try await rows(.codeRefused, apps, about: rider["user"]?["id"]?.string)
      #expect(found.sorted() == Array(repeating: "false -", count: 10) + ["false 100", "true -"])
    }
  }

  /// Wrong digits of a reset that a stranger asked for.
  private func guess(_ email: String, _ apps: ThreeApps) async throws -> String {
    let id = try await apps.ride.post("/v1/password-reset", #"{"email":"\#(email)"}"#).resetID
    return #"{"reset_id":"\#(id)","email":"\#(email)","code":"000000","password":"\#(App.password)"}"#
  }

  @Test("T160 resets for made-up people are ten rows and a count", arguments: [40])
  func resets(asked: Int) async throws {
    try await ThreeApps.run { apps in
      for number in 0..<asked {
        _ = try await apps.ride.post("/v1/password-reset", #"{"email":"x\#(number)@ksu.edu"}"#)
      }
      try await tell(apps)
      #expect(
        try await rows(.passwordResetRequested, apps).sorted()
          == (Array(repeating: "false -", count: 10) + ["false \(asked - 10)"]).sorted())
    }
  }
}
