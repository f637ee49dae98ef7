import GatehouseIdentity
import GatehousePolicy

extension ProviderDescription {
  /// GitHub (Authorizing OAuth apps). Its `login` can pass to another user after a rename; its `id` never does.
  static let github = ProviderDescription(
    name: "github",
    // `/user` shows the address that the person made public, proven or not.
    base: .oauth2(UserInfoShape(subject: "id", emailVerified: nil, claims: ["name": "name", "picture": "avatar_url"])),
    issuers: ["https://github.com"],
    endpoints: Provider.Endpoints(
      authorization: "https://github.com/login/oauth/authorize", token: "https://github.com/login/oauth/access_token",
      userinfo: "https://api.github.com/user",
      revocation: "https://api.github.com/applications/{client_id}/grant"),
    hosts: ["github.com", "api.github.com"], clientSecret: .post, revocation: .github,
    scopeSeparator: ",", usualScopes: ["read:user"])
}
