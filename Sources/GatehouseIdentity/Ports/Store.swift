/// The one store. Nothing is reached but through a tenant opened here: no query takes a tenant to remember, and what a
/// tenant's handle touches is that tenant's alone (row-level security holds below it).
package protocol Store: Sendable {
  /// The part of the store that is this tenant's.
  func open(_ tenant: TenantID) -> any TenantStore
}

/// Everything the business may ask of one tenant's rows.
///
/// Reads MUST see all that was committed before they began; none may be answered by a standby. Any call may throw a
/// `StoreError`.
package protocol TenantStore: UserStore, SessionStore, CodeStore, LimitStore, AuditStore, OutboxStore,
  SecretStore, KeyStore, DataKeyStore, PolicyStore, IdempotencyStore, DeviceStore, WebhookStore, AuditChainStore,
  DataExportStore, ProviderIdentityStore, TicketStore, GrantStore, AttestStore, RestoreStore, PictureStore,
  SealedItemStore, BackfillStore, FactorStore
{
  /// The only way to write: all of the changes, or none of them, in one transaction and one round trip.
  ///
  /// The demands of `authority` are checked first, behind the lock of the account it names. The argument MUST NOT get a
  /// default: each write says on whose authority it happens. Without changes nothing is asked. An answer that is kept
  /// settles its claim.
  ///
  /// Throws `StoreError.taken` when a value that must be unique is not, `StoreError.refused` when a change's condition
  /// or the authority does not hold any more, `StoreError.limited` when a reservation among them is exhausted.
  func commit(_ changes: [Change], as authority: Authority) async throws
}

/// Why the store did not do it. Nothing of a refused call has happened, but for `unknownOutcome`.
package enum StoreError: Error, Equatable, Sendable {
  /// Another account of the tenant has this address.
  case emailTaken
  /// Another account of the tenant has this value in a unique profile field.
  case fieldTaken(String)
  /// Something else that must be unique exists already.
  case exists
  /// The named condition of a change did not hold: another request was faster.
  case refused(Condition)
  /// A reservation within the changes is exhausted; ask again after this many seconds.
  case limited(name: String, retryAfter: Int)
  /// Too much is waiting already; nothing was begun.
  case overloaded
  /// The database cannot be reached; nothing was begun.
  case unavailable
  /// The connection went before the answer came: it may or may not have happened.
  case unknownOutcome
  /// The database has no room or no resources left, or its machine or operator refuses; nothing happened. `state` is
  /// the SQLSTATE.
  case impaired(state: String)

  /// Conditions that changes carry. Single use is one conditional statement, never a look before a leap.
  package enum Condition: String, Sendable, CaseIterable {
    case codeIsLive = "code_is_live"
    case sessionIsLive = "session_is_live"
    /// There is a ticket that the claim finds.
    case ticketIsLive = "ticket_is_live"
    /// There is a refresh token of this hash, and it was not exchanged.
    case refreshTokenIsUnspent = "refresh_token_is_unspent"
    /// Whether sessions of an account remain is as it was when the request looked.
    case sessionsAreAsSeen = "sessions_are_as_seen"
    /// The session's proofs are those that the request looked at.
    case proofsAreAsSeen = "proofs_are_as_seen"
    /// The facts that a request relied on before it wrote (a proof, a role) were changed by another one.
    case userIsUnchanged = "account_is_unchanged"
    case accountExists = "account_exists"
    case userIsEnabled = "account_is_enabled"
    case passwordIsUnchanged = "password_is_unchanged"
    case revisionIsCurrent = "revision_is_current"
    /// The floor that a policy was held to is the newest.
    case floorIsCurrent = "floor_is_current"
    case keyStateIsCurrent = "key_state_is_current"
    case claimIsHeld = "claim_is_held"
    case webhookExists = "webhook_exists"
    case claimExists = "claim_exists"
    case auditHeadIsCurrent = "audit_head_is_current"
    /// A stored cut of the audit log is recorded by a sealed row.
    case auditCutIsSealed = "audit_cut_is_sealed"
    case tokenIsLive = "token_is_live"
    case tenantIsDisabled = "tenant_is_disabled"
    /// The admin token that asks is neither revoked nor expired.
    case askingTokenIsLive = "asking_token_is_live"
    /// The admin token that asks includes scopes and tenants of the other one; without one the login is the schema
    /// owner's.
    case askingTokenReaches = "asking_token_reaches"
    /// No other account of the tenant is this person at the provider.
    case identityIsFree = "identity_is_free"
    case linkExists = "link_exists"
    case signInMethodRemains = "sign_in_method_remains"
    case addressIsUnproven = "address_is_unproven"
    case grantIsCurrent = "grant_is_current"
    /// This challenge was not used before.
    case attestChallengeIsFresh = "attest_challenge_is_fresh"
    case attestKeyIsNew = "attest_key_is_new"
    /// The counter of an assertion is greater than that of the one before, and its key is still there.
    case attestCounterRises = "attest_counter_rises"
    case factorExists = "factor_exists"
    /// The account has fewer factors of the kind than it may have.
    case factorHasRoom = "factor_has_room"
    /// Neither this code of a factor nor a newer one was taken.
    case factorIsUnused = "factor_is_unused"
    case idTokenIsUnused = "id_token_is_unused"
    /// The restore to this moment is not recorded yet.
    case restoreIsNews = "restore_is_news"
    /// The backfill is where it was read, and goes the same way.
    case backfillIsCurrent = "backfill_is_current"
  }
}
