import GatehousePolicy

/// The keys of one identity provider.
enum ProviderKeys {
  /// Providers the server knows by name; any other needs `endpoints`.
  static let known = ["password", "google", "apple", "spotify", "github"]

  /// Those of them that speak OpenID Connect: their `endpoints` can be discovered.
  static let openID = ["google", "apple"]

  static let provider = settings.shape

  static let settings = SettingTable<Provider>(
    "provider",
    [
      .choice("use", \.use, .unsure, trust: true, required: true, "To sign in, or to link to an account."),
      .choice("flow", \.flow, .unsure, trust: true, "How the person is sent there and back."),
      // No audiences means the client id alone.
      .texts(
        "audiences", \.audiences, Forms.token, count: 1...20, .fewerUnlessEmpty, trust: true,
        "Accepted `aud` of ID tokens."),
      .choice(
        "nonce", \.nonce, .order([Provider.Nonce.optional, .required]), trust: true,
        "Whether a request with an ID token names its nonce."),
      .text("client_id", \.clientID, Forms.token, .unsure, trust: true, "Our id at the provider."),
      Setting(
        Key("client_secret", trust: true, .unsure, .secret, "Name of the stored secret, {secret: NAME}."),
        read: { node, provider in provider.clientSecret = node["secret"]?.text },
        canonical: { .optional($0.clientSecret) }),
      .texts(
        "redirect_uris", \.redirectURIs, Forms.returnURL, count: 1...20, .fewerIsStricter, trust: true,
        "Return addresses, compared byte by byte."),
      .texts(
        "scopes", \.scopes, Forms.token, count: 0...100, .members, trust: true, "The scopes that are requested."),
      requireScopes,
      // It opens a way to a fresh proof, and holds the provider to more.
      .boolean(
        "require_auth_time", \.requireAuthTime, .unsure, trust: true,
        "Whether a fresh proof needs a new sign-in there, shown by the `auth_time` of the ID token."),
      .choice(
        "existing_email", \.existingEmail, .order([Provider.ExistingEmail.linkIfBothVerified, .refuse]), trust: true,
        "The treatment of an address that already has an account."),
      .texts(
        "prompt_for", \.promptFor, Forms.fieldName, count: 1...20, .members, trust: false,
        "Profile fields asked for after the first sign-in."),
      .map("tokens", trust: true, tokens, "The treatment of the provider's tokens."),
      .boolean(
        "one_account_per_user", \.oneAccountPerUser, .onIsStricter, trust: true,
        "A provider's account belongs to one person."),
      .choice(
        "on_sign_out", \.onSignOut, .order([Provider.OnSignOut.keep, .drop]), trust: true,
        "Whether the end of the last session drops the link."),
      endpoints,
    ])

  private static let tokens: [Setting<Provider>] = [
    .choice("store", \.tokenStore, .unsure, trust: true, "How they are kept."),
    .choice(
      "hand_out", \.handOut, .order([Provider.HandOut.accessTokenOnly, .none]), trust: true,
      "The tokens that the app may have."),
    .boolean(
      "keep_warm", \.keepWarm, .looks, trust: true, "Refreshed before they expire, even when no app asks for them."),
  ]

  /// The reader resolves the scopes (`PolicyReader.requireScopes`).
  private static let requireScopes = Setting<Provider>(
    Key(
      "require_scopes", trust: true, .moreMembersIsStricter,
      .either([.choice(["all", "none"]), .list(.text(Forms.token), count: 1...100)]),
      "The scopes that must be granted."),
    canonical: { .strings($0.missingScopes(granted: []).sorted()) },
    slips: { provider in
      func requiring(_ scopes: Provider.RequireScopes) -> Provider {
        var other = provider
        other.requireScopes = scopes
        return other
      }
      switch provider.requireScopes {
      case .none: return []
      case .all: return [("all → none", requiring(.none))]
      case .these(let scopes):
        return scopes.indices.map { index in
          var rest = scopes
          let scope = rest.remove(at: index)
          return ("without \(scope)", requiring(.these(rest)))
        }
      }
    })

  private static let endpoints = Setting<Provider>(
    Key(
      "endpoints", trust: true, .keys, .map(MapShape("endpoints", addresses.map(\.key))),
      "Addresses of a provider the server does not know by name."),
    members: addresses,
    read: { node, provider in
      provider.endpoints = Provider.Endpoints()
      for address in addresses { if let value = node[address.key.name] { address.read(value, &provider) } }
    },
    canonical: { $0.endpoints == nil ? .null : .object(addresses.canonical($0)) })

  private static let addresses: [Setting<Provider>] = Provider.Endpoints.places.map { name, place in
    Setting(
      Key(name, trust: true, .unsure, .text(address), "An https address."),
      read: { node, provider in provider.endpoints?[keyPath: place] = node.text },
      canonical: { .optional($0.endpoints?[keyPath: place]) })
  }

  private static let address = TextForm(
    "an https address", code: .badURL, lengths: 8...512, accepts: { WrittenURL($0)?.isSecureWeb ?? false })
}

extension Provider.Endpoints {
  /// Every address by its key.
  fileprivate static let places: [(name: String, place: any WritableKeyPath<Provider.Endpoints, String?> & Sendable)] =
    [
      ("issuer", \.issuer), ("authorization", \.authorization), ("token", \.token), ("userinfo", \.userinfo),
      ("jwks", \.jwks), ("revocation", \.revocation),
    ]

  /// Every address that there is, by its key.
  var byName: [(name: String, address: String)] {
    Self.places.compactMap { name, place in self[keyPath: place].map { (name, $0) } }
  }
}
