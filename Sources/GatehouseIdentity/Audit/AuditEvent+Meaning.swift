import GatehousePolicyFile

extension AuditEvent {
  /// The event in words, for lists of events.
  package var meaning: String {
    switch self {
    case .userCreated: "an account was made"
    case .userUpdated: "fields of a profile changed"
    case .userDeleted: "an account was deleted"
    case .userRestored: "an operator brought a deleted account back"
    case .userErased: "what was kept of a deleted account was erased"
    case .userDisabled: "an account was disabled"
    case .userEnabled: "an account was enabled again"
    case .userUnlocked: "an operator lifted the delays caused by wrong passwords"
    case .signInSucceeded: "a sign-in"
    case .signInFailed: "a sign-in with a wrong password or for no account"
    case .signInBlocked: "a sign-in was refused without a look at the password: too many failures came before"
    case .secondProofRequired: "a first proof was right, and the sign-in waits for a second one"
    case .secondProofFailed: "a wrong code of a second factor"
    case .secondProofLocked: "so many wrong codes came that no authenticator app of the account proves anything more"
    case .factorsReset: "an operator removed all second factors of a user"
    case .factorAdded: "a second factor was added"
    case .factorRemoved: "a second factor was removed"
    case .recoveryCodesMade: "a new set of recovery codes was made"
    case .recoveryCodeUsed: "a recovery code was used"
    case .deviceRemembered: "sign-ins on a device ask for no second factor for a while"
    case .passkeyCounterFell: "the counter of a passkey did not rise: perhaps a copy of its authenticator exists"
    case .passkeyChanged: "a passkey can be synced between devices now, or is on one device alone now"
    case .reauthenticated: "a signed-in user proved again who they are"
    case .reauthenticationRequested: "a code for a fresh proof was mailed"
    case .signUpRefused: "a sign-up was refused"
    case .passwordChanged: "a password was changed"
    case .passwordReset: "a password was reset by mail"
    case .passwordResetRequested: "a mail to reset a password was asked for"
    case .emailVerified: "an address was proven"
    case .verificationSent: "a mail to prove an address was sent"
    case .emailChangeRequested: "a change of address was asked for"
    case .emailChanged: "an address was changed"
    case .emailChangeUndone: "a change of address was taken back"
    case .tokenReused: "a spent refresh token was sent again"
    case .tokenRefused: "a token that this tenant never made, or not for this"
    case .codeRefused: "a wrong code"
    case .forbidden: "a caller attempted an act that only others may do"
    case .privilegeChanged: "a user became an administrator of the tenant, or is no longer one"
    case .exceptionUsed: "a rule was waived because the policy names an exception"
    case .listMissing: "a rule asked for a list of passwords that the server does not have"
    case .userExported: "the data of a user was copied"
    case .pushTokensRead: "push tokens of devices were read"
    case .pushTokenRemoved: "a push token that the push service rejected was removed"
    case .sessionCreated: "a session began"
    case .sessionEnded: "a session was ended"
    case .sessionExpired: "a session ran out"
    case .sessionUsedAfterEnd: "a token of a session that is over"
    case .limitExceeded: "a limit was exceeded"
    case .budgetHalfUsed: "half of a limit of the whole tenant is used up"
    case .limitsCleared: "an operator let counters begin again"
    case .policyApplied: "a policy was applied; text_of names an older revision with the same text"
    case .valuesMoved: "stored values of a renamed field moved to its new name"
    case .valuesReturned: "values that a rename had moved went back to the former name"
    case .backfillOrdered: "an operator ordered fields of many users to be set"
    case .backfillUndone: "an operator ordered what was set to be put back"
    case .policyRolledBack: "an operator went back to an older revision, to"
    case .tenantCreated: "a tenant was made"
    case .tenantChanged: "a tenant, a host or a picture of it changed"
    case .tenantDeleted: "a tenant was deleted with its log (log of the installation)"
    case .keyRotated: "signing keys were rotated or retired, or a data key was wrapped anew"
    case .keysRewrapped: "data keys were wrapped by another key-encryption key (log of the installation)"
    case .floorChanged: "the floor of all tenants was applied or removed (log of the installation)"
    case .secretChanged: "a secret was set or removed"
    case .mailFailed: "a mail was given up"
    case .webhookCreated: "a webhook was made"
    case .mailRetried: "an operator had mails that wait sent now"
    case .mailDropped: "an operator dropped mails that waited"
    case .webhookChanged: "a webhook was changed"
    case .webhookDeleted: "a webhook was deleted"
    case .webhookDisabled: "a webhook that failed too long was disabled"
    case .adminTokenCreated: "an admin token was made"
    case .adminTokenRevoked: "an admin token was revoked"
    case .linked: "an account at a provider was linked"
    case .unlinked: "an account at a provider was unlinked"
    case .linkRefused: "a link to an account at a provider was refused"
    case .linkBroken: "a provider does not honour a grant any more"
    case .grantRevoked: "a grant was given back to its provider"
    case .accountReclaimed: "the owner of an unproven address arrived by a provider, and what others could use is gone"
    case .attestKeyRegistered: "a key of an attested copy of the app was registered"
    case .attestRefused: "an attestation or an assertion did not hold, or was missing"
    case .auditExported: "an operator took a copy of an audit log"
    case .databaseRestored: "the database was restored to an earlier moment, from"
    case .databaseMigrated: "a migration was applied (log of the installation)"
    case .auditCut: "old entries that an export holds were deleted"
    }
  }

  /// The event of this name. Refuses an unknown name with the nearest one and all names: no row can have it.
  package static func named(_ text: String) throws(UnknownAuditEvent) -> AuditEvent {
    guard let event = AuditEvent(rawValue: text) else { throw UnknownAuditEvent(text: text) }
    return event
  }
}

/// A name that no event has.
package struct UnknownAuditEvent: Error {
  private let text: String

  package init(text: String) { self.text = text }

  /// The nearest name and all of them, without the name itself, which may be long.
  package var told: String {
    let names = AuditEvent.allCases.map(\.rawValue)
    let meant = text.utf8.count <= 100 ? Suggestion.nearest(to: text, among: names) : nil
    return "is no event" + (meant.map { "; did you mean \"\($0)\"? The events are " } ?? "; the events are ")
      + names.sorted().joined(separator: ", ")
  }
}
