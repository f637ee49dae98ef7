import Foundation
import GatehousePolicy

/// Makes the requests of steps, and the accounts that they leave behind. The evaluator judges them: a slice of the
/// policy while a proof searches, the whole policy when a chain is confirmed.
struct Requests {
  let policy: Policy
  let samples: ProofSamples
  let source: any FactSource

  /// The account after a step that is allowed; nil where the step is not, or has no meaning for this account.
  func take(_ step: Step, from account: Account?, at instant: Date) -> (account: Account?, decision: Decision?)? {
    guard (account == nil) == (step.transition.createsAccount || isForAnyone(step)) else { return nil }
    guard let door = step.transition.door else { return account.flatMap { free(step, $0) }.map { ($0, nil) } }
    let byPasskey = isByPasskey(step)
    guard !policy.isClosed(door, withPassword: step.transition.setsPassword && !byPasskey, withPasskey: byPasskey)
    else { return nil }
    let facts = facts(of: step, account, at: instant)
    let decision = policy.decide(door, facts, at: instant, using: source)
    // GUARD: proof: a refused step leads nowhere
    guard decision.allow else { return nil }
    return (after(step, account, decision, at: instant), decision)
  }

  /// The decision of the whole policy about a step.
  func decision(about step: Step, from account: Account?, at instant: Date) -> Decision? {
    step.transition.door.map { policy.decide($0, facts(of: step, account, at: instant), at: instant, using: source) }
  }

  /// Whether a passkey takes the place of the password: where both make accounts, both make the same ones.
  private func isByPasskey(_ step: Step) -> Bool {
    step.transition == .signUp && !policy.hasPassword && policy.uses(passkeysFor: .signUp)
  }

  /// A request for a reset names an address and needs no account.
  private func isForAnyone(_ step: Step) -> Bool { step.transition == .resetPassword && step.email != nil }

  func facts(of step: Step, _ account: Account?, at instant: Date) -> Facts {
    var facts = Facts(stored: account?.stored)
    if step.transition.createsAccount { facts.profile = profile(of: step) }
    let email = step.email ?? samples.email
    switch step.transition {
    case .signUp where isByPasskey(step): (facts.email, facts.bringsPasskey) = (email, true)
    case .signUp: (facts.email, facts.password) = (email, samples.password)
    case .signUpWith, .link:
      facts.provider = ProviderFacts(
        name: step.provider, email: email, emailVerified: step.isVouched, scopes: step.scopes)
    case .adminCreate, .invite: (facts.email, facts.writer) = (email, .admin)
    case .import: (facts.email, facts.writer) = (email, .system)
    case .changeEmail: facts.email = email
    case .updateProfile: facts.profile = step.values.compactMapValues { $0 }
    case .adminUpdate: (facts.profile, facts.writer) = (step.values.compactMapValues { $0 }, .admin)
    case .setPassword, .signIn: facts.password = samples.password
    case .resetPassword:
      if step.email != nil { facts.email = email } else { facts.password = samples.password }
    case .verifyEmail, .unlink, .endGrant, .nextDay: break
    }
    return facts
  }

  /// Sample values of what the step says nothing about, and its own.
  private func profile(of step: Step) -> [String: FieldValue] {
    let byUser = step.transition.writers.contains(.user)
    var values: [String: FieldValue] = [:]
    for field in policy.profile.fields {
      if let stated = step.values[field.name] {
        values[field.name] = stated
      } else if !byUser || field.write != .admin {
        values[field.name] = samples.profile[field.name]
      }
    }
    return values
  }

  private func after(_ step: Step, _ account: Account?, _ decision: Decision, at instant: Date) -> Account? {
    if step.transition.createsAccount {
      var made = Account(email: decision.normalised.email)
      made.profile = decision.normalised.profile.filter { $0.value != .null }
      made.hasPasskey = isByPasskey(step)
      made.hasPassword = step.transition == .signUp && !made.hasPasskey
      made.isOpenEntry = [.signUpWith, .invite].contains(step.transition)
      made.emailVerified = step.isVouched
      // Where accounts are hidden, one comes into being once its address is proven.
      if step.transition == .signUp { made.emailVerified = policy.privacy.accountExists == .hide }
      if step.transition == .signUpWith { made.links[step.provider] = step.scopes }
      return made
    }
    guard var changed = account else { return nil }
    switch step.transition {
    case .changeEmail: (changed.email, changed.emailVerified) = (decision.normalised.email, true)
    case .updateProfile, .adminUpdate:
      for (name, value) in decision.normalised.profile { changed.profile[name] = value == .null ? nil : value }
    case .link: changed.links[step.provider] = step.scopes
    case .setPassword, .resetPassword:
      if step.email == nil { (changed.hasPassword, changed.mustChangePassword) = (true, false) }
    case .signIn: changed.mustChangePassword = policy.requiresCompliantPassword(at: instant)
    default: break
    }
    return changed
  }

  /// Steps that no door judges.
  private func free(_ step: Step, _ account: Account) -> Account? {
    var changed = account
    switch step.transition {
    case .verifyEmail:
      guard account.email != nil else { return nil }
      changed.emailVerified = true
    case .unlink, .endGrant:
      guard changed.links.removeValue(forKey: step.provider) != nil else { return nil }
      // The product refuses to take the last way in away.
      let wasWayIn = policy.provider(step.provider)?.use == .signIn
      if step.transition == .unlink, wasWayIn, !policy.hasWayIn(changed) { return nil }
    default: return nil
    }
    return changed
  }
}

extension Transition {
  /// Whether its request has a password.
  var setsPassword: Bool { [.signUp, .setPassword, .resetPassword].contains(self) }
}

extension Policy {
  /// Whether a password, a passkey or a provider opens the account.
  func hasWayIn(_ account: Account) -> Bool {
    (hasPassword && account.hasPassword) || (uses(passkeysFor: .signIn) && account.hasPasskey)
      || providers.contains { $0.use == .signIn && account.links[$0.name] != nil }
  }

  /// The access of an account, and what it lacks.
  func access(of account: Account, at instant: Date) -> (access: Access, next: [String]) {
    access(of: account.stored, at: instant)
  }
}
