/// The events that an endpoint can receive. The raw value is the message's type and never changes. A new
/// event is one row: its audit event is its cause, and the code that writes that row writes the deliveries, in the same
/// transaction.
package enum WebhookEvent: String, Sendable, CaseIterable {
  case userCreated = "user.created"
  case userVerified = "user.verified"
  case userSignedIn = "user.signed_in"
  case userDisabled = "user.disabled"
  case userDeleted = "user.deleted"
  /// A deleted account is back.
  case userRestored = "user.restored"
  /// A deleted account can not come back any more.
  case userErased = "user.erased"
  /// A provider does not honour what the person allowed there any more: they have to link it again.
  case userLinkBroken = "user.link_broken"
  case userFactorAdded = "user.factor_added"
  case userFactorRemoved = "user.factor_removed"
  case policyApplied = "policy.applied"

  /// The audit event that it follows.
  package var cause: AuditEvent {
    switch self {
    case .userCreated: .userCreated
    case .userVerified: .emailVerified
    case .userSignedIn: .signInSucceeded
    case .userDisabled: .userDisabled
    case .userDeleted: .userDeleted
    case .userRestored: .userRestored
    case .userErased: .userErased
    case .userLinkBroken: .linkBroken
    case .userFactorAdded: .factorAdded
    case .userFactorRemoved: .factorRemoved
    case .policyApplied: .policyApplied
    }
  }

  /// The webhook event that follows an audit event, if any.
  package init?(cause: AuditEvent) {
    guard let event = WebhookEvent.allCases.first(where: { $0.cause == cause }) else { return nil }
    self = event
  }
}
