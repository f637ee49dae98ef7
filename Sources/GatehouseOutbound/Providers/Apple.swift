import GatehouseIdentity
import GatehousePolicy

extension ProviderDescription {
  /// Apple (Sign in with Apple REST API). The person's name is told to the app, once, and never to a server.
  static let apple = ProviderDescription(
    name: "apple", base: .openIDConnect, issuers: ["https://appleid.apple.com"],
    endpoints: Provider.Endpoints(
      issuer: "https://appleid.apple.com", authorization: "https://appleid.apple.com/auth/authorize",
      token: "https://appleid.apple.com/auth/token", jwks: "https://appleid.apple.com/auth/keys",
      revocation: "https://appleid.apple.com/auth/revoke"),
    hosts: ["appleid.apple.com"], clientSecret: .appleJWT, revocation: .standard,
    // With a scope Apple sends people back by a POST from its own site, and in no other way.
    usualScopes: ["name", "email"], parameters: ["response_mode": "form_post"])
}
