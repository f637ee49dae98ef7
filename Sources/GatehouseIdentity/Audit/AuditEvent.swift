package import Foundation

/// What happened, in the vocabulary of the OWASP logging cheat sheet where it has a word. Raw values are stored and
/// never change.
package enum AuditEvent: String, Sendable, CaseIterable {
  case userCreated = "user_created"
  case userUpdated = "user_updated"
  case userDeleted = "user_deleted"
  case userDisabled = "user_disabled"
  case userEnabled = "user_enabled"
  case signInSucceeded = "authn_login_success"
  case signInFailed = "authn_login_fail"
  case signInBlocked = "authn_login_lock"
  case reauthenticated = "authn_reauthenticate"
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
  case sessionCreated = "session_created"
  case sessionEnded = "session_ended"
  case limitExceeded = "excess_rate_limit_exceeded"
  case policyApplied = "policy_applied"
  case tenantCreated = "tenant_created"
  case tenantChanged = "tenant_changed"
  case keyRotated = "key_rotated"
  case secretChanged = "secret_changed"
  case mailFailed = "mail_failed"
  case webhookCreated = "webhook_created"
  case webhookChanged = "webhook_changed"
  case webhookDeleted = "webhook_deleted"
  case webhookDisabled = "webhook_disabled"
  case adminTokenCreated = "admin_token_created"
  case adminTokenRevoked = "admin_token_revoked"
}

/// Who did it.
package enum Actor: Sendable, Equatable {
  /// Nobody who is known: a request without a session.
  case anonymous
  /// The person the account belongs to.
  case user(AccountID)
  /// A tenant's administrator, through the API.
  case administrator(AccountID)
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

/// One row of the audit trail. It names people by id only, holds no secret, and is never changed.
package struct AuditEntry: Sendable, Equatable {
  package var id: UUID
  package var at: Date
  package var event: AuditEvent
  /// As `Actor.text`.
  package var actor: String
  /// Whom it concerns.
  package var account: AccountID?
  package var session: SessionID?
  package var requestID: String?
  /// The caller's address, as text.
  package var address: String?
  /// The policy revision that judged it.
  package var revision: Int?
  /// Further facts, such as `rule` or `reason`. Never a person's data, never a secret.
  package var details: [String: String]

  package init(
    id: UUID, at: Date, event: AuditEvent, actor: String, account: AccountID? = nil, session: SessionID? = nil,
    requestID: String? = nil, address: String? = nil, revision: Int? = nil, details: [String: String] = [:]
  ) {
    self.id = id
    self.at = at
    self.event = event
    self.actor = actor
    self.account = account
    self.session = session
    self.requestID = requestID
    self.address = address
    self.revision = revision
    self.details = details
  }
}
