import Foundation
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// An effect of a sign-in that needs every proof that is asked for. It is data: while a sign-in waits for another
/// proof, it is kept sealed, and its conditions are judged at the end.
enum SignInEffect: Codable, Sendable {
  /// The identity becomes the account's, by its proven address. The notice says so.
  case link(identity: FederatedIdentity, notice: MessageKind)
  /// The provider gave new tokens for an identity that is the account's under this name of a provider.
  case grant(identity: FederatedIdentity, linkedAs: String)

  /// The account as it is after the effect.
  func applied(to user: StoredUser, at now: Date) -> StoredUser {
    guard case .link(let identity, _) = self else { return user }
    var after = user
    after.links.append(identity.stored(of: user.id, at: now).link)
    return after
  }

  /// The writes for an account that is as `applied` has it. Refuses `account_exists` where the policy joins no
  /// addresses, `validation_failed` where its door `link` does not open, `not_found` where it has no such provider.
  func changes(for user: StoredUser, _ call: Call, _ services: Services) throws -> [Change] {
    switch self {
    case .grant(let identity, let name):
      return [.provider(.setLink(user.id, provider: name, .linked, scopes: identity.scopes))]
        + (try identity.keeping(of: user.id, call, services))
    case .link(let identity, let notice):
      let provider = try call.policy.signInProvider(identity.provider)
      // GUARD: second proof: the policy still joins addresses
      guard identity.joins(at: provider) else { throw Refusal(.accountExists) }
      let facts = identity.user.facts(provider, scopes: identity.scopes, call.policy)
      let decision = call.policy.decide(
        .link, Facts(provider: facts, stored: user.facts), at: call.now, using: services.facts)
      // GUARD: door: link by address
      guard decision.allow else { throw Refusal(.validationFailed, violations: decision.violations) }
      return [.provider(.link(identity.stored(of: user.id, at: call.now)))]
        + (try identity.keeping(of: user.id, call, services))
        + call.exceptionsUsed(decision, services, actor: .user(user.id), user: user.id) + [
          .audit(
            call.entry(
              .linked, services, actor: .user(user.id), user: user.id,
              details: identity.details(["reason": "email"])))
        ] + (try Messaging.link(notice, at: provider.name, to: user, call, services))
    }
  }
}

/// An identity for which a provider vouches, and what the provider gave for it.
struct FederatedIdentity: Codable, Sendable {
  /// The provider's name in the policy.
  var provider: String
  var user: ProviderUser
  /// The access that the provider grants.
  var scopes: [String]
  var kept: ProviderExchange.Kept?

  func stored(of id: UserID, at now: Date) -> ProviderIdentity {
    ProviderIdentity(
      user: id, provider: provider, issuer: user.issuer, subject: user.subject, isExclusive: true,
      link: LinkedIdentity(provider: provider, scopes: scopes, linkedAt: now))
  }

  /// Whether the account at the user's address may become theirs.
  func joins(at provider: Provider) -> Bool {
    provider.existingEmail == .linkIfBothVerified  // GUARD: arrival: the policy joins addresses
      && user.emailVerified  // GUARD: arrival: the provider proved the address
  }

  /// The writes that keep the provider's tokens; they follow the identity's link.
  func keeping(of id: UserID, _ call: Call, _ services: Services) throws -> [Change] {
    try ProviderExchange.keeping(kept, of: id, at: call.policy.signInProvider(provider), call, services)
  }

  /// The details of an audit row about it.
  func details(_ more: [String: String] = [:]) -> [String: String] {
    more.merging(["method": Proof.Method.provider.reference, "provider": provider]) { own, _ in own }
  }
}
