// A person for whom a provider vouches arrives: one who is known by issuer and subject, the owner of an address that
// has an account, or a new person. An address alone never decides who the person is.

import Foundation
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

enum FederatedSignIn {
  /// A person at the door.
  struct Arrival {
    var person: ProviderPerson
    var provider: Provider
    /// What the provider lets us do for them.
    var scopes: [String] = []
    /// Fields for a new account that the provider does not tell.
    var profile: Profile?
    var device: Device?
    /// The write that takes the ID token, where it counts: in the first commit that the arrival makes.
    var taking: [Change] = []
    /// What else is written about an identity once it is in the store (what the provider gave).
    var granting: @Sendable (AccountID) throws -> [Change] = { _ in [] }

    func identity(of account: AccountID, at now: Date) -> ProviderIdentity {
      ProviderIdentity(
        account: account, provider: provider.name, issuer: person.issuer, subject: person.subject, isExclusive: true,
        link: AccountLink(provider: provider.name, scopes: scopes, linkedAt: now))
    }

    func details(_ more: [String: String] = [:]) -> [String: String] {
      more.merging(["method": Proof.Method.provider.reference, "provider": provider.name]) { own, _ in own }
    }
  }

  /// Signs the person in, up, or in to the account at their address, as the policy has it.
  ///
  /// Refuses `validation_failed` where a door of the policy does not open, `account_exists` where the address has an
  /// account that is not theirs to have, `account_disabled`.
  static func open(_ arrival: Arrival, _ call: Call, _ services: Services) async throws -> SessionAnswer {
    let store = services.store.open(call.tenant.id)
    let person = arrival.person
    var arrival = arrival
    // Another person may arrive at the same moment, or another request may change what was read: then look again.
    for _ in 0..<3 {
      do {
        if let known = try await store.identity(issuer: person.issuer, subject: person.subject) {
          return try await enter(known.account, known.identity, arrival, call, services)
        }
        let email = person.email.flatMap { call.policy.normalisedEmail($0, using: services.facts) }
        if call.policy.privacy.accountExists == .hide,
          // GUARD: arrival: an unproven address where accounts are hidden
          !person.emailVerified
        {
          // Anything else would tell whether the address has an account, or take it from its owner.
          throw Refusal(.forbidden, detail: "The provider has not confirmed your email address.")
        }
        if let email, let stored = try await store.account(email: email)?.account {
          // Between the two looks the same person may have come in by another request.
          if stored.links.contains(where: { $0.provider == arrival.provider.name }),
            try await store.identity(issuer: person.issuer, subject: person.subject) != nil
          {
            continue
          }
          return try await join(stored, arrival, call, services)
        }
        if let email, try await comeBack(to: email, &arrival, call, services) { continue }
        return try await signUp(arrival, call, services)
      } catch StoreError.emailTaken {
        continue
      } catch StoreError.refused(let condition) where changing.contains(condition) {
        continue
      }
    }
    throw Refusal(.conflict, note: "an account kept changing")
  }

  private static let changing: Set<StoreError.Condition> = [
    .identityIsFree, .addressIsUnproven, .accountIsEnabled, .accountExists, .linkExists,
    .accountIsUnchanged,
  ]

  // MARK: Known

  private static func enter(
    _ account: Account, _ identity: ProviderIdentity, _ arrival: Arrival, _ call: Call, _ services: Services
  ) async throws -> SessionAnswer {
    try await demandEnabled(account, arrival, call, services)
    let granted = try arrival.granting(account.id)
    // With what the provider gave anew its scopes are told anew.
    let link: [Change] =
      granted.isEmpty
      ? [] : [.provider(.setLink(account.id, provider: identity.provider, .linked, scopes: arrival.scopes))] + granted
    return try await signIn(account, link, arrival, call, services)
  }

  private static func demandEnabled(
    _ account: Account, _ arrival: Arrival, _ call: Call, _ services: Services
  ) async throws {
    // GUARD: arrival: a disabled person stays out
    guard account.disabledAt != nil else { return }
    try await services.store.open(call.tenant.id).commit(
      [
        call.bounded(
          .signInFailed, services, account: account.id, details: arrival.details(["reason": "disabled"]))
      ], as: .anonymous)
    throw Refusal(.accountDisabled)
  }

