import Foundation
import GatehouseClientTesting
import Testing

@testable import GatehouseClient

@Suite("Canaries")
struct CanaryTests {
  private static let email = "canary@example.com"
  private static let password = "canary-password"

  /// Every way in which Swift shows a value.
  private func shown(_ value: Any) -> String {
    var dumped = ""
    dump(value, to: &dumped)
    return dumped + String(describing: value) + String(reflecting: value) + "\(value)"
  }

  @Test("C15 no token, password or address is in the log or in what is shown of clients, requests, answers and errors")
  func nothing() async throws {
    let stage = ClientStage()
    stage.server.addAccount(email: Self.email, password: Self.password)
    let wire = Book<(HTTPCall, HTTPAnswer?)>()
    var configuration = stage.configuration()
    configuration.transport = Tap(base: stage.server, book: wire)
    let client = AuthClient(configuration)
    var errors: [AuthError?] = []
    errors.append(
      await failure { () async throws(AuthError) in
        _ = try await client.signIn(email: Self.email, password: Self.password + "?")
      })
    _ = try await client.signIn(email: Self.email, password: Self.password)
    _ = try await client.accessToken(minTTL: .seconds(100_000))
    errors.append(
      await failure { () async throws(AuthError) in
        try await client.resetPassword(email: Self.email, code: "canary-code", new: Self.password)
      })
    _ = try await client.startLink("spotify", redirect: URL(string: "app://back"))
    let provider = try await failureFree { try await client.link("google", idToken: Self.googleToken(stage)) }
    let token = try await client.providerToken("google")
    let flow = try await client.hostedSignIn(returnTo: ClientStage.target)
    let way = try #require(await client.keeper.ledger.record.hosted)
    let back = try #require(stage.server.hostedReturn(from: flow.url, as: Self.email))
    errors.append(
      await failure { () async throws(AuthError) in
        _ = try await client.finish(at: back.appending(queryItems: [URLQueryItem(name: "state", value: "canary")]))
      })
    let before = shown(await client.keeper.ledger.record) + shown(way)
    _ = try await client.finish(at: back)
    await client.settle()
    await client.signOut()
    await client.settle()
    let record = await client.keeper.ledger.record
    let secrets = [
      Self.email, Self.password, "canary-code", "gh_rt_", "gh_at_", "gh_dv_", "gh_hb_", token.accessToken, way.verifier,
    ]
    let all =
      stage.log.all.map(shown) + errors.map(shown) + wire.all.map { shown($0.0) + shown($0.1 as Any) }
      + [
        before, shown(client), shown(record), shown(client.keeper), shown(token),
        shown(Reauthentication.password(Self.password)),
        shown(record.session as Any), shown(provider),
      ]
    for text in all { for secret in secrets { #expect(!text.contains(secret), "\(secret) is in: \(text)") } }
    // The look itself sees what is there.
    #expect(shown(stage.server.mails + [FakeMail(to: Self.email, kind: .passwordReset)]).contains(Self.email))
    #expect(wire.all.count > 5 && stage.log.all.count > 5)
  }

  private static func googleToken(_ stage: ClientStage) -> String {
    stage.server.idToken("google", subject: "canary", email: email)
  }

  private func failureFree(_ body: () async throws -> AuthState) async throws -> String { try await body().name }
}

/// Keeps what passes.
private struct Tap: HTTPTransport {
  let base: any HTTPTransport
  let book: Book<(HTTPCall, HTTPAnswer?)>

  func send(_ call: HTTPCall, deadline: Duration) async throws -> HTTPAnswer {
    let answer = try await base.send(call, deadline: deadline)
    book.add((call, answer))
    return answer
  }
}
