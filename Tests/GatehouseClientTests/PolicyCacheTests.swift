import Foundation
import GatehouseClientTesting
import GatehousePolicy
import GatehouseTesting
import Testing

@testable import GatehouseClient

@Suite("The policy that is kept for forms")
struct PolicyCacheTests {
  private let stage = ClientStage(policy: Self.policy("nickname"))
  private let folder: URL

  init() throws { folder = URL(fileURLWithPath: try TestFolder.make("policy")).appendingPathComponent("inner") }

  /// The policy of an app with a field, whose bounds are a rule in force and one that only warns, and a field that only
  /// administrators write.
  static func policy(_ name: String) -> FakePolicy {
    var policy = FakePolicy.standard
    let most = Rule(id: "\(name).most", kind: .maxLength, target: .field, parameter: .integer(30))
    let least = Rule(
      id: "\(name).least", kind: .minLength, target: .field, parameter: .integer(3),
      enforcement: Enforcement(.warn, from: Day("2031-03-01")))
    policy.policy.profile.fields = [
      Field(name: name, type: .string, rules: [most, least], multiline: true, atSignUp: true),
      Field(name: "rank", type: .integer, write: .admin),
    ]
    return policy
  }

  private func client() -> AuthClient {
    var configuration = stage.configuration()
    configuration.cacheFolder = folder
    return AuthClient(configuration)
  }

  private func files() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
  }

  @Test("the next start of the app has the policy without a network")
  func offline() async throws {
    let policy = try await client().policy()
    stage.server.weather = .dropRequest
    let kept = try await client().policy()
    #expect(kept.revision == policy.revision && kept.fields == policy.fields && !kept.fields.isEmpty)
  }

  @Test("the next start asks by the tag, and gets the policy that has changed since")
  func changed() async throws {
    _ = try await client().policy()
    let next = client()
    _ = try await next.policy()
    #expect(stage.server.requests.map(\.status) == [200, 304])
    stage.server.policy = Self.policy("motto")
    #expect(try await next.policy().fields.first?.name == "motto")
    stage.server.weather = .dropRequest
    #expect(try await client().policy().fields.first?.name == "motto")
  }

  @Test("a field has the words, the bounds in force and the place that a generated form needs")
  func fields() async throws {
    let fields = try await client().policy().fields
    let (nickname, rank) = (try #require(fields.first), try #require(fields.last))
    #expect(nickname.label == "Nickname" && nickname.isAskedAtSignUp && nickname.isMultiline)
    #expect(nickname.minimum == nil && nickname.maximum == 30)
    #expect(rank.label == "Rank" && !rank.isAskedAtSignUp && !rank.isWritable)
  }

  @Test("a form that is handed the app's own copy of the policy has its rows at once")
  @MainActor
  func handed() async throws {
    let policy = try await client().policy()
    let model = SignUpModel(stage.client(), policy: policy)
    model["nickname"] = String(repeating: "n", count: 31)
    #expect(model.rows.first { $0.rule == "nickname.most" }?.mark == .unmet)
  }

  @Test("a file that is damaged is as if it were not there", arguments: ["", "{", #"{"tag":"x","policy":"e30="}"#])
  func damaged(_ content: String) async throws {
    _ = try await client().policy()
    for file in try files() { try Data(content.utf8).write(to: file) }
    #expect(try await client().policy().revision > 0)
    stage.server.weather = .dropRequest
    #expect(try await client().policy().revision > 0)
  }

  @Test("a folder that cannot be written costs the next start a request, and no more")
  func unwritable() async throws {
    try Data().write(to: folder)
    #expect(try await client().policy().revision > 0)
    stage.server.weather = .dropRequest
    let error = await failure { () async throws(AuthError) in try await client().policy() }
    #expect(error?.code == .network)
  }
}
