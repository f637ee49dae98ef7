import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("A policy changes while people come in")
struct PolicyChangeTests {
  private func signUp(_ apps: ThreeApps, _ name: String, _ password: String) async throws -> TestClient.Answer {
    try await apps.ride.post(
      "/v1/sign-up",
      #"{"email":"\#(name)@ksu.edu","password":"\#(password)","profile":{"name":"W","phoneNumber":"7855550123"}}"#)
  }

  private func watch(_ apps: ThreeApps, _ directory: String, allowsWeaker: Bool = false) -> WatchPolicies {
    WatchPolicies(directory: directory, createsTenants: false, allowsWeaker: allowsWeaker, apps.server.services)
  }

  /// A directory with DD Ride's file, removed afterwards.
  private func withFile(_ body: (String, String) async throws -> Void) async throws {
    let directory = try TestFolder.make("policies")
    let text = try TestLists.policy("dd-ride")
    try text.write(toFile: directory + "/dd-ride.yaml", atomically: true, encoding: .utf8)
    try await body(directory, text)
  }

  @Test("an edited file is enforced, a broken one changes nothing and says where")
  func watchedFile() async throws {
    try await ThreeApps.run { apps in
      try await withFile { directory, text in
        let watch = watch(apps, directory)
        #expect(await watch.look().isEmpty)  // a first look takes files as they are
        #expect(try await signUp(apps, "a", "Wildcat1").status == 201)
        // Without the file's own tests, which say what the old length lets in.
        let rules = text[..<(try #require(text.range(of: "\ntests:")).lowerBound)]
        let longer = rules.replacing("{id: min8, min_length: 8}", with: "{id: min8, min_length: 9}") + "\n"
        try longer.write(toFile: directory + "/dd-ride.yaml", atomically: true, encoding: .utf8)
        let events = await watch.look()
        guard case .applied("dd-ride", 2)? = events.first else {
          Issue.record("not applied: \(events)")
          return
        }
        try await TenantLoader(apps.server.services).loadAll()
        let refused = try await signUp(apps, "b", "Wildcat1")
        #expect(refused.status == 422 && refused.rules == ["password.min8"])
        let taken = try await signUp(apps, "b", "Wildcat12")
        #expect(taken.status == 201 && taken.json["policy"]?["revision"] == .integer(2))

        try "tenant: dd-ride\nnonsense".write(
          toFile: directory + "/dd-ride.yaml", atomically: true, encoding: .utf8)
        guard case .trouble(let trouble)? = await watch.look().first else {
          Issue.record("a broken file was taken")
          return
        }
        #expect(trouble.why.contains("dd-ride.yaml:") && trouble.code?.hasPrefix("P") == true && trouble.line != nil)
        #expect(try await signUp(apps, "c", "Wildcat12").json["policy"]?["revision"] == .integer(2))
      }
    }
  }

  @Test("an edit that lets more people in is refused unless that is allowed")
  func weaker() async throws {
    try await ThreeApps.run { apps in
      try await withFile { directory, text in
        let careful = watch(apps, directory)
        let open = watch(apps, directory, allowsWeaker: true)
        _ = await careful.look()
        _ = await open.look()
        try text.replacing("[ksu.edu]", with: "[ksu.edu, wichita.edu]")
          .write(toFile: directory + "/dd-ride.yaml", atomically: true, encoding: .utf8)
        guard case .trouble(let weaker)? = await careful.look().first else {
          Issue.record("a weaker policy was applied")
          return
        }
        #expect(weaker.why.contains("weaker") && weaker.command.contains("--allow email.allowed_domains"))
        // Stricter in one way and weaker in another.
        let both = text.replacing("sign_in_per_ip: 1000/15m", with: "sign_in_per_ip: 500/1m")
        #expect(both != text)
        try both.write(toFile: directory + "/dd-ride.yaml", atomically: true, encoding: .utf8)
        guard case .trouble(let other)? = await careful.look().first else {
          Issue.record("a policy that lets in what the live one refuses was applied")
          return
        }
        #expect(other.why.contains("cannot be compared") && other.command.contains("--allow limits."))
        try text.replacing("[ksu.edu]", with: "[ksu.edu, wichita.edu]")
          .write(toFile: directory + "/dd-ride.yaml", atomically: true, encoding: .utf8)
        guard case .applied? = await open.look().first else {
          Issue.record("a weaker policy was refused although that was allowed")
          return
        }
        try await TenantLoader(apps.server.services).loadAll()
        let up = try await apps.ride.post(
          "/v1/sign-up",
          #"{"email":"w@wichita.edu","password":"Wildcat1","profile":{"name":"W","phoneNumber":"7855550123"}}"#)
        #expect(up.status == 201)
      }
    }
  }

  @Test("a file whose own tests fail, or of another tenant, is not applied, whatever its author consents to")
  func judged() async throws {
    try await ThreeApps.run { apps in
      let services = apps.server.services
      let ride = try await Tenants.find("dd-ride", services)
      func apply(_ text: String) async throws -> Policies.Outcome {
        try await Policies.apply(
          text, file: "given.yaml", to: ride, consent: Policies.Consent(weaker: true, lockout: true),
          author: Author(.operator("test"), name: "test", reason: "test"), services)
      }
      let text = try TestLists.policy("dd-ride")
      let other = text.replacing("allowed_domains: [ksu.edu]", with: "allowed_domains: [k-state.edu]")
      #expect(other != text)
      let failing = await #expect(throws: OperatorError.self) { try await apply(other) }
      #expect(failing?.kind == .refused && failing?.description.contains("given.yaml is not applied") == true)
      #expect(failing?.findings.isEmpty == false)
      let foreign = await #expect(throws: OperatorError.self) { try await apply(try TestLists.policy("messai")) }
      #expect(foreign?.description.contains("is the policy of tenant \"messai\", not of \"dd-ride\"") == true)
      // Negative control: without the tests that speak against it, the same change is applied.
      #expect(try await apply(PolicyText.withoutTests(other)) == .applied(revision: 2))
    }
  }

  @Test("several tenants' policies are applied together, or none of them")
  func together() async throws {
    try await ThreeApps.run { apps in
      let services = apps.server.services
      typealias Change = (tenant: TenantRecord, candidate: PolicyCandidate)
      func candidate(_ name: String, _ old: String, _ new: String) async throws -> Change {
        let text = PolicyText.withoutTests(try TestLists.policy(name))
        #expect(text.contains(old))
        return (
          try await Tenants.find(name, services),
          PolicyCandidate(text.replacing(old, with: new), file: "\(name).yaml", services)
        )
      }
      func apply(_ candidates: [Change]) async throws -> [Policies.Outcome] {
        try await Policies.apply(
          candidates, consent: Policies.Consent(),
          author: Author(.operator("test"), name: "test", reason: "test"), services)
      }
      func revisions() async throws -> [Int] {
        var numbers: [Int] = []
        for name in ["dd-ride", "messai"] {
          let tenant = try await Tenants.find(name, services)
          numbers.append(try await services.store.open(tenant.id).revisions(limit: 1).first?.number ?? 0)
        }
        return numbers
      }
      let ride = try await candidate("dd-ride", "min_length: 8}", "min_length: 9}")
      let weaker = try await candidate("messai", "min_length: 6}", "min_length: 5}")
      let error = await #expect(throws: OperatorError.self) { try await apply([ride, weaker]) }
      #expect(error?.description.contains("messai.yaml") == true)
      #expect(try await revisions() == [1, 1])
      let stricter = try await candidate("messai", "min_length: 6}", "min_length: 7}")
      #expect(try await apply([ride, stricter]) == [.applied(revision: 2), .applied(revision: 2)])
      #expect(try await revisions() == [2, 2])
      #expect(try await apply([ride, stricter]) == [.unchanged(revision: 2), .unchanged(revision: 2)])
    }
  }
}
