import Foundation
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// Keeps one account's grant at one provider fresh. Of all servers one asks the provider; the others wait for what it
/// keeps.
struct GrantRefresh {
  /// The access token for a caller.
  struct Fresh {
    var accessToken: Secret<String>
    var expiresAt: Date?
    /// The scopes that the person allows by now, where the provider has just named others than before.
    var scopes: [String]?
    /// Seconds for which the provider is to be left alone, where that is why this is not a fresher one.
    var patience: Int?
  }

  /// Seconds before its end at which a token is replaced, so that the caller that gets one has time to use it.
  static let margin: TimeInterval = 60
  /// Seconds for which one server has the turn: longer than a request to a provider and the write after it take.
  private static let lease = 15
  /// How long others wait for it.
  private static let patience: Duration = .seconds(8)
  /// Seconds for which a provider is left alone that did not say for how long.
  private static let pause = 2
  private static let writes = 5

  let user: StoredUser
  let link: LinkedIdentity
  let registration: ProviderRegistration
  /// The caller, for the audit log and the language of mails.
  let call: Call
  let actor: Actor
  var session: SessionID?
  let services: Services

  private var provider: Provider { registration.provider }
  private var vault: Vault { call.tenant.vault }
  private var store: any TenantStore { services.store.open(call.tenant.id) }

  /// A token that is good for `margin` at least. Refuses `provider_not_linked` without a grant, `provider_link_broken`
  /// for one that the provider does not honour (any more), `provider_unavailable` with the seconds to wait,
  /// `provider_error`.
  func run(margin: TimeInterval = margin) async throws -> Fresh {
    let clock = ContinuousClock()
    let deadline = clock.now + Self.patience
    var nap = Duration.milliseconds(20)
    while true {
      guard let grant = try await store.grant(of: user.id, at: provider.name) else {
        throw Refusal(.providerNotLinked, note: "no grant is kept")
      }
      let tokens: GrantedTokens
      do { tokens = try await grant.tokens(at: provider, in: call.tenant, services) } catch is SealedElsewhere {
        throw try await elsewhere(grant)
      }
      let now = services.clock.now
      if isFresh(grant, margin, now) { return Fresh(accessToken: tokens.accessToken, expiresAt: grant.expiresAt) }
      guard let refresh = tokens.refreshToken else {
        if grant.isGood(at: now) { return Fresh(accessToken: tokens.accessToken, expiresAt: grant.expiresAt) }
        throw try await broken(grant, "no_refresh_token")
      }
      if let until = grant.pausedUntil, until > now {
        return try patient(grant, tokens, seconds: Int(until.timeIntervalSince(now).rounded(.up)), now)
      }
      if try await store.leaseGrant(grant, seconds: Self.lease) {
        // The refresh is completed even when its caller no longer waits: a token that rotated and was not kept is lost.
        if let fresh = try await Task(operation: { try await renew(grant, tokens, refresh) }).value { return fresh }
        continue  // It is another grant by now.
      }
      guard clock.now < deadline else { return try patient(grant, tokens, seconds: Self.pause, now) }
      try await Task.sleep(for: nap)
      nap = min(nap * 2, .milliseconds(320))
    }
  }

  private func isFresh(_ grant: StoredGrant, _ margin: TimeInterval, _ now: Date) -> Bool {
    guard let end = grant.expiresAt else { return true }
    return end.timeIntervalSince(now) > min(margin, end.timeIntervalSince(grant.keptAt) / 2)
  }

  /// The token that there is, as long as it is good at all.
  private func patient(_ grant: StoredGrant, _ tokens: GrantedTokens, seconds: Int, _ now: Date) throws -> Fresh {
    guard grant.isGood(at: now) else { throw Refusal(.providerUnavailable, retryAfter: max(1, seconds)) }
    return Fresh(accessToken: tokens.accessToken, expiresAt: grant.expiresAt, patience: seconds)
  }

