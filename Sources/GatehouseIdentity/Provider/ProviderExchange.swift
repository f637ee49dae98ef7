import Foundation
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// A tenant's requests to one provider, and the checks of its answers.
struct ProviderExchange {
  let provider: Provider
  let description: ProviderDescription
  private let call: Call
  private let services: Services

  /// Refuses `not_found` for a provider that is not described well enough to be asked anything.
  init(_ provider: Provider, _ call: Call, _ services: Services) throws {
    self.provider = provider
    self.call = call
    self.services = services
    do {
      description = try services.providers.description(
        of: ProviderRegistration(tenant: call.tenant.id, provider: provider, secret: nil))
    } catch {
      throw Refusal(.notFound, note: String(describing: error))
    }
  }

  // MARK: Tokens of apps

  /// Whether apps may send ID tokens of the provider. A provider for browsers alone has none to take.
  var takesIDTokens: Bool {
    description.isOpenIDConnect && (provider.flow != .codePKCE || !provider.audiences.isEmpty)
  }

  /// The user of an ID token that an app got for itself. Refuses `provider_token_invalid`; a refused one is counted and
  /// in the audit log.
  func user(idToken: String, nonce: String?, maximumAge: Int64, freshSince: Int64?) async throws -> IDToken.Taken {
    let accepted = provider.audiences.isEmpty ? [provider.clientID].compactMap(\.self) : provider.audiences
    do {
      return try await verify(
        idToken, nonce: nonce, audiences: accepted, maximumAge: maximumAge, freshSince: freshSince)
    } catch let flaw as IDToken.Flaw {
      await noteRefused(flaw.word)
      throw Refusal(.providerTokenInvalid, note: String(describing: flaw))
    }
  }

  /// The row of a token that is not taken.
  func noteRefused(_ reason: String) async {
    await call.note(
      .signInFailed, about: "\(provider.name) \(call.address?.text ?? "")", services,
      details: ["method": Proof.Method.provider.reference, "provider": provider.name, "reason": reason])
  }

  /// By the keys that are known; by newer ones, where the token names a key that is not among them.
  private func verify(
    _ token: String, nonce: String?, audiences: [String], maximumAge: Int64 = IDToken.day, freshSince: Int64?
  ) async throws -> IDToken.Taken {
    let expected = IDToken.Expectation(
      issuers: description.issuers, audiences: audiences, nonce: nonce, maximumAge: maximumAge,
      activity: activity(freshSince))
    // A text that is no token needs no keys, so none are fetched for it.
    let blind = IDToken.result(token, keys: VerificationKeys([]), expected, now: call.now.wholeSeconds)
    if case .failure(let flaw) = blind, flaw != .unknownKey { throw flaw }
    let registration = try await registration()
    let first = IDToken.result(
      token, keys: try await keys(registration, false), expected, now: call.now.wholeSeconds)
    if case .failure(.unknownKey) = first {
      return try IDToken.verify(
        token, keys: try await keys(registration, true), expected, now: call.now.wholeSeconds)
    }
    return try first.get()
  }

  /// Refuses `provider_error` where the policy leads elsewhere than the secret was set for: then neither the provider's
  /// answers nor its keys are to be trusted with users.
  private func registration() async throws -> ProviderRegistration {
    let registration = try await call.tenant.registration(provider, services)
    // GUARD: destination: no sign-in at a provider that leads elsewhere
    guard !registration.isSecretElsewhere else { throw Refusal(registration.lack) }
    return registration
  }

  /// The demand on `auth_time`: the person signed in within the time for which a proof is fresh, and after they were
  /// sent to do so.
  private func activity(_ freshSince: Int64?) -> IDToken.Activity {
    guard description.sendsAuthTime else { return .notSaid }
    let earliest = call.now.wholeSeconds - Int64(SignedIn.recentSeconds)
    guard let freshSince else { return .noted(since: earliest) }
    return .demanded(since: max(freshSince, earliest))
  }

  private func keys(_ registration: ProviderRegistration, _ isKeyMissing: Bool) async throws -> VerificationKeys {
    do {
      return try await services.providers.keys(at: registration, isKeyMissing: isKeyMissing)
    } catch {
      throw Refusal(error)
    }
  }

  // MARK: Browsers

  /// Whether an address is this server's own, where people come back to who link.
  func isHere(_ address: String) -> Bool {
    [call.tenant.issuer, call.tenant.sharedIssuer].contains {
      provider.linkCallback(at: $0).utf8.elementsEqual(address.utf8)
    }
  }

  /// Where to send a browser. Refuses `not_found` where the policy has no client id.
  func authorization(state: String, _ flowState: FlowState) async throws -> String {
    guard provider.clientID != nil else { throw Refusal(.notFound) }
    let request = ProviderAuthorization(
      redirectURI: flowState.redirectURI, state: state, challenge: flowState.verifier.challenge.rawValue,
      nonce: flowState.nonce, isFresh: flowState.freshSince != nil)
    let registration = try await registration()
    do {
      return try await services.providers.authorizationURL(request, at: registration)
    } catch {
      throw Refusal(error)
    }
  }

