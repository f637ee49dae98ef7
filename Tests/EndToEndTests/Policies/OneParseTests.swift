import Foundation
import GatehouseIdentity
import GatehousePolicyFile
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseAdminWire
import GatehouseWire
import Testing

/// A policy text is parsed once: by the command that is about it, and by each other server that comes to serve it.
@Suite("One text, one parse")
struct OneParseTests {
  /// The texts that were parsed, by this test's tasks and the servers that it starts.
  private final class Parses: Sendable {
    private let texts = LockBox<[String]>([])

    func of(_ text: String) -> Int { texts.withLock { $0.count { $0 == text } } }

    func run(_ body: () async throws -> Void) async throws {
      try await Parsing.$observer.withValue({ [texts] bytes in
        texts.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) }
      }) { try await body() }
    }
  }

  private func run(_ body: (ThreeApps, Parses) async throws -> Void) async throws {
    let parses = Parses()
    try await parses.run { try await ThreeApps.run { apps in try await body(apps, parses) } }
  }

  /// DD Ride's policy with a mark of its own, so that no other test's text is the same.
  private func text(_ mark: String) throws -> String { try TestLists.policy("dd-ride") + "# \(mark)\n" }

  /// The same, of which the file's own tests fail.
  private func wrong(_ mark: String) throws -> String {
    try text(mark).replacing("allowed_domains: [ksu.edu]", with: "allowed_domains: [k.edu]")
  }

  private func revision(_ apps: ThreeApps) -> Int? { apps.server.services.registry.snapshot("dd-ride")?.revision }

  /// Waits until a server serves a revision, and takes all of them over once more.
  private func serves(_ number: Int, _ apps: ThreeApps) async throws -> Bool {
    guard try await eventually({ revision(apps) == number }) else { return false }
    try await apps.reload()
    return true
  }

  @Test("a policy that is applied is parsed by the command, and not again by the server that serves it")
  func apply() async throws {
    try await run { apps, parses in
      let text = try text("one")
      let outcome = try await AdminRoutes.run(
        ApplyPolicyOperation.self, .init(tenant: "dd-ride", text: text), apps.server.asOperator)
      #expect(outcome.revision == 2)
      #expect(try await serves(2, apps))
      #expect(parses.of(text) == 1)
    }
  }

  @Test("the live policy is parsed once at most, however many candidates are compared with it")
  func live() async throws {
    try await run { apps, parses in
      let live = try TestLists.policy("dd-ride")
      for mark in ["one", "two", "three"] {
        _ = try await AdminRoutes.run(
          ApplyPolicyOperation.self, .init(tenant: "dd-ride", text: try text(mark), dryRun: true),
          apps.server.asOperator)
      }
      #expect(parses.of(live) == 1)
    }
  }

  @Test("a policy that is refused is parsed once")
  func refused() async throws {
    try await run { apps, parses in
      let text = try wrong("refused")
      await #expect(throws: OperatorError.self) {
        try await AdminRoutes.run(
          ApplyPolicyOperation.self, .init(tenant: "dd-ride", text: text), apps.server.asOperator)
      }
      #expect(parses.of(text) == 1)
    }
  }

  @Test("check parses a text once, whether it is right or wrong")
  func check() async throws {
    try await run { apps, parses in
      for text in [try text("check"), try wrong("check"), "nonsense: 1\n"] {
        _ = try await AdminRoutes.run(CheckPolicyOperation.self, .init(text: text), apps.server.asOperator)
        #expect(parses.of(text) == 1)
      }
    }
  }

  @Test("diff parses a text once, also one that could not be applied")
  func diff() async throws {
    try await run { apps, parses in
      for text in [try text("diff"), try wrong("diff")] {
        _ = try await AdminRoutes.run(
          DiffPolicyOperation.self, .init(tenant: "dd-ride", text: text), apps.server.asOperator)
        #expect(parses.of(text) == 1)
      }
    }
  }

  @Test("each page of an impact parses its text once")
  func impact() async throws {
    try await run { apps, parses in
      _ = try await apps.rider("a@ksu.edu")
      _ = try await apps.rider("b@ksu.edu")
      let text = try wrong("impact")
      var input = PolicyImpactOperation.Input(tenant: "dd-ride", text: text, limit: 1)
      let first = try await AdminRoutes.run(PolicyImpactOperation.self, input, apps.server.asOperator)
      #expect(parses.of(text) == 1)
      let cursor: String = try #require(first.nextCursor)
      input.cursor = cursor
      let second = try await AdminRoutes.run(PolicyImpactOperation.self, input, apps.server.asOperator)
      #expect(second.people == 2)
      #expect(parses.of(text) == 2)
    }
  }

  @Test("a rollback parses the older text once at most, and the server that serves it again does not")
  func rollback() async throws {
    try await run { apps, parses in
      let old = try text("old")
      for text in [old, try text("new")] {
        _ = try await apps.server.apply(text, to: "dd-ride")
      }
      #expect(try await serves(3, apps))
      #expect(parses.of(old) == 1)
      let back = try await AdminRoutes.run(
        RollbackPolicyOperation.self, .init(tenant: "dd-ride", revision: 2), apps.server.asOperator)
      #expect(back.revision == 4)
      #expect(try await serves(4, apps))
      #expect(parses.of(old) == 2, "once as it was applied, once as it came back")
    }
  }

  @Test("a tenant's first policy is parsed once, given or not")
  func create() async throws {
    try await run { apps, parses in
      let given = try TestLists.policy("dd-ride").replacing("tenant: dd-ride", with: "tenant: one") + "# given\n"
      for (name, policy) in [("one", given), ("two", nil)] {
        _ = try await AdminRoutes.run(
          CreateTenantOperation.self, .init(name: name, policy: policy), apps.server.asOperator)
        #expect(try await eventually { apps.server.services.registry.snapshot(name) != nil })
        try await apps.reload()
        #expect(parses.of(policy ?? PolicyFile.initial(tenant: name, name: name)) == 1)
      }
    }
  }

  @Test("a server that follows another one's apply parses the text once")
  func follows() async throws {
    try await run { one, parses in
      try await one.withSibling { other in
        let text = try text("followed")
        _ = try await one.server.apply(text, to: "dd-ride")
        #expect(try await serves(2, one))
        #expect(try await serves(2, other))
        #expect(parses.of(text) == 2, "once by each server")
      }
    }
  }

  /// Watches a directory with DD Ride's file, which is live, and edits it.
  private func edited(_ text: String, _ apps: ThreeApps) async throws -> [WatchPolicies.Event] {
    let directory = try TestFolder.make("watched")
    let path = "\(directory)/dd-ride.yaml"
    try TestLists.policy("dd-ride").write(toFile: path, atomically: true, encoding: .utf8)
    let watch = WatchPolicies(
      directory: directory, createsTenants: false, allowsWeaker: false, apps.server.services)
    _ = await watch.look()
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    let events = await watch.look()
    #expect(await watch.look().isEmpty)
    return events
  }

  @Test("an edit of a watched file is parsed once, by the server that applies it")
  func watched() async throws {
    try await run { apps, parses in
      let text = try text("edited")
      guard case .applied("dd-ride", 2)? = try await edited(text, apps).first else {
        Issue.record("not applied")
        return
      }
      #expect(try await serves(2, apps))
      #expect(parses.of(text) == 1)
    }
  }

  @Test("a refused edit of a watched file is judged once, and its trouble has the reason")
  func refusedEdit() async throws {
    try await run { apps, parses in
      let text = try wrong("edited")
      guard case .trouble(let trouble)? = try await edited(text, apps).first else {
        Issue.record("nothing is said")
        return
      }
      #expect(trouble.kind == .failingTests)
      #expect(trouble.line != nil)
      #expect(parses.of(text) == 1)
    }
  }
}
