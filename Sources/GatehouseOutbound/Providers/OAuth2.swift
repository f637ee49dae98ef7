import GatehouseIdentity
import GatehousePolicy

extension ProviderDescription {
  /// Any OAuth 2.0 server with an address that tells who holds a token, in the words of OpenID Connect (`sub`, `email`,
  /// …).
  static func oauth2(_ name: String, issuer: String) -> ProviderDescription {
    ProviderDescription(
      name: name, base: .oauth2(UserInfoShape()), issuers: [issuer], endpoints: Provider.Endpoints(), hosts: [],
      clientSecret: .basic, revocation: .standard)
  }
}
