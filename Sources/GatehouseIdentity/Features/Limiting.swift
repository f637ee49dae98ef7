// Limits: what the policy allows per account, address, recipient and tenant, counted before the work is done.

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
    /// Digits tried for a mailbox.
    case code(CodeHolder, at: String)
    /// A reset asked for, whether or not the address has an account.
    case reset
    /// Another user looked up, whether or not there is one.
    case lookup(by: UserID)
    /// A key of an app that is to be attested.
    case attestKey
    /// A new password that is compared with the account's last ones.
    case comparedPassword(UserID)
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
    return make([(.signInPerAccount, accountAtAddress), (.signInPerIP, call.addressKey)], call)
      + budget(.signInPerTenant, isForAnyone: true, call)
  }

  private static func reservations(_ work: Work, _ call: Call) -> [Reservation] {
    switch work {
    // A client that signs up has nothing to show yet: no part is kept.
    case .signUp:
      make([(.signUpPerIP, call.addressKey)], call) + budget(.signUpPerTenant, isForAnyone: false, call) + forms(call)
    case .refusedForm: forms(call)
    case .federatedSignIn:
      make([(.signInPerIP, call.addressKey)], call)
        + budget(.signInPerTenant, isForAnyone: call.caller == nil, call)
    case .providerStart:
      (call.addressKey.map {
        [Reservation(name: providerStarts, key: $0, count: providerStartsPerHour, window: 3600)]
      } ?? []) + budget(.signInPerTenant, isForAnyone: call.caller == nil, call)
    case .link(let user): [Reservation(name: "link_per_account", key: user.text, count: 30, window: 3600)]
    // A new code gives no new tries for ever. Links are not concerned.
    case .code(let holder, let email): codes(holder, email, call)
    case .comparedPassword(let user):
      [Reservation(name: comparedPasswords, key: user.text, count: comparedPasswordsPerHour, window: 3600)]
    case .reset: make([(.resetPerIP, call.addressKey)], call)
    case .lookup(let user):
      call.tenant.lookups.map {
        [Reservation(name: lookups, key: user.text, count: Int($0.count), window: Int($0.window))]
      } ?? []
    case .attestKey:
      call.addressKey.map {
        [Reservation(name: attestKeys, key: $0, count: attestKeysPerHour, window: 3600)]
      } ?? []
    }
  }

  /// The tenant is only asked for room, for every mailbox alike. A wrong try at a living code counts (`count`).
  private static func codes(_ holder: CodeHolder, _ email: String, _ call: Call) -> [Reservation] {
    var key = call.hashed(email)
    var own: [Reservation] = []
    switch holder {
    case .account: break
    case .id(let id): key = id.text
    case .session(_, let user): key = user.text
    case .reader:
      // Counted apart from the account, so that no stranger uses up its owner's tries.
      key = "reader:\(key)"
      own.append(
        Reservation(
          name: readersCodes, key: key, count: CodeMint.maxAttempts, window: Int(call.policy.verification.email.codeTTL)
        ))
    }
    // GUARD: code: wrong tries of a tenant
    let ofTenant = budget(.codePerTenant, isForAnyone: holder == .reader, call).map(\.asked)
    return own + ofTenant
      + make(
        [
          (.codePerAccount, key),
          (.codePerIP, call.addressKey),  // GUARD: code: wrong tries of an address
        ], call)
  }

  /// Counts wrong digits, whatever room is left: the tenant was asked for it before.
  static func count(wrongCodeAtLiving isLiving: Bool, _ call: Call, _ services: Services) async throws {
    let wanted = budget(.codePerTenant, isForAnyone: false, call).map { limit in
      var limit = limit
      limit.count = Int(Int32.max)
      // GUARD: code: only a living one draws on the tenant
      if !isLiving {
        (limit.name, limit.budget) = (madeUpCodes, nil)
      }
      return limit
    }
    _ = try await services.store.open(call.tenant.id).reserve(wanted)
  }

  /// The limit of the whole tenant. A third of it is kept from callers who have shown nothing of the account: no
  /// session, no device that the account knows, no id of a mail. So strangers, however many addresses they have, leave
  /// it to people who have an account; and of the kept part one account draws no more than its own limits.
  static func budget(_ name: Limits.Name, isForAnyone: Bool, _ call: Call) -> [Reservation] {
    make([(name, "tenant")], call).map { limit in
      var limit = limit
      limit.budget = limit.count
      return isForAnyone ? shared(limit) : limit
    }
  }

  /// The reservation for one refused form of a sign-up: ten of them for each account that the address may make.
  private static func forms(_ call: Call) -> [Reservation] {
    make([(.signUpPerIP, call.addressKey)], call).map { limit in
      Reservation(name: refusedForms, key: limit.key, count: limit.count * 10, window: limit.window)
    }
  }

  /// The name of the limit of refused forms.
  static let refusedForms = "sign_up_refused_per_ip"

  /// What a right code gives back: an address counts wrong tries alone, so that many people behind it do not use up
  /// each other's. An account counts all.
  static func returned(_ counted: Counted) -> Counted {
    Counted(counted.reservations.filter { $0.name == Limits.Name.codePerIP.rawValue }, by: counted.by)
  }

  /// The reservations for one request, whatever it asks for, against the limits that the policy sets: all servers count
  /// together.
  static func requests(_ call: Call) -> [Reservation] {
    let set = call.tenant.limits.byName
    guard set[.requestsPerIP] != nil || set[.requestsPerTenant] != nil else { return [] }
    let address = set[.requestsPerIP] == nil ? nil : call.addressKey
    return make([(.requestsPerIP, address), (.requestsPerTenant, "tenant")], call)
  }

  /// The reservation for one request where the policy is silent: each server counts for itself, in memory, so that no
  /// request costs a round trip that its policy does not ask for.
  static func requestsHere(_ limit: Limit, _ call: Call) -> Reservation? {
    guard call.tenant.limits.byName[.requestsPerIP] == nil, let address = call.address else { return nil }
    return Reservation(
      name: Limits.Name.requestsPerIP.rawValue, key: address.isIPv4 ? address.text : Hex.encode(address.countingKey),
      count: Int(limit.count), window: Int(limit.window))
  }

  /// The reservation of one change of a person's own profile, which writes two rows.
  static func profile(_ user: UserID) -> Reservation {
    Reservation(name: "profile_per_account", key: user.text, count: 120, window: 3600)
  }

  /// The reservation of one new password that a session sets. It belongs into the commit, so that a password that the
  /// policy refuses counts for nothing.
  static func passwordChange(_ user: UserID) -> Reservation {
    Reservation(name: passwordChanges, key: user.text, count: passwordChangesPerHour, window: 3600)
  }

  /// What one mail with a code or link counts against. It belongs into the commit that enqueues the mail, the budgets
  /// first: whether they have room is then answered for every recipient alike.
  struct Mail {
    /// What the caller's address and the tenant send.
    var budgets: [Reservation]
    /// What its recipient gets: the policy's cooldown and daily cap for its purpose, and the cap of all.
    var recipient: [Reservation]

    var changes: [Change] { [.limit(.reserve(budgets)), .limit(.reserve(recipient))] }
  }

  /// The counts for one mail that an operator sends: a stolen token fills no mailbox, and no mail server's queue.
  static func operatorMail(to address: String, _ call: Call) -> [Reservation] {
    [
      // GUARD: operators' mail: of a recipient
      Reservation(
        name: operatorMailPerRecipient, key: call.hashed(address), count: operatorMailsPerDay, window: 86_400),
      // GUARD: operators' mail: of a tenant
      Reservation(name: operatorMailPerTenant, key: "tenant", count: operatorMailsPerHour, window: 3600),
    ]
  }

  private static let operatorMailPerRecipient = "operator_mail_per_recipient"
  private static let operatorMailPerTenant = "operator_mail_per_tenant"
  private static let operatorMailsPerDay = 10
  private static let operatorMailsPerHour = 2000

  /// The counts for one mail. A third of what one recipient gets is kept from askers who show nothing but the address:
  /// a stranger does not use up the owner's.
  /// - Parameter isSent: whether a mail goes out. What stands in for one draws nothing on the tenant, and is counted
  ///   apart by the same statement.
  static func mail(_ request: CodeRequest, isSent: Bool, _ call: Call) -> Mail {
    let daily = Int(call.policy.verification.email.maxSendsPerDay)
    var recipient = [Reservation(name: maxSendsPerDay, key: key(request, call), count: daily, window: 86_400)]
    recipient += make([(.mailPerRecipient, call.hashed(request.destination))], call)
    // A client that signs up where accounts are hidden has neither session nor device yet.
    if request.isAskedByAnyone, request.purpose != .completeSignUp { recipient = recipient.map(shared) }
    if !request.isAskedByAnyone, let user = request.user {
      // Mails to ever other addresses: three purposes.
      recipient.append(Reservation(name: mailPerAccount, key: user.text, count: 3 * daily, window: 86_400))
    }
    recipient.append(pause(request, call))
    return Mail(budgets: budgets(request, isSent: isSent, call), recipient: recipient)
  }

  /// The counts for a mail that repeats a living code, where no new one can be had: three an hour for each code.
  static func again(_ code: OneTimeCode?, _ request: CodeRequest, _ call: Call) -> Mail {
    let key = code?.id.text ?? key(request, call)
    return Mail(
      budgets: budgets(request, isSent: code != nil, call),
      recipient: [
        Reservation(name: mailedAgain, key: key, count: 3, window: 3600), pause(request, call),
      ])
  }

  private static func budgets(_ request: CodeRequest, isSent: Bool, _ call: Call) -> [Reservation] {
    let ofAddress = make([(.mailPerIP, call.addressKey)], call)
    let ofTenant = budget(.mailPerTenant, isForAnyone: request.isAskedByAnyone, call)
    // GUARD: mail: what is not sent draws nothing on the tenant
    guard !isSent else { return ofAddress + ofTenant }
    return ofAddress + ofTenant.map(\.asked) + madeUp(call)
  }

  /// The counter of what stands in for mails. Beyond it nothing is kept, so that made-up addresses fill no disk.
  static func madeUp(_ call: Call) -> [Reservation] {
    make([(.mailPerTenant, "tenant")], call).map { limit in
      Reservation(name: madeUpMails, key: limit.key, count: Int(Int32.max), window: limit.window)
    }
  }

  /// The bound of what is kept of them.
  static func keptMadeUp(_ call: Call) -> Reservation? {
    madeUp(call).first.map { limit in
      var limit = limit
      limit.count = call.tenant.limits[.mailPerTenant].map { Int($0.count) } ?? limit.count
      return limit
    }
  }

  /// Whether mails to one recipient have run out, rather than those of the caller's address or of the tenant.
  static func isOfRecipient(_ name: String) -> Bool {
    name == maxSendsPerDay || name == Limits.Name.mailPerRecipient.rawValue || name == mailPerAccount
  }

  /// Whether this limit is reached in silence by a caller who shows an address alone: it is its recipient's.
  static func isSilent(_ name: String) -> Bool { isOfRecipient(name) || name == cooldown || name == mailedAgain }

  /// Each requester of a sign-up and of a reset has an id, and a cooldown of their own: a stranger's does not keep the
  /// owner's mail back.
  private static func pause(_ request: CodeRequest, _ call: Call) -> Reservation {
    let key = key(request, call)
    return Reservation(
      name: cooldown, key: request.id == nil ? key : "\(key):\(call.addressKey ?? "")", count: 1,
      window: Int(call.policy.verification.email.resendCooldown))
  }

  private static func key(_ request: CodeRequest, _ call: Call) -> String {
    "\(request.purpose.rawValue):\(call.hashed(request.destination))"
  }

  /// What is left of a limit without the third that is kept; of one or two, nothing is.
  private static func shared(_ limit: Reservation) -> Reservation {
    var limit = limit
    limit.count -= limit.count / 3  // GUARD: mail: a part is kept from strangers
    return limit
  }

  private static let maxSendsPerDay = "max_sends_per_day"

  /// All counters that servers share, by name.
  static let names = Limits.Name.allCases.map(\.rawValue) + ownNames

  private static let ownNames = [
    refusedForms, maxSendsPerDay, cooldown, mailedAgain, "link_per_account", "profile_per_account", "notice",
    "notice_kind", "notice_unproven", attestKeys, lookups, comparedPasswords, passwordChanges, mailPerAccount,
    readersCodes, madeUpCodes, madeUpMails, BudgetWatch.told, operatorMailPerRecipient, operatorMailPerTenant,
    providerStarts,
  ]

  /// How much a limit allows; nil where the policy sets none.
  static func most(_ name: String, _ tenant: TenantSnapshot) -> Int? {
    if let limit = Limits.Name(rawValue: name) { return tenant.limits[limit].map { Int($0.count) } }
    return switch name {
    case refusedForms: tenant.limits[.signUpPerIP].map { Int($0.count) * 10 }
    case maxSendsPerDay: Int(tenant.policy.verification.email.maxSendsPerDay)
    case cooldown, "notice_unproven": 1
    case mailedAgain: 3
    case "link_per_account": 30
    case "profile_per_account": 120
    case attestKeys: attestKeysPerHour
    case providerStarts: providerStartsPerHour
    case lookups: tenant.lookups.map { Int($0.count) }
    case comparedPasswords: comparedPasswordsPerHour
    case operatorMailPerRecipient: operatorMailsPerDay
    case operatorMailPerTenant: operatorMailsPerHour
    case passwordChanges: passwordChangesPerHour
    case mailPerAccount: 3 * Int(tenant.policy.verification.email.maxSendsPerDay)
    case readersCodes: CodeMint.maxAttempts
    case "notice": NoticeLimit.most
    case "notice_kind": NoticeLimit.mostOfKind
    default: nil
    }
  }

  /// The name of the limit of lookups in the directory.
  static let lookups = "directory_per_account"

  /// The name of the limit of keys that one address registers.
  static let attestKeys = "attest_key_per_ip"
  /// The name of the limit of new passwords that are compared with earlier ones: each costs as many hashes as the
  /// policy remembers.
  static let comparedPasswords = "compared_password_per_account"
  private static let comparedPasswordsPerHour = 20
  /// The name of the limit of an account's new passwords, by the current one. A thief who knows it rings in the owner's
  /// mailbox no more often.
  static let passwordChanges = "password_change_per_account"
  private static let passwordChangesPerHour = 10

  /// The name of the limit of mails that the sessions and devices of one account ask for.
  private static let mailPerAccount = "mail_per_account"
  /// The name of the limit of digits that are tried by the mail alone.
  private static let readersCodes = "code_by_mail_alone"
  /// The names of the counters of wrong digits where no code lives, and of mails to addresses that wait for none: both
  /// refuse no request.
  private static let madeUpCodes = "made_up_codes"
  private static let madeUpMails = "made_up_mails"
  private static let mailedAgain = "mailed_again"

  /// Many people share an address of a mobile network, and each copy of the app registers once.
  private static let attestKeysPerHour = 120

  /// The name of the limit of browsers that one address sends to providers.
  static let providerStarts = "provider_start_per_ip"
  /// A campus is one address; each row is kept for ten minutes.
  private static let providerStartsPerHour = 600

  /// The name of the wait after wrong passwords in a row.
  static let backOff = "sign_in_backoff"

  /// The name of the end after a hundred of them.
  static let disabledPassword = "password_disabled"

  /// The name under which a refused reservation is a cooldown.
  static let cooldown = "resend_cooldown"

  private static func make(_ wanted: [(Limits.Name, String?)], _ call: Call) -> [Reservation] {
    wanted.compactMap { name, key in
      guard let limit = call.tenant.limits[name], let key else { return nil }
      return Reservation(
        name: name.rawValue, key: key, count: Int(limit.count), window: Int(limit.window), backsOff: name.backsOff)
    }
  }
}

extension Call {
  /// The caller's address as it is counted: IPv4 whole, IPv6 by /64. Nil for an operator, whom no limit binds.
  fileprivate var addressKey: String? { address.map(key) }

  /// An IP address as it is counted.
  func key(of address: NetworkAddress) -> String {
    Hex.encode(tenant.vault.pseudonym(Array("address".utf8), address.countingKey))
  }

  /// An email address as a key that does not reveal it.
  func hashed(_ email: String) -> String { SignInKey(tenant, email).text }
}
