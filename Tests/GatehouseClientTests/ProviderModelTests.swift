import Foundation
import GatehouseClientTesting
import GatehousePolicy
import Testing

@testable import GatehouseClient

@Suite("C21 Models of providers: sign-in by a provider's SDK, and connected accounts")
@MainActor
struct ProviderModelTests {
  private let stage = ClientStage()

  private struct SDKFailed: Error {}

  /// A way to Google that shows no screen.
  private func google(_ token: @escaping @MainActor @Sendable (SignInNonce) async throws -> ProviderSignIn.Token?)
    -> ProviderSignIn
  {
    ProviderSignIn("google", token: token)
  }

  @Test("a token of the provider's SDK signs in, with the nonce that the SDK was given")
  func signIn() async {
    let model = SignInModel(stage.client())
    let server = stage.server
    let isDone = await model.submit(
      with: google { nonce in
        .init(
          idToken: server.idToken("google", subject: "g1", email: ClientStage.email, nonce: nonce.text),
          nonce: nonce.text)
      })
    #expect(isDone && model.message == nil && model.client.state.user?.email == ClientStage.email)
  }

  @Test("each sign-in by a provider has a nonce of its own")
  func nonces() async {
    let model = SignInModel(stage.client())
    var seen: Set<String> = []
    for _ in 0..<3 {
      await model.submit(
        with: google { nonce in
          seen.insert(nonce.text)
          return nil
        })
    }
    #expect(seen.count == 3)
  }

  @Test(
    "a screen of the SDK that the person closed says nothing and sends nothing",
    arguments: [nil, AuthError(.cancelled), CancellationError()] as [(any Error)?])
  func closed(_ error: (any Error)?) async {
    let model = SignInModel(stage.client())
    let before = stage.server.requests.count
    let isDone = await model.submit(
      with: google { _ in
        if let error { throw error }
        return nil
      })
    #expect(!isDone && model.message == nil && !model.isWorking && stage.server.requests.count == before)
  }

  @Test("an SDK that fails is told with the provider's name")
  func failed() async {
    let model = SignInModel(stage.client())
    let isDone = await model.submit(with: google { _ in throw SDKFailed() })
    #expect(!isDone && model.error?.code == .providerError && model.error?.provider == "google")
    #expect(model.message == "Google gave an error.")
  }

  @Test("a token that the server refuses is told in the server's words, and the form can try again")
  func refused() async {
    let model = SignInModel(stage.client())
    #expect(await model.submit(with: google { _ in .init(idToken: "forged") }) == false)
    #expect(model.error?.code == .providerTokenInvalid && model.message != nil && !model.isWorking)
  }

  /// A session whose policy knows Google for sign-in and Spotify for links.
  private func session(links: [ProviderLink]) async throws -> SessionModel {
    stage.server.policy.policy.providers += [
      Provider(name: "google", use: .signIn), Provider(name: "spotify", use: .link),
    ]
    var user = try #require(await stage.signedIn().state.user)
    user.links = links
    let model = SessionModel(AuthClient.preview(.signedIn(user)))
    model.policy = try await stage.client().policy()
    return model
  }

  private func link(_ provider: String) -> ProviderLink {
    ProviderLink(provider: provider, linkedAt: Date(timeIntervalSince1970: 0))
  }

  @Test("a provider that people link stands among the connected accounts, without a link at first")
  func linkable() async throws {
    let connections = try await session(links: []).connections
    #expect(connections == [.init(provider: "spotify", link: nil)])
  }

  @Test("a provider for sign-in stands among the connected accounts once it is linked")
  func linkedForSignIn() async throws {
    let connections = try await session(links: [link("google")]).connections
    #expect(connections.map(\.title) == ["Google", "Spotify"])
  }

  @Test("a link to a provider that the policy knows no more stands last, so that it can be cut")
  func unknownProvider() async throws {
    let connections = try await session(links: [link("github"), link("spotify")]).connections
    #expect(connections.map(\.title) == ["Spotify", "GitHub"])
  }

  @Test("an account is unlinked with the proof that the form asks for, and the form forgets it")
  func unlinkWithProof() async throws {
    stage.server.policy.fullAccess = []
    let client = try await stage.signedIn()
    let page = try await client.startLink("spotify").url
    try await client.finish(at: #require(stage.server.callback(from: page)))
    stage.clock.advance(by: .seconds(400))
    let model = LinkModel(client, provider: "spotify")
    #expect(await model.unlink() == false)
    #expect(model.error?.code == .reauthenticationRequired)
    model.password = ClientStage.password
    #expect(await model.unlink())
    #expect(!model.isLinked && model.password.isEmpty)
  }
}
