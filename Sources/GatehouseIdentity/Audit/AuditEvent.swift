package import Foundation

/// An event, in the vocabulary of the OWASP logging cheat sheet where it has a word. Raw values are stored and never
/// change.
package enum AuditEvent: String, Sendable, CaseIterable {
  case userCreated = "user_created"
  case userUpdated = "user_updated"
  case userDeleted = "user_deleted"
  /// An operator brought a deleted account back.
  case userRestored = "user_restored"
  /// The time to bring a deleted account back was over, or an operator ended it.
  case userErased = "user_erased"
  case userDisabled = "user_disabled"
  case userEnabled = "user_enabled"
  /// An operator lifted the delays caused by wrong passwords.
  case userUnlocked = "user_unlocked"
  case signInSucceeded = "authn_login_success"
  case signInFailed = "authn_login_fail"
  /// Refused without a look at the password: too many failures came before.
  case signInBlocked = "authn_login_lock"
  /// A first proof was right, and the sign-in waits for a second one.
  case secondProofRequired = "authn_second_proof_required"
  /// A wrong code of a second factor.
  case secondProofFailed = "authn_mfa_fail"
  /// So many wrong codes came that no code of the account's authenticator apps is taken any more.
  case secondProofLocked = "authn_mfa_lock"
  /// An operator removed all second factors of a user.
  case factorsReset = "authn_mfa_reset"
  case factorAdded = "authn_factor_added"
  case factorRemoved = "authn_factor_removed"
  case recoveryCodesMade = "authn_recovery_codes"
  case recoveryCodeUsed = "authn_recovery_code_used"
  /// Sign-ins on a device ask for no second factor for a while.
  case deviceRemembered = "device_remembered"
  /// The counter of a passkey did not rise: perhaps a copy of its authenticator exists.
  case passkeyCounterFell = "passkey_counter"
  /// A passkey can be synced between devices now, or is on one device alone now.
  case passkeyChanged = "passkey_changed"
  case reauthenticated = "authn_reauthenticate"
  /// A code for a fresh proof was mailed.
  case reauthenticationRequested = "authn_reauthenticate_request"
  case signUpRefused = "sign_up_refused"
  case passwordChanged = "authn_password_change"
  case passwordReset = "authn_password_reset"
  case passwordResetRequested = "authn_password_reset_request"
  case emailVerified = "email_verified"
  case verificationSent = "email_verification_sent"
  case emailChangeRequested = "email_change_requested"
  case emailChanged = "email_changed"
  case emailChangeUndone = "email_change_undone"
  case tokenReused = "authn_token_reuse"
  /// A token that this tenant never made, or not for this.
  case tokenRefused = "authn_token_refused"
  /// Six digits that are not the ones that were mailed.
  case codeRefused = "authn_code_fail"
  /// A caller attempted what only others may do.
  case forbidden = "authz_fail"
  /// A user became an administrator of the tenant, or is no longer one.
  case privilegeChanged = "privilege_permissions_changed"
  /// A rule was waived for a user because the policy names an exception.
  case exceptionUsed = "policy_exception_used"
  /// A rule asked for a list of passwords that the server does not have.
  case listMissing = "password_list_missing"
  /// A person's data was copied, by themselves or by an operator.
  case userExported = "user_exported"
  /// An operator, or an app's backend, read the push tokens of people's devices.
  case pushTokensRead = "push_tokens_read"
  /// A push token that the push service rejected was removed.
  case pushTokenRemoved = "push_token_removed"
  case sessionCreated = "session_created"
  case sessionEnded = "session_ended"
  case sessionExpired = "session_expired"
  /// A token of a session that is over.
  case sessionUsedAfterEnd = "session_use_after_expire"
  case limitExceeded = "excess_rate_limit_exceeded"
  /// Half of a limit of the whole tenant is used up; told once in its window.
  case budgetHalfUsed = "excess_rate_limit_half"
  /// An operator let counters begin again.
  case limitsCleared = "limits_cleared"
  case policyApplied = "policy_applied"
  /// An operator went back to an older revision, `to`. A file with the text of one is `policy_applied`, with `text_of`.
  case policyRolledBack = "policy_rolled_back"
  /// Stored values of a renamed field moved to its new name.
  case valuesMoved = "values_moved"
  /// Values that a rename had moved went back to the former name.
  case valuesReturned = "values_returned"
  /// An operator ordered fields of many users to be set.
  case backfillOrdered = "backfill_ordered"
  /// An operator ordered what was set to be put back.
  case backfillUndone = "backfill_undone"
  case tenantCreated = "tenant_created"
  case tenantChanged = "tenant_changed"
  /// A tenant was deleted with its log: a row of the installation's.
  case tenantDeleted = "tenant_deleted"
  case keyRotated = "key_rotated"
  /// Data keys were wrapped by another key-encryption key: a row of the installation's log.
  case keysRewrapped = "keys_rewrapped"
  /// The floor of all tenants was applied or removed: a row of the installation's log.
  case floorChanged = "floor_changed"
  case secretChanged = "secret_changed"
  case mailFailed = "mail_failed"
  /// An operator made waiting mails due.
  case mailRetried = "mail_retried"
  /// An operator dropped waiting mails.
  case mailDropped = "mail_dropped"
  case webhookCreated = "webhook_created"
  case webhookChanged = "webhook_changed"
  case webhookDeleted = "webhook_deleted"
  case webhookDisabled = "webhook_disabled"
  case adminTokenCreated = "admin_token_created"
  case adminTokenRevoked = "admin_token_revoked"
  /// An account at a provider is this person's from now on.
  case linked = "provider_linked"
  case unlinked = "provider_unlinked"
  case linkRefused = "provider_link_refused"
  /// A provider does not honour a grant any more.
  case linkBroken = "provider_link_broken"
  /// A grant was given back to its provider.
  case grantRevoked = "provider_grant_revoked"
  /// The owner of an unproven address arrived by a provider: what others could use of the account is gone.
  case accountReclaimed = "account_reclaimed"
  /// A key of an attested copy of the app was registered.
  case attestKeyRegistered = "attest_key_registered"
  /// An attestation or an assertion did not hold, or a door demanded one and there was none.
  case attestRefused = "attest_refused"
  /// An operator took a copy of the audit log.
  case auditExported = "audit_exported"
  /// The database was restored to an earlier moment, `from`: what happened between that and this row is not known.
  case databaseRestored = "database_restored"
  /// The schema was brought up to a newer version: a row of the installation's log.
  case databaseMigrated = "database_migrated"
  /// An operator let old entries go that an export holds.
  case auditCut = "audit_cut"

  /// The outcome: `failure` for a refusal or a failed operation, `success` otherwise.
  package var outcome: String {
    switch self {
    case .signInFailed, .signInBlocked, .signUpRefused, .tokenReused, .limitExceeded, .mailFailed, .tokenRefused,
      .codeRefused, .forbidden, .sessionUsedAfterEnd, .webhookDisabled, .linkRefused, .linkBroken, .listMissing,
      .attestRefused, .budgetHalfUsed, .secondProofFailed, .secondProofLocked, .passkeyCounterFell:
      "failure"
    case .userCreated, .userUpdated, .userDeleted, .userRestored, .userErased, .userDisabled, .userEnabled,
      .userUnlocked, .limitsCleared,
      .signInSucceeded, .secondProofRequired, .reauthenticated, .reauthenticationRequested,
      .passwordChanged, .passwordReset, .passwordResetRequested, .emailVerified, .verificationSent,
      .emailChangeRequested, .emailChanged, .emailChangeUndone, .sessionCreated, .sessionEnded, .policyApplied,
      .tenantCreated, .tenantChanged, .keyRotated, .secretChanged, .auditExported, .privilegeChanged, .exceptionUsed,
      .userExported, .sessionExpired, .policyRolledBack, .webhookCreated, .webhookChanged, .webhookDeleted,
      .adminTokenCreated, .adminTokenRevoked, .linked, .unlinked, .accountReclaimed, .grantRevoked,
      .attestKeyRegistered, .pushTokensRead, .pushTokenRemoved, .databaseRestored, .auditCut,
      .tenantDeleted, .databaseMigrated, .keysRewrapped, .floorChanged, .mailRetried, .mailDropped,
      .valuesMoved, .valuesReturned, .backfillOrdered, .backfillUndone,
      .factorsReset, .factorAdded, .factorRemoved, .recoveryCodesMade, .recoveryCodeUsed, .deviceRemembered,
      .passkeyChanged:
      "success"
    }
  }
}

