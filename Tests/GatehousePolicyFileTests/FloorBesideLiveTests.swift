import Foundation
import GatehousePolicy
@testable import GatehousePolicyFile
import GatehouseTesting
import Testing

@Suite("The operator's floor, and a tenant that is below it already")
struct FloorBesideLiveTests {
  private func file(_ policy: String) throws -> PolicyFile {
    let rest = policy.contains("password:") ? policy : policy + "\npassword: {rules: [{id: a, min_length: 8}]}"
    let app = policy.contains("app:") ? "" : "app: {name: Acme}\n"
    return try PolicyFile.read("schema: gatehouse/policy.v1\ntenant: acme\n\(app)\(rest)", name: "acme.yaml").get()
  }

  /// Whether an edit is refused, and what it is told.
  private func verdict(_ bound: String, from live: String, to edit: String) throws -> (isRefused: Bool, told: [String])
  {
    let floor = try Floor.read(Array(("schema: gatehouse/floor.v1\n" + bound).utf8), name: "floor.yaml").get()
    let (live, sink) = (try file(live), Diagnostics())
    floor.judge(try file(edit), beside: live, into: sink)
    floor.judgeStatements(
      of: try file(edit), beside: live, using: NoFacts(), now: Date(timeIntervalSince1970: 1_800_000_000), into: sink)
    return (sink.hasErrors, sink.found.map(\.message))
  }

  /// A bound, a live revision below it, an edit that is not further below, and one that is.
  private static let edits = [
    (
      "password: {min_length: 10}", "password: {rules: [{id: a, min_length: 8}]}",
      "password: {rules: [{id: a, min_length: 9}]}", "password: {rules: [{id: a, min_length: 7}]}"
    ),
    (
      "sessions: {access_token_ttl: 5m}", "sessions: {access_token_ttl: 10m}", "sessions: {access_token_ttl: 9m}",
      "sessions: {access_token_ttl: 11m}"
    ),
    (
      "limits: {sign_in_per_account: 5/15m}", "limits: {sign_in_per_account: 20/15m}",
      "limits: {sign_in_per_account: 20/15m}", "limits: {sign_in_per_account: 20/14m}"
    ),
    (
      "limits: {sign_in_per_account: 5/15m}", "limits: {sign_in_per_account: 20/15m}",
      "limits: {sign_in_per_account: 10/20m}", "limits: {sign_in_per_account: 21/1h}"
    ),
    (
      "limits: {sign_in_per_account: 5/15m}", "privacy: {account_exists: hide}", "privacy: {account_exists: reveal}",
      "sessions: {access_token_ttl: 16m}"
    ),
    (
      "continue_hosts: [good.example]", "app: {name: Acme, continue: [\"https://old.example/in\"]}",
      "app: {name: Acme 2, continue: [\"https://old.example/in\"]}",
      "app: {name: Acme, continue: [\"https://other.example/in\"]}"
    ),
  ]

  @Test("an edit that is not further below is told and not refused", arguments: edits.indices)
  func asFarBelow(_ index: Int) throws {
    let (bound, live, edit, _) = Self.edits[index]
    let verdict = try verdict(bound, from: live, to: edit)
    #expect(!verdict.isRefused && verdict.told.contains { $0.hasSuffix("; so is the live revision") })
  }

  @Test("an edit that is further below is refused", arguments: [0, 1, 2, 3, 5])
  func furtherBelow(_ index: Int) throws {
    let (bound, live, _, edit) = Self.edits[index]
    #expect(try verdict(bound, from: live, to: edit).isRefused)
  }

  @Test("a breach of one bound is no leave for a breach of another")
  func anotherBound() throws {
    let bound = "sessions: {access_token_ttl: 5m, refresh_max_ttl: 30d}"
    let verdict = try verdict(
      bound, from: "sessions: {access_token_ttl: 10m, refresh_max_ttl: 30d}",
      to: "sessions: {access_token_ttl: 5m, refresh_max_ttl: 31d}")
    #expect(verdict.isRefused)
  }

  @Test("without a live revision every breach is refused")
  func new() throws {
    let floor = try Floor.read(
      Array("schema: gatehouse/floor.v1\npassword: {min_length: 10}".utf8), name: "floor.yaml"
    ).get()
    let sink = Diagnostics()
    floor.judge(try file("password: {rules: [{id: a, min_length: 9}]}"), into: sink)
    #expect(sink.hasErrors)
  }
}
