import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// Accounts as answers show them.
enum Views {
  /// The record, for the person or for an administrator: the fields that the policy names today and lets the viewer
  /// see, in its spelling.
  static func user(_ user: StoredUser, _ seen: Sightings, _ call: Call, to viewer: Viewer) -> User {
    User(
      id: user.id.text, email: user.email.map(DomainName.shown(inAddress:)), emailVerified: user.emailVerifiedAt != nil,
      disabled: user.disabledAt != nil, profile: profile(user, call.policy, to: viewer),
      presence: user.presence(seen, call.policy, at: call.now), links: user.links.map(link),
      createdAt: Timestamp(user.createdAt),
      updatedAt: Timestamp(user.updatedAt))
  }

  private static func link(_ link: LinkedIdentity) -> Link {
    Link(
      provider: link.provider, scopes: link.scopes, linkedAt: Timestamp(link.linkedAt),
      isBroken: link.state == .broken ? true : nil)
  }

  /// The view for other users of the tenant.
  static func publicUser(_ user: StoredUser, _ seen: Sightings, _ call: Call) -> PublicUser {
    // GUARD: presence: shown where the policy shows it
    let isShown = call.policy.presence.visibleTo == .users
    return PublicUser(
      id: user.id.text, profile: profile(user, call.policy, to: .user),
      presence: isShown ? user.presence(seen, call.policy, at: call.now) : nil)
  }

  private static func profile(_ user: StoredUser, _ policy: Policy, to viewer: Viewer) -> Profile {
    var profile = Profile()
    for field in policy.profile.fields where field.isVisible(to: viewer) {
      profile[field.name] = user.profile[field.name] ?? field.defaultValue
    }
    return profile
  }
}
