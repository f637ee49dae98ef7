import Foundation
package import GatehousePolicy
import GatehousePrimitives

extension StoredGrant {
  /// The version of a new grant: random, so that a server that refreshes an older grant does not take this one for its
  /// next version.
  static func firstVersion() -> Int64 {
    SecureRandom.bytes(7).reduce(1) { $0 << 8 | Int64($1) }
  }

  /// Names a person at a provider, so that it can be told whether two grants are one person's.
  static func hash(_ user: ProviderUser) -> [UInt8] {
    SHA256.digest(Array(user.issuer.utf8) + [0] + Array(user.subject.utf8))
  }

  /// The same grant with these tokens, sealed for its account, provider and version, and for where they may go.
  package func holding(_ tokens: GrantedTokens, to destination: Destination, in vault: Vault) throws -> StoredGrant {
    var writer = JSONWriter(capacity: 1024)
    writer.beginObject()
    writer.key("access_token")
    tokens.accessToken.expose { writer.string($0) }
    if let refresh = tokens.refreshToken {
      writer.key("refresh_token")
      refresh.expose { writer.string($0) }
    }
    writer.endObject()
    var grant = self
    grant.sealedTokens = try vault.seal(
      writer.bytes, for: .bound(.grant(user, provider: provider, version: version), to: destination))
    return grant
  }

  /// Its tokens. Throws `SealedElsewhere` for those of a provider at other addresses, and `CryptoError.notAuthentic`
  /// for a row that was made for another tenant, account, provider or version.
  package func tokens(at known: Provider, in tenant: TenantSnapshot, _ services: Services) async throws
    -> GrantedTokens
  {
    try await GrantedTokens(
      sealedTokens, .grant(user, provider: provider, version: version), at: known, in: tenant, services)
  }
}

extension GrantedTokens {
  /// Opens the text sealed for this place, as `TenantSnapshot.open` does.
  init(
    _ sealed: [UInt8], _ item: Vault.ProviderItem, at provider: Provider, in tenant: TenantSnapshot,
    _ services: Services
  ) async throws {
    self = try await tenant.open(sealed, item, at: provider, services).expose { bytes in
      let object = try JSONParser.parse(bytes)
      guard let access = object["access_token"]?.string else { throw CryptoError.notAuthentic }
      return GrantedTokens(
        accessToken: Secret(access), refreshToken: object["refresh_token"]?.string.map { Secret($0) })
    }
  }
}
