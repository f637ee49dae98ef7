// A fresh access token of a linked provider for the app. Everything it is made from stays here.

import Foundation
import GatehousePolicy
import GatehousePrimitives
package import GatehouseWire

package enum ProviderToken {
  /// Refuses `not_found` for a provider whose tokens the policy does not hand out, `provider_not_linked`,
  /// `provider_link_broken`, `access_limited` to callers without full access, `provider_unavailable` and
  /// `provider_error`.
  package static func run(_ input: ProviderTokenEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> ProviderTokenEndpoint.Output
  {
    try await call.naming(input.provider) { try await token(input, call, services) }
  }

  private static func token(_ input: ProviderTokenEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> ProviderTokenEndpoint.Output
  {
    let provider = try call.policy.linkProvider(input.provider)
    guard provider.handOut == .accessTokenOnly else { throw Refusal(.notFound) }
    let signedIn = try await call.signedIn(services)
    var user = signedIn.user
    guard let index = user.links.firstIndex(where: { $0.provider.utf8.elementsEqual(provider.name.utf8) }) else {
      throw Refusal(.providerNotLinked)
    }
    let link = user.links[index]
    guard link.state == .linked else { throw Refusal(.providerLinkBroken) }
    try demandFull(user, in: signedIn.session, call)
    let refresh = GrantRefresh(
      user: user, link: link, registration: try await call.tenant.registration(provider, services), call: call,
      actor: .user(user.id), session: signedIn.session.id, services: services)
    let fresh = try await refresh.run()
    if let scopes = fresh.scopes {
      user.links[index].scopes = scopes
      try demandFull(user, in: signedIn.session, call)
    }
    let seconds = fresh.expiresAt.map { Int(max(0, min($0.timeIntervalSince(services.clock.now), 31_536_000))) }
    return ProviderTokenEndpoint.Output(
      accessToken: fresh.accessToken.expose { $0 }, expiresIn: seconds, scopes: fresh.scopes ?? link.scopes)
  }

  private static func demandFull(_ user: StoredUser, in session: Session, _ call: Call) throws {
    let standing = call.policy.standing(of: user, in: session, at: call.now)
    guard standing.access == .full else { throw Refusal.accessLimited(standing, call) }
  }
}