  /// Nil when the grant is another one by now.
  private func renew(_ grant: StoredGrant, _ tokens: GrantedTokens, _ refresh: Secret<String>) async throws -> Fresh? {
    let given: ProviderGrant
    do throws(ProviderFailure) {
      given = try await services.providers.refresh(refresh, at: registration)
    } catch {
      switch error {
      case .refused(.invalidGrant): throw try await broken(grant, "invalid_grant")
      case .unavailable(let asked):
        let seconds = max(1, asked ?? Self.pause)
        try await store.pauseGrant(grant, seconds: seconds)
        return try patient(grant, tokens, seconds: seconds, services.clock.now)
      case .refused, .garbage, .misconfigured:
        try await store.pauseGrant(grant, seconds: Self.pause)
        throw Refusal(.providerError, note: error.description)
      }
    }
    let now = services.clock.now
    var next = grant
    next.version += 1
    next.keptAt = now
    next.expiresAt = given.expiresIn.map { now.addingTimeInterval(TimeInterval($0)) }
    let kept = GrantedTokens(
      accessToken: given.accessToken,
      refreshToken: given.refreshToken ?? refresh)  // GUARD: grant: rotated refresh token is kept
    // GUARD: grant: scopes withdrawn at a refresh
    let scopes = given.scopes.flatMap { Set($0) == Set(link.scopes) ? nil : $0 }
    let destination = try call.tenant.destination(of: provider, services)
    guard try await write(next.holding(kept, to: destination, in: vault), scopes) else { return nil }
    return Fresh(accessToken: given.accessToken, expiresAt: next.expiresAt, scopes: scopes)
  }

  /// Keeps what the provider gave before any caller gets it: with a lost refresh token the link would be lost. False
  /// when another grant has taken its place.
  private func write(_ grant: StoredGrant, _ scopes: [String]?) async throws -> Bool {
    var changes: [Change] = [.grant(.renew(grant))]
    if let scopes {
      changes.append(.provider(.setLink(user.id, provider: provider.name, .linked, scopes: scopes)))
      let isTooLittle = !provider.missingScopes(granted: scopes).isEmpty
      if isTooLittle, provider.missingScopes(granted: link.scopes).isEmpty {
        changes += try telling("scopes_withdrawn")
      }
    }
    var nap = Duration.milliseconds(100)
    for attempt in 1... {
      do {
        try await store.commit(changes, as: .job)
        return true
      } catch StoreError.refused(.grantIsCurrent) {
        // Also the second time of a write whose outcome was unknown.
        return try await store.grant(of: user.id, at: provider.name)?.sealedTokens == grant.sealedTokens
      } catch let error as StoreError where attempt < Self.writes && error.mayPass {
        try await Task.sleep(for: nap)
        nap *= 2
      }
    }
    return false
  }

  /// Marks the link, so that the policy counts it no more and the person is asked to link again.
  private func broken(_ grant: StoredGrant, _ reason: String) async throws -> Refusal {
    do {
      try await store.commit(
        [
          .grant(.forget(user.id, provider: provider.name, version: grant.version)),
          // GUARD: grant: a dead one breaks its link
          .provider(.setLink(user.id, provider: provider.name, .broken, scopes: nil)),
        ] + telling(reason), as: .job)
    } catch StoreError.refused(.grantIsCurrent), StoreError.refused(.linkExists) {
      // Another server renewed it, or the user linked again, while this one asked with an outdated grant: the newer
      // grant counts.
      return Refusal(.providerUnavailable, retryAfter: 1)
    }
    return Refusal(.providerLinkBroken)
  }

  /// Marks the link of a grant that was given for other addresses than the policy has now. The grant stays:
  /// `BindSealed` heals the link as soon as a policy leads there again.
  private func elsewhere(_ grant: StoredGrant) async throws -> Refusal {
    // Of several callers one tells the person.
    guard try await store.leaseGrant(grant, seconds: 1) else { return Refusal(.providerLinkBroken) }
    do {
      try await store.commit(
        [.provider(.setLink(user.id, provider: provider.name, .broken, scopes: nil))] + telling("sealed_elsewhere"),
        as: .job)
    } catch StoreError.refused(.linkExists) {
      return Refusal(.providerNotLinked)
    }
    return Refusal(.providerLinkBroken)
  }

  /// The changes that tell the audit log, the webhooks and the person of a link that does not work (any more).
  private func telling(_ reason: String) throws -> [Change] {
    let row = call.entry(
      .linkBroken, services, actor: actor, user: user.id, session: session,
      details: ["provider": provider.name, "reason": reason])
    return [.audit(row)]
      + (try Messaging.link(.providerLinkBroken, at: provider.name, to: user, call, services))
  }
}

extension StoredGrant {
  /// Whether a caller that gets its access token now can use it.
  fileprivate func isGood(at now: Date) -> Bool { expiresAt.map { $0.timeIntervalSince(now) >= 5 } ?? true }
}

extension StoreError {
  /// Whether the same write may succeed later.
  fileprivate var mayPass: Bool {
    switch self {
    case .unavailable, .unknownOutcome, .overloaded, .impaired: true
    default: false
    }
  }
}
