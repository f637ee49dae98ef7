public import Foundation
import GatehousePolicy

/// A screen that links an account at a provider, and unlinks it.
@MainActor
public final class LinkModel: ProvingModel {
  /// The provider's name in the policy.
  public let provider: String
  /// The address that the provider sends the person back to: it opens the app.
  public let redirect: URL?
  /// The page to open, after `submit()`; nil before, and when the person is back.
  @Observed public private(set) var flow: BrowserFlow?

  /// A screen for this provider.
  public init(_ client: AuthClient, provider: String, redirect: URL? = nil) {
    self.provider = provider
    self.redirect = redirect
    super.init(client)
  }

  /// The name that people know the provider by: `Spotify`.
  public var title: String { GatehousePolicy.Label.provider(provider) }
  /// Whether the account is linked and works.
  public var isLinked: Bool { client.state.user?.isLinked(provider) == true }

  /// Begins: the app then opens `flow`'s page in a browser.
  @discardableResult
  public func submit() async -> Bool {
    let (client, provider, redirect) = (client, provider, redirect)
    var begun: BrowserFlow?
    let isBegun = await work { () async throws(AuthError) in
      begun = try await client.startLink(provider, redirect: redirect)
    }
    if let begun { flow = begun }
    return isBegun
  }

  /// Ends, with the address that the app was opened with. Works also after the system ended the app in between.
  @discardableResult
  public func finish(at callback: URL) async -> Bool {
    let client = client
    let isLinked = await work { () async throws(AuthError) in _ = try await client.finish(at: callback) }
    if isLinked { flow = nil }
    return isLinked
  }

  /// The person closed the browser. Nothing was lost: `submit()` begins anew.
  public func cancel() { flow = nil }

  /// Unlinks the account. Where the policy asks for a fresh proof, the typed one is sent, and forgotten once it served.
  @discardableResult
  public func unlink(proof given: Reauthentication? = nil) async -> Bool {
    let (client, provider) = (client, provider)
    let isUnlinked = await work { () async throws(AuthError) in
      let proof = if let given { given } else { try await self.given() }
      _ = try await client.unlink(provider, proof: proof)
    }
    if isUnlinked { forgetProof() }
    return isUnlinked
  }
}
