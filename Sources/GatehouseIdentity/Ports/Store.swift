package import Foundation
package import GatehousePolicy

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
package protocol TenantStore: AccountStore, SessionStore, CodeStore, LimitStore, AuditStore, OutboxStore,
  SecretStore, KeyStore, DataKeyStore, PolicyStore, IdempotencyStore, DeviceStore, WebhookStore, AuditChainStore,
  PersonStore, ProviderIdentityStore, GrantStore, AttestStore
{
  /// The only way to write: all of the changes, or none of them, in one transaction and one round trip.
  ///
  /// What `authority` demands is asked first, behind the lock of the account it names. The argument MUST NOT get a default: each
  /// write says on whose authority it happens. Without changes nothing is asked.
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
  /// The named condition of a change did not hold: somebody was faster.
  case refused(Condition)
  /// A reservation within the changes is exhausted; ask again after this many seconds.
  case limited(name: String, retryAfter: Int)
  /// Too much is waiting already; nothing was begun.
  case overloaded
  /// The database cannot be reached; nothing was begun.
  case unavailable
  /// The connection went before the answer came: it may or may not have happened.
  case unknownOutcome

  /// Conditions that changes carry. Single use is one conditional statement, never a look before a leap.
  package enum Condition: String, Sendable, CaseIterable {
    case codeIsLive = "code_is_live"
    case sessionIsLive = "session_is_live"
    /// There is a refresh token of this hash, and it was not exchanged.
    case refreshTokenIsUnspent = "refresh_token_is_unspent"
    /// Whether sessions of an account remain is as it was when the request looked.
    case sessionsAreAsSeen = "sessions_are_as_seen"
    /// What a request looked at before it wrote (a proof, a role) was changed by another one.
    case accountIsUnchanged = "account_is_unchanged"
    case accountExists = "account_exists"
    case accountIsEnabled = "account_is_enabled"
    case passwordIsUnchanged = "password_is_unchanged"
    case revisionIsCurrent = "revision_is_current"
    case keyStateIsCurrent = "key_state_is_current"
    case claimIsHeld = "claim_is_held"
    case webhookExists = "webhook_exists"
    case claimExists = "claim_exists"
    case auditHeadIsCurrent = "audit_head_is_current"
    case tokenIsLive = "token_is_live"
    case tenantIsDisabled = "tenant_is_disabled"
    /// The admin token that asks is neither revoked nor expired.
    case askingTokenIsLive = "asking_token_is_live"
    /// The admin token that asks includes scopes and tenants of the other one; without one the login is the schema owner's.
    case askingTokenReaches = "asking_token_reaches"
    /// Nobody else of the tenant is this person at the provider.
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
    case idTokenIsUnused = "id_token_is_unused"
  }
}

