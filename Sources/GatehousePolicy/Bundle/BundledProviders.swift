extension BundleKeys {
  /// The part of a provider that forms and judgements ask for. Ids, secrets, addresses and tokens stay at the server.
  static let providers = BundleTable<ProviderDraft>([
    .text("name", \.name, required: true),
    .word("use", \.use),
    .texts("scopes", \.scopes),
    BundleKey(
      name: "require_scopes",
      write: { provider in
        switch provider.requireScopes {
        case .none: .string("none")
        case .all: .string("all")
        case .these(let scopes): .strings(scopes)
        }
      },
      read: { value, provider in
        switch value.json {
        case .string("none"): provider.requireScopes = .none
        case .string("all"): provider.requireScopes = .all
        case .array: provider.requireScopes = .these(try value.list.map { try $0.text })
        default: throw value.refusal("all, none or a list of scopes")
        }
      }),
    .flag("require_auth_time", \.requireAuthTime),
    .word("existing_email", \.existingEmail),
    .flag("one_account_per_user", \.oneAccountPerUser),
  ])
}

/// A provider before it is made.
struct ProviderDraft: Sendable {
  var name = ""
  var use = Provider.Use.signIn
  var scopes: [String] = []
  var requireScopes = Provider.RequireScopes.none
  var requireAuthTime = false
  var existingEmail = Provider.ExistingEmail.refuse
  var oneAccountPerUser = false
}

extension ProviderDraft {
  init(_ provider: Provider) {
    self.init(
      name: provider.name, use: provider.use, scopes: provider.scopes, requireScopes: provider.requireScopes,
      requireAuthTime: provider.requireAuthTime, existingEmail: provider.existingEmail,
      oneAccountPerUser: provider.oneAccountPerUser)
  }

  var provider: Provider {
    Provider(
      name: name, use: use, scopes: scopes, requireScopes: requireScopes, requireAuthTime: requireAuthTime,
      existingEmail: existingEmail, oneAccountPerUser: oneAccountPerUser)
  }
}
