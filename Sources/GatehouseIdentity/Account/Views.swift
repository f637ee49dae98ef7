import GatehousePolicy
import GatehouseWire

/// Accounts as answers show them.
enum Views {
  /// The record, for the person or for an administrator: the fields that the policy names today and lets the viewer see, in its
  /// spelling.
  static func user(_ account: Account, _ policy: Policy, to viewer: Viewer) -> User {
    User(
      id: account.id.text, email: account.email, emailVerified: account.emailVerifiedAt != nil,
      disabled: account.disabledAt != nil, profile: profile(account, policy, to: viewer),
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
      id: account.id.text, profile: profile(account, policy, to: .user), presence: presence(account))
  }

  static func presence(_ account: Account) -> Presence {
    Presence(online: account.isOnline, lastSeen: account.lastSeen.map(Timestamp.init))
  }

  private static func profile(_ account: Account, _ policy: Policy, to viewer: Viewer) -> Profile {
    var profile = Profile()
    for field in policy.profile.fields where field.isVisible(to: viewer) {
      profile[field.name] = account.profile[field.name] ?? field.defaultValue
    }
    return profile
  }
}
