import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("A policy changes under load")
struct PolicyUnderLoadTests {
  /// One answer of the load: by which revision it was judged, and what it came to.
  private struct Judged: Hashable, Sendable {
    let revision: Int?
    let status: Int
    let rules: [String]
  }

  /// Sends `request` over and over, four at a time, while `edit` runs; goes on until it is done and each of the four
  /// was judged by `revision` ten times more. The answers of each, in their order.
  private func load(
    until revision: Int, _ request: @escaping @Sendable (Int) async throws -> TestClient.Answer,
    _ edit: () async throws -> Void
  ) async throws -> [[Judged]] {
    let warm = LockBox(0)
    let edited = LockBox(false)
    async let circuits = atOnce(4) { purpose in
      var answers: [Judged] = []
      var fresh = 0
      while fresh < 10, answers.count < 5000 {
        let answer = try await request(purpose * 10_000 + answers.count)
        answers.append(Judged(revision: answer.revision, status: answer.status, rules: answer.rules))
        if edited.withLock({ $0 }), answer.revision == revision { fresh += 1 }
        warm.withLock { $0 += 1 }
      }
      return answers
    }
    let isWarm = try await eventually {
      await Task.yield()
      return warm.withLock { $0 } > 40
    }
    #expect(isWarm)
    do {
      try await edit()
      edited.withLock { $0 = true }
    } catch {
      edited.withLock { $0 = true }
      throw error
    }
    return try await circuits
  }

  /// Each lane saw `before` by revision 1, then `after` by revision 2, and nothing else.
  private func expect(_ circuits: [[Judged]], before: Judged, after: Judged) {
    #expect(Set(circuits.joined()) == [before, after])
    for purpose in circuits {
      let numbers = purpose.compactMap(\.revision)
      #expect(numbers == numbers.sorted(), "an old revision judged after a new one")
      #expect(numbers.count { $0 == 2 } >= 10)
    }
    #expect(circuits.joined().contains(before))
  }

  /// DD Ride's file, which a server watches, with only its limits widened: the load comes from one address.
  private func watched(_ body: (ThreeApps, WatchPolicies, String, String) async throws -> Void) async throws {
    let text = PolicyText.limits(
      "sign_up_per_ip: 1000000/1h", in: PolicyText.withoutTests(try TestLists.policy("dd-ride")))
    let directory = try TestFolder.make("policies")
    try text.write(toFile: directory + "/dd-ride.yaml", atomically: true, encoding: .utf8)
    try await ThreeApps.run(policy: { $0 == .ride ? text : $1 }) { apps in
      let watch = WatchPolicies(
        directory: directory, createsTenants: false, allowsWeaker: true, apps.server.services)
      #expect(await watch.look().isEmpty)
      try await body(apps, watch, directory + "/dd-ride.yaml", text)
    }
  }

  @Test("a longer minimum: no request fails, each is judged by one revision, and its answer says by which")
  func tightened() async throws {
    try await watched { apps, watch, file, text in
      let ride = apps.ride
      let request: @Sendable (Int) async throws -> TestClient.Answer = { number in
        // Too short for the new rule; the telephone number is no number, so that nothing has to be hashed.
        try await ride.post(
          "/v1/sign-up",
          #"{"email":"p\#(number)@ksu.edu","password":"Wildcat1","profile":{"name":"P","phoneNumber":"none"}}"#)
      }
      let circuits = try await load(until: 2, request) {
        try text.replacing("min_length: 8}", with: "min_length: 9}")
          .write(toFile: file, atomically: true, encoding: .utf8)
        guard case .applied("dd-ride", 2)? = await watch.look().first else {
          Issue.record("not applied")
          return
        }
      }
      expect(
        circuits, before: Judged(revision: 1, status: 422, rules: ["phoneNumber.format"]),
        after: Judged(revision: 2, status: 422, rules: ["password.min8", "phoneNumber.format"]))
    }
  }

  @Test("another domain let in where that is allowed: people of both come in, with tokens that say by which revision")
  func widened() async throws {
    try await watched { apps, watch, file, text in
      let ride = apps.ride
      let request: @Sendable (Int) async throws -> TestClient.Answer = { number in
        try await ride.post(
          "/v1/sign-up",
          #"{"email":"p\#(number)@wichita.edu","password":"Wildcat1","profile":{"name":"P","phoneNumber":"none"}}"#)
      }
      let circuits = try await load(until: 2, request) {
        let wider = text.replacing("allowed_domains: [ksu.edu]", with: "allowed_domains: [ksu.edu, wichita.edu]")
        try wider.write(toFile: file, atomically: true, encoding: .utf8)
        guard case .applied("dd-ride", 2)? = await watch.look().first else {
          Issue.record("not applied")
          return
        }
      }
      expect(
        circuits,
        before: Judged(revision: 1, status: 422, rules: ["email.allowed_domains", "phoneNumber.format"]),
        after: Judged(revision: 2, status: 422, rules: ["phoneNumber.format"]))
      let users = try await atOnce(6) { index in
        let domain = index % 2 == 0 ? "ksu.edu" : "wichita.edu"
        return try await ride.post(
          "/v1/sign-up",
          #"{"email":"q\#(index)@\#(domain)","password":"Wildcat1","profile":{"name":"Q","phoneNumber":"7855550123"}}"#)
      }
      for user in users {
        #expect(user.status == 201 && user.revision == 2)
        #expect(try Token.claims(of: user.json.accessToken)["pol"] == .integer(2))
      }
    }
  }

  @Test("a broken file under load changes nothing for any user")
  func broken() async throws {
    try await watched { apps, watch, file, _ in
      let ride = apps.ride
      let request: @Sendable (Int) async throws -> TestClient.Answer = { _ in
        try await ride.post("/v1/password-check", #"{"password":"Wildcat1"}"#)
      }
      let circuits = try await load(until: 1, request) {
        try "tenant: dd-ride\nnonsense".write(toFile: file, atomically: true, encoding: .utf8)
        guard case .trouble(let trouble)? = await watch.look().first else {
          Issue.record("a broken file was taken")
          return
        }
        #expect(trouble.why.contains("dd-ride.yaml:") && trouble.code?.hasPrefix("P") == true)
      }
      #expect(Set(circuits.joined()) == [Judged(revision: 1, status: 200, rules: [])])
    }
  }
}
