// The verification of a password: a permit to hash, a count of the attempt, the look-up of the stored hash, and the
// comparison. The steps and their costs are the same for every feature, and for an account that does not exist.

import Foundation
import GatehousePrimitives
import GatehouseWire

/// A password of a request, and the account that it is compared with.
struct PasswordVerification {
  let password: String
  let owner: Owner

  /// The account of the password. It decides with which failures an attempt counts.
  enum Owner {
    /// The account at an address, where there is one: a sign-in. An attempt counts with those of all clients that try
    /// this address. On the device with this hash, if the account knows it, it counts with those of that device alone,
    /// so that strangers lock no owner out of an account.
    case address(String, device: [UInt8]?)
    /// The account of a session. An attempt counts with those on the session's device, while that is known.
    case caller(SignedIn)
    /// An account that was found before, or none under this key.
    case account(StoredUser?, under: SignInKey)
    /// The account that a pending sign-up becomes, and the hash of its password; nil where it has a passkey.
    case signUp(StoredUser, phc: String?)
  }

  /// The password and its account, where it is the right one. Refuses `invalid_credentials` for a wrong password and
  /// for an account that does not exist, `too_many_attempts` with the wait.
  func verified(_ call: Call, _ services: Services) async throws -> VerifiedPassword {
    let permit = try await services.passwords.permit(for: call.tenant.id)
    let (look, attempt) = try await begin(call, services)
    let count = VerifiedPassword.Count(key: attempt.key, limits: Counted(attempt.limits, by: services.clock.now))
    return try await compare(look, in: permit, count, under: attempt, call, services)
  }

  /// The same with what is stored now, under the count of `earlier`: another request may set another password, or hash
  /// this one anew, between the look-up and the commit.
  func again(_ earlier: VerifiedPassword, _ call: Call, _ services: Services) async throws -> VerifiedPassword {
    let permit = try await services.passwords.permit(for: call.tenant.id)
    let look = try await look(call, services)
    return try await compare(look, in: permit, earlier.count, under: nil, call, services)
  }

  /// The audit row of a failure. `user`: the account, where there is one already.
  static func noteFailure(
    _ reason: String, of user: UserID?, in session: SessionID? = nil, _ call: Call, _ services: Services
  ) async throws {
    try await services.store.open(call.tenant.id).commit(
      [call.bounded(.signInFailed, services, user: user, session: session, details: details(reason))], as: .anonymous)
  }

  private static func details(_ reason: String) -> [String: String] {
    ["reason": reason, "method": Proof.Method.password.reference]
  }

  // MARK: Count and look-up

  /// Counts an attempt and looks the account up. The count comes first, or in the same statement.
  private func begin(_ call: Call, _ services: Services) async throws -> (SignInLookup?, SignInAttempt) {
    let store = services.store.open(call.tenant.id)
    switch owner {
    case .address(let email, let device):
      let shared = attempt(under: SignInKey(call.tenant, email), call)
      let (look, verdict) = try await within(shared.limits, call, services) {
        try await store.beginSignIn(shared, email: email, device: device)
      }
      let counted = (look?.device?.hash).map(shared.on) ?? shared
      try await demandGranted(verdict, counted.key, look?.user.id, call, services)
      return (look, counted)
    case .caller(let me):
      let device = try await store.deviceHash(of: me.session)
      let shared = attempt(under: SignInKey(call.tenant, of: me.user), call)
      return try await reserved(device.map(shared.on) ?? shared, of: me.user.id, call, services)
    case .account(let user, let key):
      return try await reserved(attempt(under: key, call), of: user?.id, call, services)
    case .signUp(let user, _):
      return try await reserved(attempt(under: SignInKey(call.tenant, of: user), call), of: nil, call, services)
    }
  }

  private func look(_ call: Call, _ services: Services) async throws -> SignInLookup? {
    let store = services.store.open(call.tenant.id)
    switch owner {
    case .address(let email, let device): return try await store.signInLook(email: email, device: device)
    case .caller(let me): return SignInLookup(me.user, try await store.passwordHash(of: me.user.id))
    case .account(let user, _):
      // Without an account the statement is the same.
      let hash = try await store.passwordHash(of: user?.id ?? UserID(.random()))
      return user.map { SignInLookup($0, hash) }
    case .signUp(let user, let phc): return SignInLookup(user, phc)
    }
  }

  private func attempt(under key: SignInKey, _ call: Call) -> SignInAttempt {
    SignInAttempt(key, within: Limiting.signIn(key, call))
  }

  /// Counts an attempt against the policy's limits and the failures before it, in one step, or refuses.
  private func reserved(
    _ attempt: SignInAttempt, of user: UserID?, _ call: Call, _ services: Services
  ) async throws -> (SignInLookup?, SignInAttempt) {
    let verdict = try await within(attempt.limits, call, services) {
      try await services.store.open(call.tenant.id).reserveSignIn(attempt)
    }
    try await demandGranted(verdict, attempt.key, user, call, services)
    return (try await look(call, services), attempt)
  }

