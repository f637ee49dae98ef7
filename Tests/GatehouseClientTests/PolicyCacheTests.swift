import Foundation
import GatehouseClientTesting
import GatehouseTesting
import Testing

@testable import GatehouseClient

@Suite("The policy that is kept for forms")
struct PolicyCacheTests {
  private let stage = ClientStage { $0.policy = Self.policy(1) }
  private let folder: URL

  init() throws { folder = URL(fileURLWithPath: try TestFolder.make("policy")).appendingPathComponent("inner") }

  /// The policy of an app with one field, whose bounds are a rule in force and one that only warns.
  static func policy(_ revision: Int) -> Data {
    func rule(_ id: String, _ kind: String, _ params: String, _ enforce: String) -> String {
      """
      {"id":"\(id)","kind":"\(kind)","pointer":"/profile/nickname","params":\(params),"message":"m",
      "enforce":"\(enforce)","checked_on_submit":false,"doors":["sign_up"]}
      """
    }
    let rules = [
      rule("nickname.most", "max_length", #"{"max":30}"#, "enforce"),
      rule("nickname.least", "min_length", #"{"min":3}"#, "warn"),
    ]
    return Data(
      """
      {"tenant":"acme","revision":\(revision),"digest":"","app":{"name":"Acme"},
      "fields":[{"name":"nickname","label":"Nickname","type":"string","required":false,"at_sign_up":true,"trim":true,
      "multiline":true,"write":"user","visible_to":"users"},
      {"name":"rank","type":"integer","required":true,"trim":true,"write":"admin","visible_to":"users"}],
      "rules":[\(rules.joined(separator: ","))],"password":{"passwordrules":""},"providers":[],
      "verification":{"method":"code","resend_after":60,"on_sign_up":false},"access":{"full":[]},
      "theme":{"primary":"#512888","dark_mode":"auto"},"languages":["en"]}
      """.utf8)
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
    stage.server.settings.policy = Self.policy(2)
    #expect(try await next.policy().revision == 2)
    stage.server.weather = .dropRequest
    #expect(try await client().policy().revision == 2)
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
    let policy = try AuthPolicy(json: Self.policy(1))
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