  /// Opens a session for an account as it will be after `changes`.
  private static func signIn(
    _ account: Account, _ changes: [Change], isReclaimed: Bool = false, _ arrival: Arrival, _ call: Call,
    _ services: Services
  ) async throws -> SessionAnswer {
    let decision = call.policy.decide(
      .signIn, Facts(writer: .user, stored: account.facts), at: call.now, using: services.facts)
    // The devices of a reclaimed account belong to its former holder.
    let device =
      isReclaimed
      ? PresentedDevice.new(name: try DeviceName.of(arrival.device, call), of: account.id, call, services)
      : try await recognise(arrival.device, of: account, call, services)
    // The commit refuses this session when the password or the identities of the account have changed meanwhile.
    let completion = Completion(
      proofs: Proofs(of: account.id, by: .provider, call), account: account, decision: decision, device: device,
      arrival: .known(arrival.details()), authority: .proven(account.id, epoch: account.epoch),
      first: arrival.taking + changes)
    return try await completion.commit(call, services)
  }

  private static func recognise(
    _ device: Device?, of account: Account, _ call: Call, _ services: Services
  ) async throws -> PresentedDevice {
    let look = try await services.store.open(call.tenant.id).signInLook(
      email: account.email, device: KnownDevice.hash(presented: device?.id))
    // The account moved to another address just now, and another account took this one.
    guard let look, look.account.id == account.id else { throw StoreError.refused(.accountExists) }
    return try PresentedDevice.recognise(device, in: look, call, services)
  }

  // MARK: An account at the same address

  /// Two proofs are needed before the account is joined: that the provider's person reads the address's mail, and that
  /// the account's person does. An account with an unproven address may belong to any person. It becomes the arriving
  /// owner's, and nothing that was put there before opens it any more.
  private static func join(_ account: Account, _ arrival: Arrival, _ call: Call, _ services: Services) async throws
    -> SessionAnswer
  {
    // GUARD: reclaim: at all
    let isReclaimed = account.emailVerifiedAt == nil
    // Another person of the same provider has been here with this address: it changed hands there.
    // GUARD: arrival: no identity of the provider is there already
    let isAnothers = !isReclaimed && account.links.contains { $0.provider == arrival.provider.name }
    guard
      // GUARD: arrival: the policy joins addresses
      arrival.provider.existingEmail == .linkIfBothVerified,
      arrival.person.emailVerified,  // GUARD: arrival: the provider proved the address
      !isAnothers
    else {
      await call.note(
        .signInFailed, about: "exists \(account.id.text)", services, account: account.id,
        details: arrival.details(["reason": "account_exists"]))
      throw Refusal(.accountExists)
    }
    try await demandEnabled(account, arrival, call, services)
    let facts = arrival.person.facts(arrival.provider, scopes: arrival.scopes, call.policy)
    let decision = call.policy.decide(
      .link, Facts(provider: facts, stored: account.facts), at: call.now, using: services.facts)
    // GUARD: door: link by address
    guard decision.allow else { throw Refusal(.validationFailed, violations: decision.violations) }
    let identity = arrival.identity(of: account.id, at: call.now)
    var after = account
    var changes: [Change] = isReclaimed ? reclaiming(&after, arrival, call, services) : []
    after.links.append(identity.link)
    changes.append(.provider(.link(identity)))
    changes += try arrival.granting(account.id)
    changes += call.exceptionsUsed(decision, services, actor: .user(account.id), account: account.id)
    changes.append(
      .audit(
        call.entry(
          .linked, services, actor: .user(account.id), account: account.id,
          details: arrival.details(["reason": "email"]))))
    // Of a reclaimed account the address is proven now: this mail is not the one that an unproven address gets.
    changes += try Mailing.link(
      isReclaimed ? .accountReclaimed : .providerLinked, at: arrival.provider.name, to: after, call, services)
    return try await signIn(after, changes, isReclaimed: isReclaimed, arrival, call, services)
  }

