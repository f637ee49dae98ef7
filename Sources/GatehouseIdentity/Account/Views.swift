import GatehousePolicy
import GatehouseWire

/// Accounts as answers show them.
enum Views {
  /// The whole record, for the person and for administrators: the fields that the policy names today, in its spelling.
  static func user(_ account: Account, _ policy: Policy) -> User {
    User(
      id: account.id.text, email: account.email, emailVerified: account.emailVerifiedAt != nil,
      disabled: account.disabledAt != nil, profile: profile(account, policy) { _ in true },
      presence: presence(account), links: account.links.map(link), createdAt: Timestamp(account.createdAt),
      updatedAt: Timestamp(account.updatedAt))
  }

  private static func link(_ link: AccountLink) -> Link {
    Link(
      provider: link.provider, scopes: link.scopes, linkedAt: Timestamp(link.linkedAt),
      isBroken: link.state == .broken ? true : nil)
  }

  /// What other users of the tenant may see.
  static func publicUser(_ account: Account, _ policy: Policy) -> PublicUser {
    PublicUser(
      id: account.id.text, profile: profile(account, policy) { $0.visibleTo == .users }, presence: presence(account))
  }

  static func presence(_ account: Account) -> Presence {
    Presence(online: account.isOnline, lastSeen: account.lastSeen.map(Timestamp.init))
  }

  private static func profile(_ account: Account, _ policy: Policy, showing shows: (Field) -> Bool) -> Profile {
    var profile = Profile()
    for field in policy.profile.fields where shows(field) {
      profile[field.name] = account.profile[field.name] ?? field.defaultValue
    }
    return profile
  }
}
