// Limits: what the policy allows per account, address, recipient and tenant, counted before the work is done. Names and
// numbers stand in `LimitRule`, the counts of messages in `MessageLimits`.

import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

enum Limiting {
  /// The action that is counted.
  enum Work {
    case signUp
    /// A sign-up that the policy refused.
    case refusedForm
    /// A sign-in by a provider, for any person.
    case federatedSignIn
    /// A browser sent to a provider to sign in, which writes a row.
    case providerStart
    /// A link begun.
    case link(UserID)
    /// Digits tried for a contact.
    case code(CodeHolder, at: Contact)
    /// A reset asked for, whether or not the address has an account.
    case reset
    /// Another user looked up, whether or not there is one.
    case lookup(by: UserID)
    /// A key of an app that is to be attested.
    case attestKey
    /// A new password that is compared with the account's last ones.
    case comparedPassword(UserID)
    /// A second proof that is tried.
    case secondProof(UserID)
    /// A sign-in or a sign-up with a passkey that begins, which writes a row.
    case passkeyStart
  }

  /// Counts one against each limit of this work, and answers what it counted. Refuses `rate_limited`, which is an audit
  /// event.
  @discardableResult
  static func reserve(_ work: Work, _ call: Call, _ services: Services) async throws -> Counted {
    let wanted = reservations(work, call)
    guard !wanted.isEmpty else { return .none }
    let store = services.store.open(call.tenant.id)
    guard case .exhausted(let name, let retryAfter) = try await store.reserve(wanted) else {
      return Counted(wanted, by: services.clock.now)
    }
    await noteExhausted(name, of: wanted, call, services)
    throw Refusal(.rateLimited, retryAfter: retryAfter, limit: name)
  }

  /// An exhausted limit is an audit event.
  static func noteExhausted(_ name: String, of wanted: [Reservation], _ call: Call, _ services: Services) async {
    let key = wanted.first { $0.name == name }?.key ?? ""
    await call.note(.limitExceeded, about: "\(name) \(key)", services, details: ["limit": name])
  }

  /// The reservations of one attempt at a password. Those for an account count by its address and the client's: a
  /// stranger elsewhere uses up nothing of the owner's.
  static func signIn(_ key: SignInKey, _ call: Call) -> [Reservation] {
    // GUARD: guessing: an account is counted for each network address
    let accountAtAddress = call.addressKey.map { "\(key.text):\($0)" }
    return (accountAtAddress.map { Limits.Name.signInPerAccount.count(for: $0, call) } ?? [])
      + Limits.Name.signInPerIP.count(call)
      + budget(.signInPerTenant, isForAnyone: true, call)
  }

  private static func reservations(_ work: Work, _ call: Call) -> [Reservation] {
    switch work {
    // A client that signs up has nothing to show yet: no part is kept.
    case .signUp:
      Limits.Name.signUpPerIP.count(call) + budget(.signUpPerTenant, isForAnyone: false, call)
        + OwnLimit.refusedForms.count(call)
    case .refusedForm: OwnLimit.refusedForms.count(call)
    case .federatedSignIn:
      Limits.Name.signInPerIP.count(call) + budget(.signInPerTenant, isForAnyone: call.caller == nil, call)
    case .providerStart:
      OwnLimit.providerStarts.count(call) + budget(.signInPerTenant, isForAnyone: call.caller == nil, call)
    case .link(let user): OwnLimit.linkPerAccount.count(for: user.text, call)
    // A new code gives no new tries for ever. Links are not concerned.
    case .code(let holder, let contact): codes(holder, contact, call)
    case .comparedPassword(let user): OwnLimit.comparedPasswords.count(for: user.text, call)
    case .secondProof(let user): Limits.Name.mfaPerAccount.count(for: user.text, call)
    case .passkeyStart:
      Limits.Name.passkeyPerIP.count(call) + budget(.signInPerTenant, isForAnyone: call.caller == nil, call)
    case .reset: Limits.Name.resetPerIP.count(call)
    case .lookup(let user): OwnLimit.lookups.count(for: user.text, call)
    case .attestKey: OwnLimit.attestKeys.count(call)
    }
  }

