import GatehousePolicy
import GatehouseWire

/// Accounts as answers show them.
enum Views {
  /// The record, for the person or for an administrator: the fields that the policy names today and lets the viewer see, in its
  /// spelling.
  static func user(_ account: Account, _ seen: Sightings, _ call: Call, to viewer: Viewer) -> User {
    User(
      id: account.id.text, email: account.email, emailVerified: account.emailVerifiedAt != nil,
      disabled: account.disabledAt != nil, profile: profile(account, call.policy, to: viewer),
      presence: account.presence(seen, call.policy, at: call.now), links: account.links.map(link),
      createdAt: Timestamp(account.createdAt),
      updatedAt: Timestamp(account.updatedAt))
  }

  private static func link(_ link: AccountLink) -> Link {
    Link(
      provider: link.provider, scopes: link.scopes, linkedAt: Timestamp(link.linkedAt),
      isBroken: link.state == .broken ? true : nil)
  }

  /// What other users of the tenant may see.
  static func publicUser(_ account: Account, _ seen: Sightings, _ call: Call) -> PublicUser {
    // GUARD: presence: shown where the policy shows it
    let isShown = call.policy.presence.visibleTo == .users
    return PublicUser(
      id: account.id.text, profile: profile(account, call.policy, to: .user),
      presence: isShown ? account.presence(seen, call.policy, at: call.now) : nil)
  }

  private static func profile(_ account: Account, _ policy: Policy, to viewer: Viewer) -> Profile {
    var profile = Profile()
    for field in policy.profile.fields where field.isVisible(to: viewer) {
      profile[field.name] = account.profile[field.name] ?? field.defaultValue
    }
    return profile
  }
}
