package import GatehouseIdentity
package import GatehousePolicy
import GatehousePrimitives

/// The providers that are known by name, and what becomes of those that are not.
package enum IdentityProviders {
  /// One file each. A policy names others by their addresses.
  package static let all: [ProviderDescription] = [.google, .apple, .spotify, .github]

  /// The description of a policy's provider: a known one, a known one somewhere else (behind a gateway), or one that
  /// the policy describes.
  package static func describe(_ provider: Provider, among all: [ProviderDescription] = all) throws(ProviderFailure)
    -> ProviderDescription
  {
    let known = all.first { $0.name.utf8.elementsEqual(provider.name.utf8) }
    guard let endpoints = provider.endpoints else {
      guard let known else { throw .misconfigured("endpoints") }
      return known
    }
    var description = known ?? generic(provider.name, endpoints)
    // All addresses are the policy's: a mixture would send what belongs to one place to another.
    description.endpoints = endpoints
    // GUARD: destination: former addresses are the built-in one's
    description.formerly = []
    description.hosts = hosts(of: endpoints)
    if known != nil, let issuer = endpoints.issuer { description.issuers = [issuer] }
    description.sendsAuthTime = description.isOpenIDConnect && provider.requireAuthTime
    if description.isOpenIDConnect {
      guard endpoints.issuer != nil else { throw .misconfigured("endpoints.issuer") }
    } else {
      guard endpoints.authorization != nil else { throw .misconfigured("endpoints.authorization") }
      guard endpoints.token != nil else { throw .misconfigured("endpoints.token") }
      guard endpoints.userinfo != nil else { throw .misconfigured("endpoints.userinfo") }
    }
    return description
  }

  /// With an issuer OpenID Connect, else OAuth 2.0 with `userinfo`.
  private static func generic(_ name: String, _ endpoints: Provider.Endpoints) -> ProviderDescription {
    if let issuer = endpoints.issuer { return .openIDConnect(name, issuer: issuer) }
    // Without a name of its own it is called by where people are sent; an address there never changes who is who.
    let origin = endpoints.authorization.flatMap { try? OutboundURL($0) }.map { "https://\($0.authority)" } ?? name
    return .oauth2(name, issuer: origin)
  }

  private static func hosts(of endpoints: Provider.Endpoints) -> [String] {
    let addresses = [
      endpoints.issuer, endpoints.authorization, endpoints.token, endpoints.userinfo, endpoints.jwks,
      endpoints.revocation,
    ]
    var hosts: [String] = []
    for address in addresses.compactMap(\.self) {
      guard let url = try? OutboundURL(address, addresses: .everywhere), !hosts.contains(url.host) else { continue }
      hosts.append(url.host)
    }
    return hosts
  }
}
