package import GatehousePolicy
package import GatehousePrimitives

/// Where what is kept for a provider may go: its issuer, and the origins of the addresses that are shown secrets and
/// tokens or whose keys say who a user is. Secrets and grants are sealed with it, so that under a policy that leads
/// elsewhere they do not open.
///
/// An endpoint that the policy leaves out is discovered at the provider's issuer. It counts as "as the issuer says":
/// the issuer is part of the digest, and discovery leads to hosts of the policy alone.
package struct Destination: Sendable, Hashable {
  package let digest: [UInt8]
  /// Digests of a built-in provider's addresses in earlier releases. A value that was sealed for them opens here as
  /// well.
  package let former: [[UInt8]]

  private init(digest: [UInt8], former: [[UInt8]] = []) {
    self.digest = digest
    self.former = former
  }

  package init(_ description: ProviderDescription) {
    let issuer = description.issuers.first ?? ""
    self.init(
      digest: Destination.digest(issuer, description.endpoints),
      former: description.formerly.map { Destination.digest($0.issuer ?? issuer, $0) })
  }

  /// Of a secret that no provider of the policy names yet. It opens for none of them.
  package static let unnamed = Destination(digest: [UInt8](repeating: 0, count: 32))

  /// This one, and each of the former ones.
  package var all: [Destination] { [self] + former.map { Destination(digest: $0) } }

  private static func digest(_ issuer: String, _ endpoints: Provider.Endpoints) -> [UInt8] {
    let origins = [endpoints.token, endpoints.revocation, endpoints.userinfo, endpoints.jwks].map {
      $0.map(origin) ?? ""
    }
    var message = Array("gatehouse destination 1".utf8)
    for part in [issuer] + origins {
      // Each part is preceded by its length: no two destinations give the same bytes.
      withUnsafeBytes(of: UInt64(part.utf8.count).bigEndian) { message += $0 }
      message += Array(part.utf8)
    }
    return SHA256.digest(message)
  }

  /// Scheme and authority in lower case, without the port that the scheme implies. An address that no request could use
  /// has an origin of its own.
  static func origin(_ address: String) -> String {
    guard let scheme = address.firstRange(of: "://") else { return address }
    let authority = address[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let origin = (address[..<scheme.upperBound] + authority).lowercased()
    for (scheme, port) in [("https://", ":443"), ("http://", ":80")]
    where origin.hasPrefix(scheme) && origin.hasSuffix(port) {
      return String(origin.dropLast(port.utf8.count))
    }
    return origin
  }
}

extension TenantSnapshot {
  /// Where a provider's secret and grants may go under this policy. Throws `misconfigured` for a provider that the
  /// policy does not describe well enough.
  package func destination(of provider: Provider, _ services: Services) throws(ProviderFailure) -> Destination {
    Destination(
      try services.providers.description(of: ProviderRegistration(tenant: id, provider: provider, secret: nil)))
  }

  /// Opens what is kept for a provider of the policy. Throws `SealedElsewhere` for what was sealed for another
  /// destination, and `CryptoError.notAuthentic` for anything that was not sealed for this very place.
  package func open(
    _ sealed: [UInt8], _ item: Vault.ProviderItem, at provider: Provider, _ services: Services
  ) async throws -> Secret<[UInt8]> {
    guard let destination = try? destination(of: provider, services) else { throw SealedElsewhere() }
    guard Vault.isBound(sealed) else {
      // GUARD: destination: an unbound item goes where the pinned revision leads
      guard try await Unbound.destinations(of: item, self, services).contains(destination) else {
        throw SealedElsewhere()
      }
      return try vault.open(sealed, for: .unbound(item))
    }
    guard destination.all.contains(where: { Vault.isBound(sealed, to: $0) }) else { throw SealedElsewhere() }
    return try vault.open(sealed, for: .bound(item, to: destination))
  }
}

/// It was sealed for a provider at other addresses than those that the policy names now.
package struct SealedElsewhere: Error {}