  private static func reclaiming(
    _ account: inout Account, _ arrival: Arrival, _ call: Call, _ services: Services
  ) -> [Change] {
    let former = account.links
    account.links = []
    account.emailVerifiedAt = call.now
    account.passwordChangedAt = nil
    account.mustChangePassword = false
    return [
      .provider(.reclaim(account.id, email: account.email)),
      .device(.forgetAll(account.id, except: nil)),  // GUARD: reclaim: devices
      .session(.endAll(account.id, except: nil, .revoked)),  // GUARD: reclaim: sessions
      .code(.void(account.id, CodePurpose.allCases)),  // GUARD: reclaim: codes
      .limit(.clearAllFailures(SignInKey(call.tenant, account.email))),
      .audit(
        call.entry(
          .accountReclaimed, services, actor: .user(account.id), account: account.id, details: arrival.details())),
    ] + call.unlinked(former, of: account.id, "reclaimed", services) + [
      .audit(call.entry(.emailVerified, services, actor: .user(account.id), account: account.id))
    ]
  }

  /// The owner of an address from which an account was moved away arrives, and the provider vouches for them: that takes the move
  /// back, as the link in their mail would. False where the address is free.
  private static func comeBack(to email: String, _ arrival: inout Arrival, _ call: Call, _ services: Services)
    async throws
    -> Bool
  {
    guard let code = try await services.store.open(call.tenant.id).undoCode(reserving: email), let id = code.account
    else { return false }
    guard
      arrival.person.emailVerified,  // GUARD: reservation: a proven owner alone comes back
      arrival.provider.existingEmail == .linkIfBothVerified
    else {
      throw Refusal(.accountExists)
    }
    do {
      try await UndoEmailChange.restore(
        id, Redeemed(code: code, use: .code(.use(code.id, byToken: true))), with: arrival.taking, call, services)
      arrival.taking = []
    } catch let refusal as Refusal where refusal.code == .codeUsed {}  // The link was pressed at the same moment.
    return true
  }

  // MARK: New

  private static func signUp(_ arrival: Arrival, _ call: Call, _ services: Services) async throws -> SessionAnswer {
    let facts = Facts(
      profile: arrival.profile ?? [:], writer: .user,
      provider: arrival.person.facts(arrival.provider, scopes: arrival.scopes, call.policy))
    let decision = call.policy.decide(.federatedSignUp, facts, at: call.now, using: services.facts)
    await call.noteMissingLists(decision, services)
    guard
      decision.allow,  // GUARD: arrival: sign-up passes its door
      let email = decision.normalised.email
    else {
      try await Limiting.reserve(.refusedForm, call, services)
      await call.note(
        .signUpRefused, about: call.address?.text ?? "", services,
        details: [
          "rules": decision.violations.prefix(10).map(\.rule).joined(separator: ","), "provider": arrival.provider.name,
        ])
      throw Refusal(.validationFailed, violations: decision.violations)
    }
    let count = try await SignUpCount.begin(call, services)
    do {
      return try await open(arrival, email, decision, count, call, services)
    } catch {
      throw await count.refused(error, call, services)
    }
  }

  private static func open(
    _ arrival: Arrival, _ email: String, _ decision: Decision, _ count: SignUpCount, _ call: Call, _ services: Services
  ) async throws -> SessionAnswer {
    var account = Account(
      id: AccountID(services.clock.makeID()), email: email,
      emailVerifiedAt: arrival.person.emailVerified ? call.now : nil, profile: decision.normalised.profile,
      createdAt: call.now, updatedAt: call.now, enteredBy: .federatedSignUp)
    let identity = arrival.identity(of: account.id, at: call.now)
    account.links = [identity.link]
    var first: [Change] = arrival.taking
    first += [
      .account(.insert(account, unique: UniqueValues.of(account.profile, call.policy))), .provider(.link(identity)),
      .limit(.clearFailures(SignInKey(call.tenant, account.email))),
      .audit(
        call.entry(
          .userCreated, services, actor: .user(account.id), account: account.id, details: arrival.details())),
    ]
    first += try arrival.granting(account.id)
    if account.emailVerifiedAt != nil {
      first.append(.audit(call.entry(.emailVerified, services, actor: .user(account.id), account: account.id)))
    }
    let needsProof = account.emailVerifiedAt == nil && call.policy.verification.email.onSignUp
    let completion = Completion(
      proofs: Proofs(of: account.id, by: .provider, call), account: account, decision: decision,
      device: .new(name: try DeviceName.of(arrival.device, call), of: account.id, call, services),
      arrival: .new(
        mail: needsProof ? try Mailing.verification(of: account, call, services) : [], counters: count.made),
      first: first)
    do {
      return try await completion.commit(call, services)
    } catch let error as StoreError {
      throw UniqueValues.refusal(error, call) ?? error
    }
  }
}
