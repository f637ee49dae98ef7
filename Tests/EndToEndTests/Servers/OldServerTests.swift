import Foundation
import GatehouseIdentity
import GatehousePolicyFile
import GatehouseServerTesting
import GatehouseTesting
import GatehouseAdminWire
import GatehouseWire
import Testing

@Suite("Servers of an earlier version")
struct OldServerTests {
  /// Lets a server of version 0.0.9 run that knows all words but some, and applies DD Ride's policy with a shorter
  /// cooldown.
  private static func apply(
    without unknown: [String], after seconds: TimeInterval = 0, _ apps: ThreeApps, dryRun: Bool = false
  ) async throws -> PolicyOutcome {
    let services = apps.server.services
    let words = PolicyVocabulary.words.filter { word in !unknown.contains { word == $0 || word.hasPrefix($0 + ".") } }
    try await services.servers.announce(
      ServerRecord(
        id: services.clock.makeID(), name: "auth-2", version: "0.0.9", vocabulary: words, startedAt: services.clock.now)
    )
    apps.server.clock.advance(seconds: seconds)
    let text = try TestLists.policy("dd-ride").replacing("resend_cooldown: 60s", with: "resend_cooldown: 90s")
    return try await ApplyPolicy.run(
      .init(tenant: "dd-ride", text: text, file: "dd-ride.yaml", dryRun: dryRun),
      OperatorCall(GatehouseIdentity.Operator(atCommandLine: "ann"), services, requestID: "test"))
  }

  @Test("apply names the key that a server cannot read, with its line, and is done all the same")
  func named() async throws {
    try await ThreeApps.run { apps in
      let outcome = try await Self.apply(without: ["sessions.reuse_grace"], apps)
      #expect(
        outcome.outcome == .applied
          && outcome.notes == [
            """
            a server of version 0.0.9 (auth-2, seen just now) cannot read sessions.reuse_grace (line 61): it keeps the policy that it \
            has until it is upgraded
            """
          ])
    }
  }

  @Test("a dry run names it too")
  func dryRun() async throws {
    try await ThreeApps.run { apps in
      let outcome = try await Self.apply(without: ["sessions.reuse_grace"], apps, dryRun: true)
      #expect(outcome.outcome == .checked && outcome.notes?.count == 1)
    }
  }

  @Test("a section that a server does not know is named without its keys")
  func section() async throws {
    try await ThreeApps.run { apps in
      let note = try await Self.apply(without: ["admins"], apps).notes?.first ?? ""
      #expect(note.contains(" cannot read admins (line 69): "), "\(note)")
    }
  }

  @Test("a server is believed for ten minutes", arguments: [(599.0, true), (601.0, false)])
  func tenMinutes(seconds: TimeInterval, isNamed: Bool) async throws {
    try await ThreeApps.run { apps in
      let outcome = try await Self.apply(without: ["sessions.reuse_grace"], after: seconds, apps)
      #expect((outcome.notes != nil) == isNamed, "\(outcome)")
    }
  }

  @Test("a key that the file does not use makes no difference")
  func unused() async throws {
    try await ThreeApps.run { apps in
      let notes = try await Self.apply(without: ["password.rules.*.min_strength"], apps).notes
      #expect(notes == nil)
    }
  }

  @Test("a server that stopped, or was not seen for a day, leaves no row")
  func rows() async throws {
    try await ThreeApps.run { apps in
      let services = apps.server.services
      func announce(_ name: String) async throws -> AnnounceServer {
        let job = AnnounceServer(version: "1.0.0", machine: name, services)
        try await job.runOnce()
        return job
      }
      func names() async throws -> [String] {
        try await services.servers.servers(seenWithin: 10 * 86_400).map { "\($0.count) \($0.newest)" }
      }
      let first = try await announce("auth-1")
      apps.server.clock.advance(seconds: 86_401)
      _ = try await announce("auth 2\n")
      try await first.withdraw()
      let second = try await names()
      apps.server.clock.advance(seconds: 1)
      for _ in 0..<2 { try await first.runOnce() }
      #expect(second == ["1 auth2"])
      let third = try await names()
      #expect(third == ["2 auth-1"])
    }
  }
}
