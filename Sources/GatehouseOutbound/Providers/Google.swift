import GatehouseIdentity
import GatehousePolicy

extension ProviderDescription {
  /// Google (its OpenID Connect documentation, "Obtain ID tokens" and "Using OAuth 2.0 for web server applications").
  static let google = ProviderDescription(
    name: "google", base: .openIDConnect,
    // Its older libraries leave the scheme out.
    issuers: ["https://accounts.google.com", "accounts.google.com"],
    endpoints: Provider.Endpoints(
      issuer: "https://accounts.google.com", authorization: "https://accounts.google.com/o/oauth2/v2/auth",
      token: "https://oauth2.googleapis.com/token", userinfo: "https://openidconnect.googleapis.com/v1/userinfo",
      jwks: "https://www.googleapis.com/oauth2/v3/certs", revocation: "https://oauth2.googleapis.com/revoke"),
    hosts: ["accounts.google.com", "oauth2.googleapis.com", "openidconnect.googleapis.com", "www.googleapis.com"],
    clientSecret: .post, revocation: .standard, usualScopes: ["openid", "email", "profile"],
    offlineParameters: ["access_type": "offline", "prompt": "consent"])
}