/// The actor of an event.
package enum Actor: Sendable, Equatable {
  /// An unknown actor: a request without a session.
  case anonymous
  /// The person the account belongs to.
  case user(UserID)
  /// A tenant's administrator, through the API.
  case administrator(UserID)
  /// An operator, through the command line; the name is the operating system's.
  case `operator`(String)
  /// The server itself, by a job of this name.
  case system(String)

  /// Stored and shown as `user:…`, `operator:root`.
  package var text: String {
    switch self {
    case .anonymous: "anonymous"
    case .user(let id): "user:\(id.text)"
    case .administrator(let id): "administrator:\(id.text)"
    case .operator(let name): "operator:\(name)"
    case .system(let job): "system:\(job)"
    }
  }
}

/// One row of the audit log. It names people by id only, holds no secret, and is never changed.
package struct AuditEntry: Sendable, Equatable {
  package var id: UUID
  /// When it was written. Of an entry that is to be written, the server's time, which is not stored: rows are dated by
  /// the database.
  package var at: Date
  package var event: AuditEvent
  /// The actor as `Actor.text`.
  package var actor: String
  /// The account that the event concerns.
  package var user: UserID?
  package var session: SessionID?
  package var requestID: String?
  /// The caller's address, as text.
  package var address: String?
  /// The policy revision that judged it.
  package var revision: Int?
  /// Further facts, such as `rule` or `reason`. Never a secret, and nothing that a person typed. Of a person's values
  /// only those of `ToldChanges`.
  package var details: [String: String]
  /// Its number in the chain; nil while it waits to be sealed.
  package var seq: Int64?

  package init(
    id: UUID, at: Date, event: AuditEvent, actor: String, user: UserID? = nil, session: SessionID? = nil,
    requestID: String? = nil, address: String? = nil, revision: Int? = nil, details: [String: String] = [:],
    seq: Int64? = nil
  ) {
    self.seq = seq
    self.id = id
    self.at = at
    self.event = event
    self.actor = actor
    self.user = user
    self.session = session
    self.requestID = requestID
    self.address = address
    self.revision = revision
    self.details = details
  }
}

/// A row of one of several logs.
package struct LoggedEntry: Sendable, Equatable {
  package var log: TenantID
  package var entry: AuditEntry

  package init(log: TenantID, entry: AuditEntry) {
    self.log = log
    self.entry = entry
  }
}
