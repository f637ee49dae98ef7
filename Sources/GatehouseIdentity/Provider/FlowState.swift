import Foundation
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// The state of a user who is away at a provider; sealed in the flow's row.
struct FlowState: Codable {
  /// Proves to the provider that the client that exchanges the code is the one that began (RFC 7636).
  var verifier: CodeVerifier
  /// Ties the ID token to this flow.
  var nonce: String
  /// Where the provider was told to send them, to be said again at the exchange.
  var redirectURI: String
  /// Where the browser goes in the end.
  var continueTo: String?
  /// The app's own challenge.
  var challenge: CodeChallenge?
  /// The flow of the hosted pages to which the browser comes back, in the place of an app's address.
  var page: String?
  /// In which session a browser links.
  var session: UUID?
  /// The account whose owner proves again who they are; nil where any user may come back.
  var owner: UUID?
  /// When the person was sent to sign in anew, in seconds since 1970; nil where a sign-in that lasts there is enough.
  var freshSince: Int64?

  init(redirectURI: String) {
    verifier = .generate()
    nonce = Base64URL.encode(SecureRandom.bytes(32))
    self.redirectURI = redirectURI
  }

  /// Seconds in which a person has to be back.
  static let seconds = 600

  /// The row of a flow that begins now, and the `state` that leads back to it.
  func begin(
    _ purpose: ProviderFlow.Purpose, at provider: Provider, holder: [UInt8]?, user: UserID? = nil,
    session: SessionID? = nil, _ call: Call, _ services: Services
  ) throws -> (state: String, change: Change) {
    let state = OpaqueToken.generate(.linkState)
    let sealed = try call.tenant.vault.seal(
      try JSONEncoding.encode(self),
      for: .bound(
        .flow(stateHash: state.digest, provider: provider.name),
        to: try call.tenant.destination(of: provider, services)))
    let flow = ProviderFlow(
      stateHash: state.digest, provider: provider.name, purpose: purpose, holderHash: holder, user: user,
      session: session, sealedPayload: sealed, createdAt: call.now,
      expiresAt: call.now.addingTimeInterval(TimeInterval(FlowState.seconds)))
    return (state.text.expose { $0 }, .provider(.beginFlow(flow)))
  }

  /// Takes the flow that a state leads to. Refuses `code_invalid`, whatever does not fit: also a flow towards a
  /// provider that is elsewhere by now.
  static func take(_ claim: ProviderFlowClaim, at provider: Provider, _ call: Call, _ services: Services) async throws
    -> (flow: ProviderFlow, flowState: FlowState)
  {
    guard let flow = try await services.store.open(call.tenant.id).takeFlow(claim) else {
      await call.noteRefused(token: "state", services)
      throw Refusal(.codeInvalid)
    }
    let flowState = try await opened(flow, at: provider, call, services).expose {
      try StrictDecoder.decode(FlowState.self, from: $0)
    }
    return (flow, flowState)
  }

  /// What a flow remembers. Refuses `code_invalid` where the provider is elsewhere by now.
  static func opened(_ flow: ProviderFlow, at provider: Provider, _ call: Call, _ services: Services) async throws
    -> Secret<[UInt8]>
  {
    do {
      return try await call.tenant.open(
        flow.sealedPayload, .flow(stateHash: flow.stateHash, provider: provider.name), at: provider, services)
    } catch is SealedElsewhere {
      throw Refusal(.codeInvalid, note: "the provider is elsewhere by now")
    }
  }
}

extension Policy {
  /// A provider that people may sign in with. Refuses `not_found` for any other name, as for a path that does not
  /// exist.
  func signInProvider(_ name: String) throws -> Provider {
    guard let provider = linkable(name), provider.use == .signIn else { throw Refusal(.notFound) }
    return provider
  }

  /// A provider whose accounts can be linked: every one there is but passwords.
  func linkProvider(_ name: String) throws -> Provider {
    guard let provider = linkable(name) else { throw Refusal(.notFound) }
    return provider
  }

  private func linkable(_ name: String) -> Provider? {
    providers.first { $0.name != "password" && $0.name.utf8.elementsEqual(name.utf8) }
  }
}
