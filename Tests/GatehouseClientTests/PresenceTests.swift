import Foundation
import GatehouseClientTesting
import GatehousePolicy
import Testing

@testable import GatehouseClient

/// Carries requests to a server, and notes the contents of those to one path.
private struct Noting: HTTPTransport {
  let server: FakeServer
  let path: String
  let book: Book<String>

  init(_ server: FakeServer, _ path: String, in book: Book<String>) {
    (self.server, self.path, self.book) = (server, path, book)
  }

  func send(_ call: HTTPCall, deadline: Duration) async throws -> HTTPAnswer {
    if call.url.path.hasSuffix(path) { book.add(String(decoding: call.body ?? Data(), as: UTF8.self)) }
    return try await server.send(call, deadline: deadline)
  }
}

@Suite("The client shows the person as online by itself")
struct PresenceTests {
  private let stage = ClientStage(skipping: .zero)
  private let sentBodies = Book<String>()

  private func client(_ mode: PresenceMode = .automatic) -> AuthClient {
    var configuration = stage.configuration()
    configuration.presence = mode
    configuration.transport = Noting(stage.server, "/v1/me/presence", in: sentBodies)
    return AuthClient(configuration)
  }

  /// What was sent, in its order.
  private var sent: [Bool] { sentBodies.all.map { $0.contains("true") } }

  private func signIn(_ client: AuthClient) async throws {
    stage.server.addAccount(email: ClientStage.email, password: ClientStage.password)
    _ = try await client.signIn(email: ClientStage.email, password: ClientStage.password)
    await client.settle()
  }

  @Test("an app in front is online at once, and again in each half of the policy's idle time")
  func inFront() async throws {
    stage.server.policy.policy.presence.idle = 600
    let client = client()
    try await signIn(client)
    await client.foreground()
    await until { sent.count == 1 && stage.clock.sleeping > 0 }
    stage.clock.advance(by: .seconds(299))
    #expect(sent == [true])
    stage.clock.advance(by: .seconds(1))
    await until { sent.count == 2 }
    #expect(sent == [true, true] && client.state.user?.presence.isOnline == true)
  }

  @Test("an app that is left is offline, once, and sends nothing until it is in front again")
  func left() async throws {
    let client = client()
    try await signIn(client)
    await client.foreground()
    await until { sent.count == 1 && stage.clock.sleeping > 0 }
    await client.background()
    await until { client.state.user?.presence.isOnline == false }
    stage.clock.advance(by: .seconds(3600))
    #expect(sent == [true, false] && stage.clock.sleeping == 0)
    await client.foreground()
    await until { sent == [true, false, true] }
    #expect(sent == [true, false, true])
  }

  @Test("the last of many quick changes is what holds", arguments: [true, false])
  func quick(_ endsInFront: Bool) async throws {
    let client = client()
    try await signIn(client)
    for _ in 0..<20 {
      await client.background()
      await client.foreground()
    }
    if !endsInFront { await client.background() }
    await until {
      sent.last == endsInFront && (stage.clock.sleeping > 0) == endsInFront
        && client.state.user?.presence.isOnline == endsInFront
    }
    #expect(client.state.user?.presence.isOnline == endsInFront)
  }

  @Test("before a sign-in nothing is sent, and an app in front is online after it")
  func signedOut() async throws {
    let client = client()
    await client.foreground()
    _ = await client.restored()
    await client.background()
    await client.foreground()
    #expect(sent == [])
    try await signIn(client)
    await until { sent == [true] }
    #expect(sent == [true])
  }

  @Test("without a network it is tried again after a minute")
  func offline() async throws {
    let client = client()
    try await signIn(client)
    stage.server.fail(next: .refusal("overloaded", retryAfter: 600), at: "/v1/me/presence")
    await client.foreground()
    await until { sent.count == 1 && stage.clock.sleeping > 0 }
    stage.clock.advance(by: .seconds(60))
    await until { sent.count == 2 }
    #expect(stage.log.all.contains { $0.event == "presence" && $0.outcome == "overloaded" })
  }

  @Test("an app that sends it by itself is left alone")
  func manual() async throws {
    let client = client(.manual)
    try await signIn(client)
    await client.foreground()
    await client.background()
    await client.settle()
    #expect(sent == [])
  }

  @Test("a client that is not used any more is given back, signed in or not", arguments: [true, false])
  func released(_ isSignedIn: Bool) async throws {
    weak var held: AuthClient?
    do {
      let client = client()
      if isSignedIn { try await signIn(client) }
      await client.foreground()
      if isSignedIn { await until { sent.count == 1 && stage.clock.sleeping > 0 } }
      await client.settle()
      held = client
    }
    await until { held == nil }
    #expect(held == nil)
  }
}
