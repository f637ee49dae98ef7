import GatehousePolicy

/// The keys of one identity provider.
enum ProviderKeys {
  /// Providers the server knows by name; any other needs `endpoints`.
  static let known = ["password", "google", "apple", "spotify", "github"]

  /// Those of them that speak OpenID Connect: their `endpoints` can be discovered.
  static let openID = ["google", "apple"]

  static let provider = MapShape(
    "provider",
    [
      Key(
        "use", trust: true, .choice(Provider.Use.allCases.map(\.rawValue)), required: true,
        "To sign in, or to link to an account."),
      Key(
        "flow", trust: true, .choice(Provider.Flow.allCases.map(\.rawValue)), "How the person is sent there and back."),
      Key("audiences", trust: true, .list(.text(Forms.token), count: 1...20), "Accepted `aud` of ID tokens."),
      Key(
        "nonce", trust: true, .choice(Provider.Nonce.allCases.map(\.rawValue)),
        "Whether a request with an ID token names its nonce."),
      Key("client_id", trust: true, .text(Forms.token), "Our id at the provider."),
      Key("client_secret", trust: true, .secret, "Name of the stored secret, {secret: NAME}."),
      Key(
        "redirect_uris", trust: true, .list(.text(Forms.returnURL), count: 1...20),
        "Return addresses, compared byte by byte."),
      Key("scopes", trust: true, .list(.text(Forms.token), count: 0...100), "The scopes that are requested."),
      Key(
        "require_scopes", trust: true, .either([.choice(["all", "none"]), .list(.text(Forms.token), count: 1...100)]),
        "The scopes that must be granted."),
      Key(
        "require_auth_time", trust: true, .boolean,
        "Whether a fresh proof needs a new sign-in there, shown by the `auth_time` of the ID token."),
      Key(
        "existing_email", trust: true, .choice(Provider.ExistingEmail.allCases.map(\.rawValue)),
        "The treatment of an address that already has an account."),
      Key(
        "prompt_for", trust: false, .list(.text(Forms.fieldName), count: 1...20),
        "Profile fields asked for after the first sign-in."),
      Key("tokens", trust: true, .map(tokens), "The treatment of the provider's tokens."),
      Key("one_account_per_user", trust: true, .boolean, "A provider's account belongs to one person."),
      Key(
        "on_sign_out", trust: true, .choice(Provider.OnSignOut.allCases.map(\.rawValue)),
        "Whether the end of the last session drops the link."),
      Key("endpoints", trust: true, .map(endpoints), "Addresses of a provider the server does not know by name."),
    ])

  static let tokens = MapShape(
    "tokens",
    [
      Key("store", trust: true, .choice(Provider.TokenStore.allCases.map(\.rawValue)), "How they are kept."),
      Key(
        "hand_out", trust: true, .choice(Provider.HandOut.allCases.map(\.rawValue)), "The tokens that the app may have."
      ),
      Key("keep_warm", trust: true, .boolean, "Refreshed before they expire, even when no app asks for them."),
    ])

  static let endpoints = MapShape(
    "endpoints",
    ["issuer", "authorization", "token", "userinfo", "jwks", "revocation"].map {
      Key($0, trust: true, .text(address), "An https address.")
    })

  private static let address = TextForm(
    "an https address", code: .badURL, lengths: 8...512, accepts: { WrittenURL($0)?.isSecureWeb ?? false })
}
