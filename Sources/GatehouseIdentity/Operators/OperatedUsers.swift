// What operators do with people. The doors of the policy apply here as they do to every other caller; no operator reads
// or sets a password here.

import Foundation
package import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

package enum OperatedUsers {
  /// Makes an account without a password and mails its owner a way to choose one, where people have passwords at all.
  package static func create(
    email: String, profile: [String: FieldValue], _ call: Call, author: Author, _ services: Services
  ) async throws -> StoredUser {
    let judged = try judge(email: email, profile: profile, call, services)
    let user = StoredUser(
      id: UserID(services.clock.makeID()), email: judged.email, profile: judged.profile,
      createdAt: call.now, updatedAt: call.now, enteredBy: .adminCreate)
    let changes: [Change] =
      [
        .user(.insert(user, unique: UniqueValues.of(user.profile, call.policy))),
        .audit(author.entry(.userCreated, services, user: user.id)),
      ]
      + judged.exceptions.map {
        .audit(author.entry(.exceptionUsed, services, user: user.id, details: $0.details))
      }
      + (
        // GUARD: password door: mail to a made account
        call.policy.hasPassword ? try setPasswordMail(user, .setPassword, call, services) : [])
      + (try call.keeping(
        CreateUserOperation.Output(user, call.policy), status: CreateUserOperation.status,
        about: user.id))
    do {
      try await services.store.open(call.tenant.id).commit(changes, as: .operator)
    } catch let error as StoreError {
      throw UniqueValues.refusal(error, call) ?? Refusal(error)
    }
    return user
  }

  /// What would be stored, by door `admin_create`. Refuses `validation_failed` with every violation.
  @discardableResult
  package static func judge(email: String, profile: [String: FieldValue], _ call: Call, _ services: Services) throws
    -> (email: String, profile: [String: FieldValue], exceptions: [PolicyException])
  {
    let facts = Facts(email: email, profile: profile, writer: .admin)
    let decision = call.policy.decide(.adminCreate, facts, at: call.now, using: services.facts)
    guard
      decision.allow,  // GUARD: door: made by an operator
      let canonical = decision.normalised.email
    else {
      throw Refusal(.validationFailed, violations: decision.violations)
    }
    return (canonical, decision.normalised.profile, decision.exceptions)
  }

  /// The account with this address or id; throws `OperatorError` when there is none.
  package static func find(_ text: String, _ call: Call, _ services: Services) async throws -> StoredUser {
    let store = services.store.open(call.tenant.id)
    if let id = UserID(text: text), let found = try await store.user(id: id) { return found }
    if let email = call.policy.normalisedEmail(text, using: services.facts),
      let found = try await store.user(email: email)
    {
      return found.user
    }
    throw OperatorError(
      .notFound, "\(call.tenant.name) has no user \"\(text)\"", hint: "gatehouse user list \(call.tenant.name)")
  }

  /// Sets profile fields, those that only administrators write included.
  package static func set(
    _ fields: [String: FieldValue], of user: StoredUser, _ call: Call, author: Author, _ services: Services
  ) async throws -> StoredUser {
    try await UpdateProfile.run(
      fields, of: user, at: .adminUpdate, writer: .admin, actor: author.actor, as: .operator, call, services)
  }

  package static func setDisabled(
    _ user: StoredUser, _ disabled: Bool, _ call: Call, author: Author, _ services: Services
  ) async throws {
    _ = try await DisableUser.run(user, disabled, actor: author.actor, as: .operator, call, services)
  }

  /// Ends what wrong passwords led to: delays and a disabled password, on every device.
  package static func unlock(_ user: StoredUser, _ call: Call, author: Author, _ services: Services) async throws {
    try await services.store.open(call.tenant.id).commit(
      [
        .limit(.unlock(SignInKey(call.tenant, user.email))),
        .audit(author.entry(.userUnlocked, services, user: user.id)),
      ], as: .operator)
  }

  /// Removes the account and all that belongs to it, and mails so to a proven address.
  package static func delete(_ user: StoredUser, _ call: Call, author: Author, _ services: Services) async throws {
    try await remove(user, mailing: Mailing.deleted(user, call, services), call, author, services)
  }

  /// The same without a mail: who demands to be forgotten gets none.
  package static func erase(_ user: StoredUser, _ call: Call, author: Author, _ services: Services) async throws {
    try await remove(user, mailing: [], call, author, services)
  }

  private static func remove(
    _ user: StoredUser, mailing notice: [Change], _ call: Call, _ author: Author, _ services: Services
  ) async throws {
    try await services.store.open(call.tenant.id).commit(
      [
        .limit(.clearFailures(SignInKey(call.tenant, user.email))), .user(.delete(user.id)),
        .audit(author.entry(.userDeleted, services, user: user.id)),
      ] + notice, as: .operator)
  }

  /// Ends one session, or all of them.
  package static func revoke(
    _ session: SessionID?, of user: StoredUser, _ call: Call, author: Author, _ services: Services
  ) async throws {
    let store = services.store.open(call.tenant.id)
    if let session, try await !store.sessions(of: user.id).contains(where: { $0.id == session }) {
      throw OperatorError(
        .notFound, "\(user.email) has no session \(session.text)",
        hint: "gatehouse user sessions \(call.tenant.name) \(user.email)")
    }
    let end: [Change] =
      if let session {
        [.device(.forget(of: session)), .session(.end(session, .revoked))]
      } else {
        [.device(.forgetAll(user.id, except: nil)), .session(.endAll(user.id, except: nil, .revoked))]
      }
    let last = LastSession(of: user, call, services) { link in
      author.entry(.unlinked, services, user: user.id, details: ["provider": link.provider])
    }
    try await last.end(
      { session == nil || $0.id == session },
      end + [.audit(author.entry(.sessionEnded, services, user: user.id))], as: .operator)
  }

  package static func verifyEmail(_ user: StoredUser, _ call: Call, author: Author, _ services: Services) async throws {
    try await services.store.open(call.tenant.id).commit(
      [
        .user(.verifyEmail(user.id, email: user.email)),
        .audit(author.entry(.emailVerified, services, user: user.id)),
      ], as: .operator)
  }

  /// Mails a way to set a new password. Throws `OperatorError` where the policy closes the password door.
  package static func sendReset(_ user: StoredUser, _ call: Call, author: Author, _ services: Services) async throws {
    // GUARD: password door: an operator's reset
    guard call.policy.hasPassword else {
      throw OperatorError(
        .refused, "nobody at \(call.tenant.name) has a password: \(call.policy.passwordClosure)",
        hint: "gatehouse policy show \(call.tenant.name)")
    }
    try await services.store.open(call.tenant.id).commit(
      try setPasswordMail(user, .resetPassword, call, services)
        + [.audit(author.entry(.passwordResetRequested, services, user: user.id))], as: .operator)
  }

  private static func setPasswordMail(_ user: StoredUser, _ mail: MailKind, _ call: Call, _ services: Services) throws
    -> [Change]
  {
    let ttl = mail == .setPassword ? call.policy.verification.email.linkTTL : PasswordReset.linkTTL(call.policy)
    var request = CodeRequest(.resetPassword, mail, to: user.email, user: user.id, linkTTL: ttl)
    request.linkOnly = true
    request.isLimited = false
    return try Mailing.code(request, call, services).changes
  }
}

extension CreateUserOperation.Output {
  /// What is answered about a new account.
  init(_ user: StoredUser, _ policy: Policy) {
    self.init(id: user.id.text, email: user.email, mailed: policy.hasPassword)
  }
}