  /// The tenant is only asked for room, for every contact alike. A wrong try at a living code counts (`count`).
  private static func codes(_ holder: CodeHolder, _ contact: Contact, _ call: Call) -> [Reservation] {
    var key = call.hashed(contact)
    var own: [Reservation] = []
    switch holder {
    case .account: break
    case .id(let id): key = id.text
    case .session(_, let user): key = user.text
    case .reader:
      // Counted apart from the account, so that no stranger uses up its owner's tries.
      key = "reader:\(key)"
      own += OwnLimit.readersCodes.count(for: key, call)
    }
    // GUARD: code: wrong tries of a tenant
    let ofTenant = budget(.codePerTenant, isForAnyone: holder == .reader, call).map(\.asked)
    return own + ofTenant
      + [
        Limits.Name.codePerAccount.count(for: key, call),
        Limits.Name.codePerIP.count(call),  // GUARD: code: wrong tries of an address
      ].flatMap(\.self)
  }

  /// Counts wrong digits without regard to the room that is left: the tenant was asked for it before.
  static func count(wrongCodeAtLiving isLiving: Bool, _ call: Call, _ services: Services) async throws {
    let wanted = budget(.codePerTenant, isForAnyone: false, call).map { limit in
      var limit = limit
      limit.count = Int(Int32.max)
      // GUARD: code: only a living one draws on the tenant
      if !isLiving {
        (limit.name, limit.budget) = (OwnLimit.madeUpCodes.rawValue, nil)
      }
      return limit
    }
    _ = try await services.store.open(call.tenant.id).reserve(wanted)
  }

  /// The limit of the whole tenant. A third of it is kept from callers who have shown nothing of the account: no
  /// session, no device that the account knows, no id of a mail. So strangers, however many addresses they have, leave
  /// it to people who have an account; and of the kept part one account draws no more than its own limits.
  static func budget(_ name: Limits.Name, isForAnyone: Bool, _ call: Call) -> [Reservation] {
    name.count(call).map { limit in
      var limit = limit
      limit.budget = limit.count
      return isForAnyone ? shared(limit) : limit
    }
  }

  /// The counts that a right code returns: an address counts wrong tries alone, so that many people behind it do not
  /// use up each other's. An account counts all.
  static func returned(_ counted: Counted) -> Counted {
    Counted(counted.reservations.filter { $0.name == Limits.Name.codePerIP.rawValue }, by: counted.by)
  }

  /// The reservations for one request of any kind, against the limits that the policy sets: all servers count together.
  static func requests(_ call: Call) -> [Reservation] {
    let set = call.tenant.limits.byName
    guard set[.requestsPerIP] != nil || set[.requestsPerTenant] != nil else { return [] }
    let ofAddress = set[.requestsPerIP] == nil ? [] : Limits.Name.requestsPerIP.count(call)
    return ofAddress + Limits.Name.requestsPerTenant.count(call)
  }

  /// The reservation for one request where the policy is silent: each server counts for itself, in memory, so that no
  /// request costs a round trip that its policy does not ask for.
  static func requestsHere(_ limit: Limit, _ call: Call) -> Reservation? {
    guard call.tenant.limits.byName[.requestsPerIP] == nil, let address = call.address else { return nil }
    return Reservation(
      name: Limits.Name.requestsPerIP.rawValue, key: address.isIPv4 ? address.text : Hex.encode(address.countingKey),
      count: Int(limit.count), window: Int(limit.window))
  }

  /// The reservation of one change of a person's own profile.
  static func profile(_ user: UserID, _ call: Call) -> [Reservation] {
    OwnLimit.profilePerAccount.count(for: user.text, call)
  }

  /// The reservation of one new password that a session sets. It belongs into the commit, so that a password that the
  /// policy refuses counts for nothing.
  static func passwordChange(_ user: UserID, _ call: Call) -> [Reservation] {
    OwnLimit.passwordChanges.count(for: user.text, call)
  }

  /// The rest of a limit without the third that is kept; of one or two, nothing is.
  static func shared(_ limit: Reservation) -> Reservation {
    var limit = limit
    limit.count -= limit.count / 3  // GUARD: mail: a part is kept from strangers
    return limit
  }

  /// The name of the wait after wrong passwords in a row.
  static let backOff = "sign_in_backoff"

  /// The name of the end after a hundred of them.
  static let disabledPassword = "password_disabled"
}

extension Call {
  /// The key by which the caller's address is counted: IPv4 whole, IPv6 by /64. Nil for an operator, who has no limits.
  var addressKey: String? { address.map(key) }

  /// An IP address as it is counted.
  func key(of address: NetworkAddress) -> String {
    Hex.encode(tenant.vault.pseudonym(Array("address".utf8), address.countingKey))
  }

  /// A contact as a key that does not reveal it.
  func hashed(_ contact: Contact) -> String { SignInKey(tenant, contact).text }
}
