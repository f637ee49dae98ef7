public import Foundation
import GatehouseWire

/// An access token for a provider's own API.
public struct ProviderToken: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// For the `Authorization: Bearer` field of requests to the provider.
  public var accessToken: String
  /// The time at which it ends; nil where the provider does not say.
  public var expires: Date?
  /// The scopes that the person granted.
  public var scopes: [String]
  /// Shows no token.
  public var description: String { "ProviderToken(…)" }
  /// Nothing within.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension AuthClient {
  /// Begins to link an account at a provider. The flow is kept with the session, so that `finish(at:)` works even after
  /// the system ended the app meanwhile.
  public func startLink(_ provider: String, redirect: URL? = nil) async throws(AuthError) -> BrowserFlow {
    let generation = try await generation()
    let input = StartLinkEndpoint.Input(provider: provider, redirectURI: redirect?.absoluteString)
    let answer = try await signedIn(StartLinkEndpoint.self, input, of: generation).content
    guard let url = URL(string: answer.authorizationURL) else { throw await keeper.own(.unknown) }
    let expires = configuration.clock.now.addingTimeInterval(TimeInterval(answer.expiresIn))
    let flow = PendingFlow(
      provider: provider, url: answer.authorizationURL, redirect: redirect?.absoluteString, expires: expires,
      generation: generation)
    await keeper.change { record in
      if record.session?.generation == generation { (record.flow, record.hosted) = (flow, nil) }
    }
    return BrowserFlow(provider: provider, url: url, redirect: redirect, expires: expires)
  }

  /// Ends the way through a provider's page that was begun by this sign-in.
  func finish(_ flow: PendingFlow, at callback: URL) async throws(AuthError) -> AuthState {
    let generation = try await generation()
    guard flow.generation == generation else { throw await keeper.own(.codeInvalid) }
    let input = CompleteLinkEndpoint.Input(provider: flow.provider, callbackURL: callback.absoluteString)
    do throws(AuthError) {
      let answer = try await signedIn(CompleteLinkEndpoint.self, input, of: generation)
      await keeper.change { $0.end(flow) }
      return try await keeper.take(answer.content, of: generation)
    } catch {
      if !error.isTemporary { await keeper.change { $0.end(flow) } }
      throw error
    }
  }

  /// Links an account with an ID token of the provider's own SDK.
  @discardableResult
  public func link(_ provider: String, idToken: String, nonce: String? = nil) async throws(AuthError) -> AuthState {
    let generation = try await generation()
    let input = CompleteLinkEndpoint.Input(provider: provider, idToken: idToken, nonce: nonce)
    return try await keeper.take(signedIn(CompleteLinkEndpoint.self, input, of: generation).content, of: generation)
  }

  /// Unlinks an account at a provider. An account that is not linked is no error.
  @discardableResult
  public func unlink(_ provider: String, proof: Reauthentication? = nil) async throws(AuthError) -> AuthState {
    let generation = try await generation()
    let password = try await prove(proof)
    let input = UnlinkEndpoint.Input(provider: provider, password: password)
    do throws(AuthError) {
      _ = try await signedIn(UnlinkEndpoint.self, input, of: generation)
    } catch {
      guard [.providerNotLinked, .notFound].contains(error.code) else { throw error }
    }
    return try await reload()
  }

  /// A living access token for the provider's own API. The server refreshes it; what it was made from never leaves the
  /// server.
  public func providerToken(_ provider: String) async throws(AuthError) -> ProviderToken {
    let input = ProviderTokenEndpoint.Input(provider: provider)
    let answer = try await signedIn(ProviderTokenEndpoint.self, input, mayRepeat: true).content
    return ProviderToken(
      accessToken: answer.accessToken,
      expires: answer.expiresIn.map { configuration.clock.now.addingTimeInterval(TimeInterval($0)) },
      scopes: answer.scopes)
  }
}
