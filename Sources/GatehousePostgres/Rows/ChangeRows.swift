import Foundation
import GatehouseIdentity
import GatehousePolicy

extension Change {
  /// The statements of a commit. Its audit rows go together, behind all else; but a deletion finds, and makes nameless, what
  /// stands before it.
  static func statements(of changes: [Change]) -> [SQL] {
    var statements: [SQL] = []
    var trail: [AuditEntry] = []
    for change in changes {
      switch change {
      case .audit(let entry): trail.append(entry)
      case .deleteAccount:
        statements += AuditRows.trail(trail) + change.statements
        trail = []
      default: statements += change.statements
      }
    }
    return statements + AuditRows.trail(trail)
  }

  /// The statements of one change. The switch has no default: a case that it does not name does not compile. The tenant is
  /// nowhere in them: rows take it from the segment, and row-level security adds it to every condition.
  var statements: [SQL] {
    switch self {
    case .insertAccount(let account, let unique):
      AccountRows.insert(account) + unique.map { AccountRows.claim($0, for: account.id) }
    case .updateProfile(let id, let profile, let unique): AccountRows.updateProfile(id, profile, unique)
    case .setPassword(let id, let phc, let remembering): AccountRows.setPassword(id, phc, remembering: remembering)
    case .upgradePassword(let id, let old, let phc):
      [
        """
        UPDATE credential SET phc = \(phc) WHERE account_id = \(id.uuid)
        AND /* GUARD: hash: made anew while the old one is stored */ phc = \(old)
        """
      ]
    case .setEmail(let id, let email): AccountRows.setEmail(id, email)
    case .noteMailProof(let id): ["UPDATE account SET mail_proven_at = gatehouse.now() WHERE id = \(id.uuid)"]
    case .removeAdditions(let id, let moment): AccountRows.removeAdditions(id, since: moment)
    case .verifyEmail(let id, let email):
      [
        .requiring(
          .accountExists,
          """
          UPDATE account SET email_verified_at = coalesce(email_verified_at, gatehouse.now()),
            updated_at = gatehouse.now()
          WHERE id = \(id.uuid) AND email = \(email) RETURNING 1
          """)
      ]
    case .setDisabled(let id, let disabled):
      [
        .requiring(
          .accountExists,
          """
          UPDATE account SET disabled_at = CASE WHEN \(disabled) THEN coalesce(disabled_at, gatehouse.now()) END,
            updated_at = gatehouse.now() WHERE id = \(id.uuid) RETURNING 1
          """)
      ]
    case .setMustChangePassword(let id, let must):
      ["UPDATE account SET must_change_password = \(must) WHERE id = \(id.uuid)"]
    case .recordCompliance(let id, let compliance): [AccountRows.record(compliance, of: id)]
    case .deleteAccount(let id): [AccountRows.delete(id)]
    case .setPresence(let account, let online, let session): SessionRows.setPresence(account, online, by: session)
    case .insertSession(let session, let refresh, let keeping, let device, let password):
      SessionRows.insert(session, refresh, keeping: keeping, on: device, under: password)
    case .reauthenticate(let id, let proofs): [SessionRows.reauthenticate(id, proofs)]
    case .rotate(let rotation): [SessionRows.rotateAmongOthers(rotation)]
    case .endSession(let id, let why): SessionRows.end(id, why)
    case .endSessions(let account, let session, let why): SessionRows.endAll(of: account, except: session, why)
    case .requireSessions(let account, let remain, let rules):
      [SessionRows.require(account, remain: remain, under: rules)]
    case .setPushToken(let id, let token): [SessionRows.setPushToken(id, token)]
    case .insertDevice(let device): DeviceRows.insert(device)
    case .forgetDevices(let account, let session): [DeviceRows.forget(of: account, except: session)]
    case .forgetDevice(let session): [DeviceRows.forget(of: session)]
    case .insertCode(let code): CodeRows.insert(code)
    case .useCode(let id, let byToken): [CodeRows.use(id, byToken: byToken)]
    case .voidCodes(let id, let purposes): [CodeRows.void(id, purposes)]
    case .voidUndos(let account, let id, let moment): [CodeRows.voidUndos(account, from: id, moment)]
    case .voidSignUps(let destination): [CodeRows.voidSignUps(destination)]
    case .reserve(let reservations): LimitRows.reserve(reservations)
    case .giveBack(let counted): LimitRows.giveBack(counted)
    case .clearFailures(let key):
      ["DELETE FROM sign_in_guard WHERE /* GUARD: guessing: a success clears its own counter */ key = \(key.bytes)"]
    case .unlock(let key):
      // Counters before the guard, as those take them that count.
      ["UPDATE limit_counter SET count = 0 WHERE name = 'sign_in_per_account' AND starts_with(key, \(key.text))"]
        + Change.clearAllFailures(key).statements
    case .clearAllFailures(let key):
      [
        """
        DELETE FROM sign_in_guard WHERE key >= \(key.bytes)
          AND key <= \(key.bytes + [UInt8](repeating: 0xFF, count: 17))
        """
      ]
    case .keepAnswer(let claim, let sealed, let account):
      [IdempotencyRows.keep(claim, sealed: sealed, account: account)]
    case .useAttestChallenge(let mark): [AttestRows.use(mark)]
    case .insertAttestKey(let key): [AttestRows.insert(key)]
    case .useAttestKey(let id, let counter): [AttestRows.use(id, counter: counter)]
    case .bindAttestKey(let id, let account): [AttestRows.bind(id, to: account)]
    case .keepGrant(let grant): GrantRows.keep(grant)
    case .renewGrant(let grant): [GrantRows.renew(grant)]
    case .forgetGrant(let account, let provider, let version): GrantRows.forget(account, provider, version)
    case .dropGrants(let account, let providers, let unlinking):
      GrantRows.drop(account, at: providers, unlinking: unlinking)
    case .orderRevocation(let grant): [GrantRows.order(grant)]
    case .link(let identity): ProviderRows.link(identity)
    case .unlink(let account, let scope): ProviderRows.unlink(account, scope)
    case .setLink(let account, let provider, let state, let scopes):
      [ProviderRows.setLink(account, provider, state, scopes: scopes)]
    case .requireSignInMethod(let account, let methods): [ProviderRows.requireSignInMethod(account, methods)]
    case .reclaim(let account, let email): ProviderRows.reclaim(account, email)
    case .beginFlow(let flow): [ProviderRows.begin(flow)]
    case .useIDToken(let use): [ProviderRows.take(use)]
    case .insertWebhook(let endpoint): [WebhookRows.insert(endpoint)]
    case .deleteWebhook(let id): [WebhookRows.delete(id)]
    case .rotateWebhookSecret(let id, let sealed, let until):
      [WebhookRows.rotateSecret(id, sealed: sealed, previousUntil: until)]
    case .setWebhookDisabled(let id, let reason): WebhookRows.setDisabled(id, reason)
    case .audit(let entry): AuditRows.trail([entry])
    case .enqueue(let mail): [OutboxRows.insert(mail)]
    case .notify(let mail, let limit): [OutboxRows.insert(mail, within: limit)]
    }
  }
}
