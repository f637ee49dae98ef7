import Foundation
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

  /// The same grant with these tokens, sealed for its account, provider and version.
  package func holding(_ tokens: GrantedTokens, in vault: Vault) throws -> StoredGrant {
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
      writer.bytes, for: .providerGrant(user, provider: provider, version: version))
    return grant
  }

  /// Its tokens. Throws for a row that was made for another tenant, account, provider or version.
  package func tokens(in vault: Vault) throws -> GrantedTokens {
    try GrantedTokens(sealedTokens, of: user, at: provider, version: version, in: vault)
  }
}

extension GrantedTokens {
  /// Opens the text sealed for this place. Throws `CryptoError.notAuthentic` for any other.
  init(_ sealed: [UInt8], of user: UserID, at provider: String, version: Int64, in vault: Vault) throws {
    self = try vault.open(sealed, for: .providerGrant(user, provider: provider, version: version)).expose { bytes in
      let object = try JSONParser.parse(bytes)
      guard let access = object["access_token"]?.string else { throw CryptoError.notAuthentic }
      return GrantedTokens(
        accessToken: Secret(access), refreshToken: object["refresh_token"]?.string.map { Secret($0) })
    }
  }
}
