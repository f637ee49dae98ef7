import GatehouseIdentity
import GatehousePolicy

extension ProviderDescription {
  /// Spotify (Web API: Authorization Code with PKCE). It rotates refresh tokens and has no way to give a grant back:
  /// people do that on its own pages.
  static let spotify = ProviderDescription(
    name: "spotify",
    // It never says whether an address was proven.
    base: .oauth2(UserInfoShape(subject: "id", emailVerified: nil, claims: ["name": "display_name"])),
    issuers: ["https://accounts.spotify.com"],
    endpoints: Provider.Endpoints(
      authorization: "https://accounts.spotify.com/authorize", token: "https://accounts.spotify.com/api/token",
      userinfo: "https://api.spotify.com/v1/me"),
    hosts: ["accounts.spotify.com", "api.spotify.com"], clientSecret: .basic,
    usualScopes: ["user-read-email", "user-read-private"])
}