  /// An exhausted limit is noted and refused.
  private func within<Value>(
    _ limits: [Reservation], _ call: Call, _ services: Services, _ count: () async throws -> Value
  ) async throws -> Value {
    do {
      return try await count()
    } catch StoreError.limited(let name, let seconds) {
      await Limiting.noteExhausted(name, of: limits, call, services)
      throw Refusal(.tooManyAttempts, retryAfter: seconds, limit: name)
    }
  }

  private func demandGranted(
    _ verdict: SignInVerdict, _ key: SignInKey, _ user: UserID?, _ call: Call, _ services: Services
  ) async throws {
    let (retryAfter, reason, limit): (Int, String, String)
    switch verdict {
    case .granted: return
    case .blocked(let seconds): (retryAfter, reason, limit) = (seconds, "too_soon", Limiting.backOff)
    case .disabled: (retryAfter, reason, limit) = (86_400, "max_failures", Limiting.disabledPassword)
    }
    await call.note(
      .signInBlocked, about: "\(reason) \(key.text)", services, user: user,
      details: PasswordVerification.details(reason))
    throw Refusal(.tooManyAttempts, retryAfter: retryAfter, limit: limit)
  }

  // MARK: Comparison

  /// The account, where the password is its own. Without an account the same work is done and the same answer given.
  private func compare(
    _ look: SignInLookup?, in permit: consuming HashPermit, _ count: VerifiedPassword.Count,
    under attempt: SignInAttempt?, _ call: Call, _ services: Services
  ) async throws -> VerifiedPassword {
    // GUARD: password: the right one
    let verdict = try await verdict(on: look?.passwordHash, in: permit, under: attempt, call, services)
    // GUARD: enumeration: disabled is said to the right password alone
    guard case .matches(let needsRehash) = verdict, let look, let hash = look.passwordHash else {
      try await PasswordVerification.noteFailure(reason, of: audited(look), in: session, call, services)
      throw Refusal(.invalidCredentials)
    }
    return VerifiedPassword(look: look, hash: hash, count: count, password: password, needsRehash: needsRehash)
  }

  /// Compares the password under an attempt that was counted for it. The attempt is returned if nothing was compared,
  /// and if the server fails after a right password. Nil: a comparison was made under the same attempt before.
  private func verdict(
    on stored: String?, in permit: consuming HashPermit, under attempt: SignInAttempt?, _ call: Call,
    _ services: Services
  ) async throws -> PasswordVerdict {
    do {
      let verdict = try await services.passwords.verify(password, against: stored, in: permit)
      // GUARD: attempt given back: of a right password only
      guard case .matches = verdict else {
        call.tries.forget()
        return verdict
      }
      if let attempt { call.tries.note(.attempt(attempt)) }
      return verdict
    } catch {
      do {
        if let attempt { try await services.store.open(call.tenant.id).returnSignIn(attempt) }
      } catch {
        if let attempt { services.returns.note(.attempt(attempt), of: call.tenant.id, at: services.clock.now) }
      }
      throw error
    }
  }

  /// The reason of a failure, as the audit log has it.
  private var reason: String {
    switch owner {
    case .address: "credentials"
    case .caller: "reauthentication"
    case .account, .signUp: "confirmation"
    }
  }

  private var session: SessionID? { if case .caller(let me) = owner { me.session.id } else { nil } }

  /// The account that a failure is noted of; a pending sign-up has none yet.
  private func audited(_ look: SignInLookup?) -> UserID? { if case .signUp = owner { nil } else { look?.user.id } }
}

/// A password that was right.
struct VerifiedPassword {
  /// The account, with what was looked up beside its password.
  let look: SignInLookup
  /// The stored hash that the password matched. A session begins only while it is stored.
  let hash: String
  fileprivate let count: Count
  fileprivate let password: String
  fileprivate let needsRehash: Bool

  /// The count of the attempt: of these failures, against these limits.
  fileprivate struct Count {
    let key: SignInKey
    let limits: Counted
  }

  /// The writes that return what this attempt counted, no other attempt's, and clear the failures before it. They
  /// belong behind the account's lock, as those of a new password do; limits before failures, in the order in which an
  /// attempt counts.
  var returned: [Change] { [.limit(.giveBack(count.limits)), .limit(.clearFailures(count.key))] }

  /// The write that replaces a stored hash of another cost than that of today by a new one of the same password. It
  /// belongs behind the account's lock, and does nothing once another hash is stored.
  func upgrade(_ call: Call, _ services: Services) async -> [Change] {
    guard needsRehash else { return [] }
    // Where there is no room for another hash, the next right password makes it.
    let made = try? await services.passwords.hash(password, in: services.passwords.permit(for: call.tenant.id))
    return made.map { [.user(.upgradePassword(look.user.id, old: hash, phc: $0))] } ?? []
  }
}

extension SignInLookup {
  /// An account that was found by another look-up.
  fileprivate init(_ user: StoredUser, _ hash: String?) {
    self.init(user: user, passwordHash: hash, compliance: nil, device: nil)
  }
}