/// One write. A list of them is one transaction.
package enum Change: Sendable {
  // Accounts
  /// A new account with its unique values. `fieldTaken`; `emailTaken`, also where another account left the address and may come back.
  case insertAccount(Account, unique: [UniqueValue])
  /// Sets these fields with their unique values and leaves the others as they are at that moment; `.null` removes one.
  /// `fieldTaken`, `refused(.accountExists)`.
  case updateProfile(AccountID, [String: FieldValue], unique: [UniqueValue])
  /// Sets the password's hash and when it changed; nothing has to be changed any more. Of the hashes before it so many are kept, the
  /// newest; nil: it is the first one of a new account.
  case setPassword(AccountID, phc: String, remembering: Int? = nil)
  /// Replaces a password's hash by one of another cost of the same password, if it still is `old`. It is no change of the password:
  /// the account's epoch, sessions and codes stay.
  case upgradePassword(AccountID, old: String, phc: String)
  /// Moves the account to this address, whose mail was shown to be read. `emailTaken`, also where another account left it and may
  /// come back.
  case setEmail(AccountID, email: String)
  /// The address is proven, if it still is this one: `refused(.accountExists)` otherwise.
  case verifyEmail(AccountID, email: String)
  /// Mail of the account's address was shown to be read, now.
  case noteMailProof(AccountID)
  case setDisabled(AccountID, Bool)
  /// Whether a sign-in found that the password has to be changed. `setPassword` takes it back.
  case setMustChangePassword(AccountID, Bool)
  /// What a sign-in found: whether the password meets the rules of this digest (`Compliance.rules`). One bit an account.
  case recordCompliance(AccountID, Compliance)
  /// Removes the account and all that belongs to it: codes to its address, mails that wait. Its audit rows stay, without
  /// addresses, requests and details. (`clearFailures` goes beside it: the store can not find the account's counter.)
  case deleteAccount(AccountID)
  /// The person is there now, online or not; nil: as before. A session that says so is seen with it.
  case setPresence(AccountID, online: Bool?, by: SessionID? = nil)

  // Sessions
  /// A new session, its first refresh token; the oldest sessions beyond `keeping` end as `replaced`. The person is online.
  /// `refused(.accountIsEnabled)` when the account went or was disabled meanwhile. `on`: the known device that was used again.
  /// `under`: the hash of the password that was right; `refused(.passwordIsUnchanged)` when it is another by now.
  case insertSession(Session, refresh: RefreshToken, keeping: Int, on: KnownDevice? = nil, under: String? = nil)
  /// A fresh proof for a session. `refused(.sessionIsLive)`.
  case reauthenticate(SessionID, Proofs)
  /// A refresh token's exchange, as that of `SessionStore.rotate`. `refused(.refreshTokenIsUnspent)`, `refused(.sessionIsLive)`.
  case rotate(Rotation)
  case endSession(SessionID, SessionEnd)
  case endSessions(AccountID, except: SessionID?, SessionEnd)
  /// Whether sessions of the account live that these rules do not end, once the changes before it are made:
  /// `refused(.sessionsAreAsSeen)` when it is the other way round. It follows a change that locks the account's row.
  case requireSessions(AccountID, remain: Bool, under: Sessions)
  case setPushToken(SessionID, PushToken?)

  // Devices
  /// A device that was not known; the account's oldest beyond `KnownDevice.perAccount` go.
  case insertDevice(KnownDevice)
  /// The account's devices are new ones when they come again, but for that of a session.
  case forgetDevices(AccountID, except: SessionID?)
  /// The device of this session is a new one when it comes again.
  case forgetDevice(of: SessionID)

  // Attested apps
  /// Uses a challenge, once: `refused(.attestChallengeIsFresh)`.
  case useAttestChallenge(AttestMark)
  /// `refused(.attestKeyIsNew)` when there is one of this name.
  case insertAttestKey(AttestKey)
  /// An assertion with this counter: `refused(.attestCounterRises)` unless it is greater than the one before.
  case useAttestKey([UInt8], counter: UInt32)
  /// The account that opens a session with it, in place of one before.
  case bindAttestKey([UInt8], AccountID)

  // Providers
  /// The account's identity at its provider, in the place of another one there: `refused(.identityIsFree)` when
  /// it is somebody else's. What hangs on an identity that goes (grants) goes with it.
  case link(ProviderIdentity)
  case unlink(AccountID, UnlinkScope)
  /// What became of a link; without scopes they stay what they are. `refused(.linkExists)` when there is none.
  case setLink(AccountID, provider: String, AccountLink.State, scopes: [String]?)
  /// The account can sign in by one of these: by `password` with one that is stored, by a provider with an exclusive identity
  /// there. `refused(.signInMethodRemains)` otherwise.
  case requireSignInMethod(AccountID, among: [String])
  /// What was added to the account after this moment goes: password, identities, devices.
  case removeAdditions(AccountID, since: Date)
  /// The true owner of an address arrived that nobody had proven: the account is theirs, and its password and identities go.
  /// (Sessions, devices and codes are ended beside it.) `refused(.addressIsUnproven)` when it is another address by
  /// now, or proven.
  case reclaim(AccountID, email: String)
  case beginFlow(ProviderFlow)
  /// An ID token is taken: `refused(.idTokenIsUnused)` when it was before, and one of the two uses is single.
  case useIDToken(IDTokenUse)
  /// What a provider gave for an identity that is linked; it takes the place of an older grant of the same person there.
  case keepGrant(StoredGrant)
  /// The next version, over the one before it: `refused(.grantIsCurrent)` when that is not there any more. Who was
  /// refreshing it is done.
  case renewGrant(StoredGrant)
  /// A grant that the provider does not honour any more, and that is not given back therefore: `refused(.grantIsCurrent)` when
  /// it is another version by now.
  case forgetGrant(AccountID, provider: String, version: Int64)
  /// Grants at these providers go; they are given back where that is possible. Of those in `unlinking` the link goes, too.
  case dropGrants(AccountID, providers: [String], unlinking: [String])
  /// A grant that was never kept is to be given back.
  case orderRevocation(StoredGrant)

  // Codes
  /// A new code; older ones of the same purpose and account (or destination, where there is no account) are void. Ways back to an
  /// address that was left are never void by it, and of the sign-ups that wait at one address the newest `OneTimeCode.waitingSignUps` live.
  case insertCode(OneTimeCode)
  /// Uses a code, once: `refused(.codeIsLive)` when it is used, void or expired by the database's clock.
  case useCode(UUID, byToken: Bool)
  /// Makes all outstanding codes of these purposes void.
  case voidCodes(AccountID, [CodePurpose])
  /// Makes the ways back void that were made at or after this one.
  case voidUndos(AccountID, from: UUID, Date)
  /// Makes the sign-ups void that wait at this address.
  case voidSignUps(destination: String)

  // Limits
  /// Counts one against each limit, or throws `limited` and counts nothing.
  case reserve([Reservation])
  /// Takes one from the count of each limit, in the window that counted it.
  case giveBack(Counted)
  /// A right password: the account's failed sign-ins count from zero again.
  case clearFailures(SignInKey)
  /// All that wrong passwords of an account led to ends: delays, the disabled password, and what counts against the policy's limit.
  case unlock(SignInKey)
  /// A new password: so do those on each of the person's devices.
  case clearAllFailures(SignInKey)

  // Answers
  /// Keeps the sealed answer of this transaction's effect under its key. `refused(.claimIsHeld)` when another attempt took the key.
  case keepAnswer(IdempotencyClaim, sealed: [UInt8], account: AccountID?)

  // Webhooks
  case insertWebhook(WebhookEndpoint)
  /// With everything that waits for it. `refused(.webhookExists)`, as the next two.
  case deleteWebhook(UUID)
  /// A new secret; the present one signs beside it until then.
  case rotateWebhookSecret(UUID, sealed: [UInt8], previousUntil: Date)
  /// Switches an endpoint off, and gives up what waits for it; without a reason, on again.
  case setWebhookDisabled(UUID, reason: String?)

  // Trails and mail
  /// With the messages to the webhooks that want to hear of it.
  case audit(AuditEntry)
  case enqueue(OutgoingMail)
  /// Counts the mail against its limit; beyond it, the mail is one whose time has passed.
  case notify(OutgoingMail, NoticeLimit)
}
