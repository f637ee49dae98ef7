import Foundation
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// The state of a user who is away at a provider; sealed in the ticket of the flow.
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

  /// The ticket of a flow that begins now, and the `state` that leads back to it.
  func begin(
    _ purpose: Ticket.Purpose, at provider: Provider, holder: [UInt8]?, user: UserID? = nil,
    session: SessionID? = nil, _ call: Call, _ services: Services
  ) throws -> (state: String, change: Change) {
    let state = OpaqueToken.generate(purpose.terms.token)
    let sealed = try call.tenant.vault.seal(
      try JSONEncoding.encode(self),
      for: .bound(
        .flow(stateHash: state.digest, provider: provider.name),
        to: try call.tenant.destination(of: provider, services)))
    let ticket = Ticket(
      hash: state.digest, purpose: purpose, provider: provider.name, user: user, session: session,
      client: call.client.id, holderHash: holder, sealedPayload: sealed)
    return (state.text.expose { $0 }, .ticket(.begin(ticket)))
  }

  /// Takes the flow that a state leads to. Refuses `code_invalid` for every mismatch: also for a flow towards a
  /// provider that is elsewhere by now.
  static func take(_ claim: TicketClaim, at provider: Provider, _ call: Call, _ services: Services) async throws
    -> (ticket: Ticket, flowState: FlowState)
  {
    guard let ticket = try await services.store.open(call.tenant.id).take(claim) else {
      await call.noteRefused(token: "state", services)
      throw Refusal(.codeInvalid)
    }
    let flowState = try await opened(ticket, at: provider, call, services).expose {
      try StrictDecoder.decode(FlowState.self, from: $0)
    }
    return (ticket, flowState)
  }

  /// The memory of a ticket. Refuses `code_invalid` where there is none, or the provider is elsewhere by now.
  static func opened(_ ticket: Ticket, at provider: Provider, _ call: Call, _ services: Services) async throws
    -> Secret<[UInt8]>
  {
    guard let sealed = ticket.sealedPayload else { throw Refusal(.codeInvalid) }
    do {
      return try await call.tenant.open(
        sealed, .flow(stateHash: ticket.hash, provider: provider.name), at: provider, services)
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
