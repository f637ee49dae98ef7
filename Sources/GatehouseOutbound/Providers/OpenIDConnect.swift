import GatehouseIdentity
import GatehousePolicy

extension ProviderDescription {
  /// Any OpenID provider (OpenID Connect Core; what is not written down is discovered).
  static func openIDConnect(_ name: String, issuer: String) -> ProviderDescription {
    ProviderDescription(
      name: name, base: .openIDConnect, issuers: [issuer], endpoints: Provider.Endpoints(issuer: issuer), hosts: [],
      clientSecret: .basic, revocation: .standard, usualScopes: ["openid", "email", "profile"])
  }
}
