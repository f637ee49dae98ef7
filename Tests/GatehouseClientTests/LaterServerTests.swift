import Foundation
import GatehouseClientTesting
import Testing

@testable import GatehouseClient

@Suite("Servers of later versions")
struct LaterServerTests {
  @Test("C14 a code that this version does not know comes as it is, with the server's sentence")
  func code() async throws {
    let stage = ClientStage()
    let client = try await stage.signedIn()
    stage.server.fail(next: .refusal("moon_phase_wrong", retryAfter: nil), at: "/v1/me")
    let error = await failure { () async throws(AuthError) in _ = try await client.reload() }
    #expect(error?.code == "moon_phase_wrong" && error?.message == "Something new.")
    #expect(client.hasSession)
  }

  @Test("C14 an unknown code at a refresh ends no session")
  func refresh() async throws {
    let stage = ClientStage()
    let client = try await stage.signedIn()
    stage.server.fail(next: .refusal("moon_phase_wrong", retryAfter: nil), at: "/v1/token")
    #expect(try await client.accessToken(minTTL: .seconds(100_000)).isEmpty == false)
    await client.settle()
    #expect(client.hasSession)
  }

  @Test("C14 a step that this version does not know keeps the server's word")
  func step() async throws {
    let stage = ClientStage()
    let client = try await stage.signedIn()
    stage.server.require("dance:waltz", of: ClientStage.email)
    guard case .limited(_, let next) = try await client.reload() else { return #expect(Bool(false), "not limited") }
    #expect(next == [AuthStep(need: "dance:waltz")])
    #expect(next.map(\.kind) == [.unknown])
  }

  @Test(
    "each step that this version knows has a kind",
    arguments: [
      (AuthStep.verifyEmail, AuthStep.Kind.verifyEmail), (.changeEmail, .changeEmail),
      (.changePassword, .changePassword), (.link("spotify"), .link("spotify")),
      (.profile("username"), .profile("username")), (AuthStep(need: "verify"), .unknown),
    ])
  func kind(step: AuthStep, kind: AuthStep.Kind) {
    #expect(step.kind == kind)
  }

  @Test("C14 members that this version does not know are passed over")
  func members() async throws {
    let stage = ClientStage { $0.laterMembers = ["moon": "full", "tide": "high"] }
    let client = try await stage.signedIn()
    _ = try await client.reload()
    _ = try await client.devices()
    _ = try await client.accessToken(minTTL: .seconds(100_000))
    let error = await failure { () async throws(AuthError) in try await client.end(device: "?") }
    #expect(error == nil && client.hasSession)
  }

  @Test("C14 an access that this version does not know is limited, and a value that no field of today has is null")
  func words() async throws {
    let stage = ClientStage()
    _ = try await stage.signedIn()
    stage.server.setField("displayName", "Ada", of: ClientStage.email)
    var configuration = stage.configuration()
    configuration.transport = Rewriting(
      base: stage.server,
      words: ["\"access\":\"full\"": "\"access\":\"lunar\"", "\"profile\":{": "\"profile\":{\"new\":[1.5],"])
    let client = AuthClient(configuration)
    _ = await client.restored()
    _ = try await client.reload()
    guard case .limited(let user, let next) = client.state else { return #expect(Bool(false), "not limited") }
    #expect(next == [] && user["new"] == .null)
  }

  @Test("a change of the password at an earlier server, which answers nothing, is one without warnings")
  func empty() async throws {
    let stage = ClientStage()
    _ = try await stage.signedIn()
    var configuration = stage.configuration()
    configuration.transport = Emptying(base: stage.server, path: "/v1/me/password")
    let client = AuthClient(configuration)
    #expect(try await client.changePassword(current: ClientStage.password, new: "another one") == [])
  }
}

/// Answers at one path as a server does that has nothing to say there.
private struct Emptying: HTTPTransport {
  let base: any HTTPTransport
  let path: String

  func send(_ call: HTTPCall, deadline: Duration) async throws -> HTTPAnswer {
    var answer = try await base.send(call, deadline: deadline)
    if call.url.path.hasSuffix(path), answer.status == 200 { (answer.status, answer.body) = (204, Data()) }
    return answer
  }
}

/// Changes words of every answer.
private struct Rewriting: HTTPTransport {
  let base: any HTTPTransport
  let words: [String: String]

  func send(_ call: HTTPCall, deadline: Duration) async throws -> HTTPAnswer {
    var answer = try await base.send(call, deadline: deadline)
    var text = String(decoding: answer.body, as: UTF8.self)
    for (old, new) in words { text = text.replacingOccurrences(of: old, with: new) }
    answer.body = Data(text.utf8)
    return answer
  }
}
