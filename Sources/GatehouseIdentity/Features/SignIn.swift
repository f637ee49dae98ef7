// Sign-in with a password. An attempt is counted before it is verified; an unknown account costs the same work and gets
// the same answer as a wrong password.

import Foundation
import GatehousePolicy
import GatehousePrimitives
package import GatehouseWire

package enum SignIn {
  /// Refuses `invalid_credentials` for an unknown account and a wrong password alike, `too_many_attempts` with the
  /// wait, `account_disabled` to the right password only.
  package static func run(_ input: SignInEndpoint.Input, _ call: Call, _ services: Services) async throws
    -> SessionAnswer
  {
    try await open(input, call, services).forApp()
  }

  /// The same, for any client.
  package static func open(_ input: SignInEndpoint.Input, _ call: Call, _ services: Services) async throws -> Opened {
    // GUARD: password door: sign-in
    try call.policy.demandPassword()
    // Errors of the request are reported before the password is checked. Reported afterwards, they would confirm a
    // right password, without a trace of the sign-in.
    // GUARD: guessing: a request is judged before the password
    _ = try DeviceName.of(input.device, call)
    // An address that no account can have is counted and hashed like any other.
    let email = call.policy.normalisedEmail(input.email, using: services.facts) ?? input.email
    let permit = try await services.signInQueue.run(SignInKey(call.tenant, email)) {
      try await attempt(email, input, call, services)
    }
    if let permit { return permit }
    // An attempt behind too many others gets no turn and goes on without one. The count of attempts alone decides
    // whether a password may be verified.
    return try await attempt(email, input, call, services)
  }

  private static func attempt(_ email: String, _ input: SignInEndpoint.Input, _ call: Call, _ services: Services)
    async throws -> Opened
  {
    var permit: HashPermit? = try await services.passwords.permit(for: call.tenant.id)
    let store = services.store.open(call.tenant.id)
    let device = KnownDevice.hash(presented: input.device?.id)
    var (stored, counted, limits) = try await begin(email, device, call, services)
    let key = counted.key
    var attempt: SignInAttempt? = counted
    // Another request may set another password, or hash this one anew, between our look and our write: then look again.
    for _ in 0..<3 {
      let own = if let first = permit.take() { first } else { try await services.passwords.permit(for: call.tenant.id) }
      let proven = try await prove(input.password, stored, in: own, attempt, call, services)
      attempt = nil  // spent: a password was checked under it
      do {
        return try await open(proven, key, limits, input, call, services)
      } catch StoreError.refused(.passwordIsUnchanged) {
        stored = try await store.signInLook(email: email, device: device)
      }
    }
    throw Refusal(.conflict, note: "a password kept changing")
  }

  /// Looks the email address up and counts an attempt. It counts with the attempts of all clients that try this
  /// address; on a device that the account was signed in on before, it counts with those of that device alone, so that
  /// strangers lock no owner out of an account.
  private static func begin(
    _ email: String, _ device: [UInt8]?, _ call: Call, _ services: Services
  ) async throws -> (stored: SignInLookup?, attempt: SignInAttempt, counted: Counted) {
    let attempt = attempt(SignInKey(call.tenant, email), call)
    let (stored, verdict) = try await within(attempt.limits, call, services) {
      try await services.store.open(call.tenant.id).beginSignIn(attempt, email: email, device: device)
    }
    let counted = (stored?.device?.hash).map(attempt.on) ?? attempt
    try await demandGranted(verdict, counted.key, stored?.user.id, call, services)
    return (stored, counted, Counted(counted.limits, by: services.clock.now))
  }

  /// An account whose password was right, and the hash that said so.
  private struct Proven {
    let look: SignInLookup
    let hash: String
    let needsRehash: Bool
  }

  /// Checks the password. Without an account to check it against, the same work is done and the same answer given.
  private static func prove(
    _ password: String, _ stored: SignInLookup?, in permit: consuming HashPermit, _ attempt: SignInAttempt?,
    _ call: Call,
    _ services: Services
  ) async throws -> Proven {
    let verdict = try await verify(
      password, against: stored?.passwordHash, in: permit, under: attempt, call, services)
    // GUARD: enumeration: disabled is said to the right password alone
    guard case .matches(let needsRehash) = verdict, let stored, let hash = stored.passwordHash else {
      try await fail("credentials", stored?.user.id, call, services)
      throw Refusal(.invalidCredentials)
    }
    guard stored.user.disabledAt == nil else {
      try await fail("disabled", stored.user.id, call, services)
      throw Refusal(.accountDisabled)
    }
    return Proven(look: stored, hash: hash, needsRehash: needsRehash)
  }

  static func fail(_ reason: String, _ user: UserID?, _ call: Call, _ services: Services) async throws {
    try await services.store.open(call.tenant.id).commit(
      [call.bounded(.signInFailed, services, user: user, details: details(reason))], as: .anonymous)
  }

  private static func details(_ reason: String) -> [String: String] {
    ["reason": reason, "method": Proof.Method.password.reference]
  }

  /// Opens a session. `counted` is what this attempt counted: the right password gives it back, and no other attempt's.
  private static func open(
    _ proven: Proven, _ key: SignInKey, _ counted: Counted, _ input: SignInEndpoint.Input, _ call: Call,
    _ services: Services
  ) async throws -> Opened {
    let user = proven.look.user
    let facts = Facts(password: input.password, writer: .user, stored: user.facts)
    let decision = call.policy.decide(.signIn, facts, at: call.now, using: services.facts)
    let device = try PresentedDevice.recognise(input.device, in: proven.look, call, services)
    var found: [Change] = []
    let mustChange = decision.next.contains("change_password")
    if mustChange != user.mustChangePassword {
      found.append(.user(.setMustChangePassword(user.id, mustChange)))
    }
    if let compliance = Compliance(decision, by: call.policy, at: call.now), compliance != proven.look.compliance {
      found.append(.user(.recordCompliance(user.id, compliance)))
    }
    // Behind the account's lock, as a new password clears them. Counters before the guard, as those take them that
    // count.
    let counters: [Change] = [.limit(.giveBack(counted)), .limit(.clearFailures(key))]
    let upgrade = await PasswordUpgrade.changes(
      .matches(needsRehash: proven.needsRehash), input.password, of: user.id, replacing: proven.hash, call, services)
    let completion = Completion(
      proofs: Proofs(of: user.id, by: .password, call), user: user, decision: decision, device: device,
      arrival: .known(["method": Proof.Method.password.reference]), password: proven.hash, first: found,
      then: { _ in counters + upgrade })
    do {
      return try await completion.commit(call, services)
    } catch StoreError.refused(.userIsEnabled) {
      throw Refusal(.invalidCredentials)  // disabled or deleted while the password was checked
    }
  }

  /// Checks a password under an attempt that was counted for it. Is it not checked after all, the attempt is given
  /// back; and where it is right, a failure of the server behind this gives it back. `nil`: one was checked under the
  /// same attempt.
  static func verify(
    _ password: String, against stored: String?, in permit: consuming HashPermit, under attempt: SignInAttempt?,
    _ call: Call, _ services: Services
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

  /// Counts one attempt against the policy's limits and the failures before it, in one step, or refuses. Shared with
  /// everything else that checks a password.
  /// - Parameter device: the hash of the account's known device that the caller is on, which has counts of its own.
  static func reserveAttempt(
    _ key: SignInKey, on device: [UInt8]? = nil, _ user: UserID?, _ call: Call, _ services: Services
  ) async throws -> SignInAttempt {
    let shared = attempt(key, call)
    let attempt = device.map(shared.on) ?? shared
    let verdict = try await within(attempt.limits, call, services) {
      try await services.store.open(call.tenant.id).reserveSignIn(attempt)
    }
    try await demandGranted(verdict, attempt.key, user, call, services)
    return attempt
  }

  private static func attempt(_ key: SignInKey, _ call: Call) -> SignInAttempt {
    SignInAttempt(key, within: Limiting.signIn(key, call))
  }

  /// An exhausted limit is noted and refused.
  private static func within<Value>(
    _ limits: [Reservation], _ call: Call, _ services: Services, _ count: () async throws -> Value
  ) async throws -> Value {
    do {
      return try await count()
    } catch StoreError.limited(let name, let seconds) {
      await Limiting.noteExhausted(name, of: limits, call, services)
      throw Refusal(.tooManyAttempts, retryAfter: seconds, limit: name)
    }
  }

  private static func demandGranted(
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
      details: details(reason))
    throw Refusal(.tooManyAttempts, retryAfter: retryAfter, limit: limit)
  }
}