  /// The person who came back, with what the provider gave for their code. Refuses `provider_denied`, `provider_error`,
  /// `provider_unavailable`, `provider_token_invalid`.
  func redeem(_ callback: ProviderCallback, _ flowState: FlowState) async throws -> Redeemed {
    // Another provider's answer, played to us as this one's (RFC 9207, RFC 9700 section 4.4).
    // GUARD: flow: another issuer's answer
    if let issuer = callback.issuer, !description.issuers.contains(where: { $0.utf8.elementsEqual(issuer.utf8) }) {
      throw Refusal(.providerTokenInvalid, note: "an answer of another issuer")
    }
    let code: String
    switch callback.outcome {
    case .code(let given): code = given
    case .denied: throw Refusal(.providerDenied)
    case .failed(let error): throw Refusal(.providerError, note: "the provider says \(error)")
    }
    let registration = try await registration()
    do {
      let grant = try await services.providers.exchange(
        ProviderCode(
          code: Secret(code), verifier: Secret(flowState.verifier.rawValue), redirectURI: flowState.redirectURI),
        at: registration)
      let (user, isActive) = try await user(of: grant, flowState, registration)
      // RFC 6749 section 5.1: what is not mentioned is as it was asked for.
      let scopes = grant.scopes ?? (provider.scopes.isEmpty ? description.usualScopes : provider.scopes)
      return Redeemed(user: user, isActive: isActive, grant: grant, scopes: scopes)
    } catch let failure as ProviderFailure {
      throw Refusal(failure)
    } catch let flaw as IDToken.Flaw {
      throw Refusal(.providerTokenInvalid, note: String(describing: flaw))
    }
  }

  private func user(
    of grant: ProviderGrant, _ flowState: FlowState, _ registration: ProviderRegistration
  ) async throws -> (ProviderUser, isActive: Bool?) {
    guard description.isOpenIDConnect else {
      return (try await services.providers.user(grant.accessToken, at: registration), nil)
    }
    guard let token = grant.idToken, let client = provider.clientID else {
      throw ProviderFailure.garbage("no ID token")
    }
    let taken = try await verify(
      token.expose { $0 }, nonce: flowState.nonce, audiences: [client], freshSince: flowState.freshSince)
    return (taken.user, taken.isActive)
  }

  // MARK: What a provider gave

  /// The user who came back, and the provider's grant.
  struct Redeemed {
    let user: ProviderUser
    /// See `IDToken.Taken`.
    let isActive: Bool?
    let grant: ProviderGrant
    let scopes: [String]
  }

  /// The tokens that the policy keeps of it.
  func kept(_ redeemed: Redeemed) -> Kept? { Kept(redeemed.grant, of: redeemed.user, at: description, provider) }

  /// The writes that give back a grant that is not kept, where the provider has a way to.
  func givingBack(_ redeemed: Redeemed, of user: UserID) throws -> [Change] {
    guard description.revocation != .none else { return [] }
    let grant = StoredGrant(
      user: user, provider: provider.name, version: StoredGrant.firstVersion(),
      providerUserHash: StoredGrant.hash(redeemed.user), sealedTokens: [], isRevocable: true, keptAt: call.now,
      expiresAt: nil)
    let tokens = GrantedTokens(accessToken: redeemed.grant.accessToken, refreshToken: redeemed.grant.refreshToken)
    return [
      .grant(.orderRevocation(try grant.holding(tokens, to: Destination(description), in: call.tenant.vault)))
    ]
  }

  /// The tokens of a grant, where the policy keeps them. Lives sealed only.
  struct Kept: Codable {
    var accessToken: String
    var refreshToken: String?
    var expiresIn: Int?
    /// See `StoredGrant`.
    var providerUserHash: String
    var isRevocable: Bool

    enum CodingKeys: String, CodingKey {
      case accessToken, refreshToken, expiresIn
      case providerUserHash = "personHash"
      case isRevocable
    }

    init?(_ grant: ProviderGrant, of user: ProviderUser, at description: ProviderDescription, _ provider: Provider) {
      guard provider.tokenStore == .encrypted else { return nil }
      accessToken = grant.accessToken.expose { $0 }
      refreshToken = grant.refreshToken.map { $0.expose { $0 } }
      expiresIn = grant.expiresIn
      providerUserHash = Hex.encode(StoredGrant.hash(user))
      isRevocable = description.revocation != .none
    }
  }

  /// The writes that keep what a provider gave for an account's identity there; they follow its `link`.
  static func keeping(_ kept: Kept?, of user: UserID, at provider: Provider, _ call: Call, _ services: Services) throws
    -> [Change]
  {
    guard let kept else { return [] }
    let grant = StoredGrant(
      user: user, provider: provider.name, version: StoredGrant.firstVersion(),
      providerUserHash: Hex.decode(kept.providerUserHash) ?? [], sealedTokens: [], isRevocable: kept.isRevocable,
      keptAt: call.now,
      expiresAt: kept.expiresIn.map { call.now.addingTimeInterval(TimeInterval($0)) })
    let tokens = GrantedTokens(
      accessToken: Secret(kept.accessToken), refreshToken: kept.refreshToken.map { Secret($0) })
    let destination = try call.tenant.destination(of: provider, services)
    return [.grant(.keep(try grant.holding(tokens, to: destination, in: call.tenant.vault)))]
  }
}

extension IDToken.Flaw {
  /// One word for the audit log.
  var word: String {
    switch self {
    case .unknownKey: "unknown_key"
    case .token(let error): "\(error)"
    case .issuer: "issuer"
    case .audience: "audience"
    case .authorizedParty: "authorized_party"
    case .nonce: "nonce"
    case .subject: "subject"
    case .age: "age"
    case .authTime: "auth_time"
    case .email: "email"
    }
  }
}

extension Refusal {
  /// The refusal for a provider's failure.
  init(_ failure: ProviderFailure) {
    let note = String(describing: failure)
    switch failure {
    case .unavailable(let seconds): self.init(.providerUnavailable, retryAfter: seconds ?? 5, note: note)
    case .refused(.invalidGrant): self.init(.providerTokenInvalid, note: note)
    case .refused, .garbage: self.init(.providerError, note: note)
    case .misconfigured: self.init(.providerError, note: note)
    }
  }
}
