import Foundation
import GatehousePolicy
import GatehouseWire

/// Sign-up, sign-in, and the record.
extension FakeWorld {
  mutating func signUp(_ input: SignUpEndpoint.Input, _ arrival: FakeArrival) throws -> SignUpAnswer {
    try demandPassword()
    let facts = Facts(email: input.email, password: input.password, profile: input.profile ?? [:], writer: .user)
    let decision = try judge(.signUp, facts, at: arrival.now)
    let account = FakeUser(
      id: id(), email: decision.normalised.email ?? address(input.email), password: input.password,
      passwordChangedAt: arrival.now, profile: decision.normalised.profile, lastSeen: arrival.now,
      createdAt: arrival.now, updatedAt: arrival.now)
    return try enter(account, device: input.device, decision, arrival)
  }

  /// Makes the account of a sign-up, or mails its address first where the tenant hides which addresses exist.
  /// - Parameter passkey: the passkey that it has, in the place of a password.
  mutating func enter(
    _ new: FakeUser, device: Device?, by passkey: String? = nil, _ decision: Decision, _ arrival: FakeArrival
  ) throws -> SignUpAnswer {
    var account = new
    let email = account.email ?? ""
    let existing = self.account(email: email)
    if existing != nil, !rules.hidesAccounts { throw FakeProblem("account_exists") }
    guard !rules.hidesAccounts else {
      let signUp = id()
      if existing != nil {
        mails.append(FakeMail(to: email, kind: .signUpTried, code: nil))
      } else {
        account.isVerified = true
        send(.verification, .signUp(id: signUp, account: account), to: email, at: arrival.now)
      }
      let next = ["verify_email"]
      return .pending(.init(next: next, requirements: requirements(next, arrival.languages), signUpID: signUp))
    }
    try demandUnique(account.profile, besides: account.id)
    accounts[account.id] = account
    if policy.verification.email.onSignUp {
      send(.verification, .verify(account: account.id), to: email, at: arrival.now)
    }
    return .signedIn(open(account, device: device, factor: passkey, at: arrival.now, decision, arrival.languages))
  }

  mutating func signIn(_ input: SignInEndpoint.Input, _ arrival: FakeArrival) throws -> SessionAnswer {
    try demandPassword()
    guard
      let account = account(email: input.email)
        ?? (settings.acceptsEverything ? makeAnyone(input.email, at: arrival.now) : nil),
      accepts(input.password, of: account)
    else { throw FakeProblem("invalid_credentials") }
    guard !account.isDisabled else { throw FakeProblem("account_disabled") }
    try demandSecondStep(account, password: input.password, device: input.device, at: arrival.now)
    let (after, decision) = admit(account, password: input.password, at: arrival.now)
    accounts[after.id] = after
    return open(after, device: input.device, at: arrival.now, decision, arrival.languages)
  }

  mutating func signIn(_ input: ProviderSignInEndpoint.Input, _ arrival: FakeArrival) throws -> SessionAnswer {
    try demand(input.provider, for: .signIn)
    let identity = try identity(input.provider, input.idToken, input.nonce)
    let known = accounts.values.first { $0.subjects[input.provider] == identity.subject }
    let account = try known ?? newcomer(identity, input, at: arrival.now)
    guard !account.isDisabled else { throw FakeProblem("account_disabled") }
    // The identity joins the account with the second step.
    try demandSecondStep(
      account, password: nil, provider: (input.provider, identity.subject), device: input.device, at: arrival.now)
    let (after, decision) = admit(account, password: nil, at: arrival.now)
    accounts[after.id] = after
    return open(after, device: input.device, by: input.provider, at: arrival.now, decision, arrival.languages)
  }

  /// The account of a person who comes by a provider for the first time: a new one, or the one at their address where
  /// the policy joins them.
  private mutating func newcomer(_ identity: Identity, _ input: ProviderSignInEndpoint.Input, at now: Date) throws
    -> FakeUser
  {
    let provider = policy.provider(input.provider)
    if var account = account(email: identity.email) {
      guard provider?.existingEmail == .linkIfBothVerified, account.subjects[input.provider] == nil else {
        throw FakeProblem("account_exists")
      }
      // What an unproven holder put there opens the account no more.
      if !account.isVerified {
        (account.password, account.isVerified, account.subjects) = (nil, true, [:])
        (account.apps, account.passkeys, account.recoveryCodes) = ([], [], [])
      }
      account.subjects[input.provider] = identity.subject
      return account
    }
    let facts = Facts(
      profile: input.profile ?? [:], writer: .user,
      provider: ProviderFacts(
        name: input.provider, email: identity.email, emailVerified: true, scopes: provider?.scopes ?? []))
    let decision = try judge(.federatedSignUp, facts, at: now)
    var account = FakeUser(
      id: id(), email: decision.normalised.email ?? address(identity.email), password: nil, enteredBy: .federatedSignUp,
      isVerified: true, profile: decision.normalised.profile, lastSeen: now, createdAt: now, updatedAt: now)
    try demandUnique(account.profile, besides: account.id)
    account.subjects[input.provider] = identity.subject
    return account
  }

  /// An account for any address: for previews.
  mutating func makeAnyone(_ email: String, at now: Date) -> FakeUser {
    let account = FakeUser(
      id: id(), email: address(email), isVerified: true, lastSeen: now, createdAt: now, updatedAt: now)
    accounts[account.id] = account
    return account
  }

  func accepts(_ password: String, of account: FakeUser) -> Bool {
    settings.acceptsEverything
      || account.password.map { TypedText.password($0) == TypedText.password(password) } == true
  }

  /// The person's own record.
  func record(_ account: FakeUser) -> User {
    User(
      id: account.id, email: account.email, emailVerified: account.isVerified, disabled: account.isDisabled,
      profile: visible(account.profile, to: .`self`),
      presence: Presence(online: account.isOnline, lastSeen: Timestamp(account.lastSeen)), links: account.links,
      createdAt: Timestamp(account.createdAt), updatedAt: Timestamp(account.updatedAt))
  }

  mutating func me(_ arrival: FakeArrival) throws -> MeAnswer {
    let (session, account) = try caller(arrival)
    return me(of: account, in: session, arrival.languages)
  }

  func me(of account: FakeUser, in session: FakeSession, _ languages: [String]) -> MeAnswer {
    let next = needs(account, in: session)
    return MeAnswer(
      user: record(account), access: next.isEmpty ? "full" : "limited", next: next,
      requirements: requirements(next, languages), offers: offers(to: account),
      claims: claims(of: account, in: session))
  }

  /// The revision of the claims about an account. A field that is taken as it comes is one.
  func claims(of account: FakeUser, in session: FakeSession) -> String {
    let claims = rules.takesAnyField ? account.profile : policy.claims(of: account.profile)
    let fields = claims.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    return tag(Data("\(account.isVerified) \(needs(account, in: session).isEmpty) \(fields)".utf8))
  }

  private func tag(_ content: Data) -> String {
    let sum = content.reduce(UInt64(14_695_981_039_346_656_037)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    return String(sum, radix: 16)
  }

  mutating func update(_ input: UpdateMeEndpoint.Input, _ arrival: FakeArrival) throws -> MeAnswer {
    let (session, known) = try caller(arrival)
    var account = known
    let facts = Facts(profile: input.profile, writer: .user, stored: stored(account))
    let changed = try judge(.updateProfile, facts, at: arrival.now).normalised.profile
    try demandUnique(changed, besides: account.id)
    for (field, value) in changed {
      if value == .null { account.profile.removeValue(forKey: field) } else { account.profile[field] = value }
      account.further.removeAll { $0 == "profile:\(field)" }
    }
    account.updatedAt = arrival.now
    accounts[account.id] = account
    return me(of: account, in: session, arrival.languages)
  }

  mutating func delete(_ input: DeleteMeEndpoint.Input, _ arrival: FakeArrival) throws -> Nothing {
    let caller = try provenCaller(arrival, password: input.password)
    endSessions(of: caller.account.id)
    accounts[caller.account.id] = nil
    return Nothing()
  }

  mutating func setPresence(_ input: SetPresenceEndpoint.Input, _ arrival: FakeArrival) throws
    -> SetPresenceEndpoint.Output
  {
    let id = try caller(arrival).account.id
    accounts[id]?.isOnline = input.online
    accounts[id]?.lastSeen = arrival.now
    return SetPresenceEndpoint.Output(
      presence: Presence(online: input.online, lastSeen: Timestamp(arrival.now)), idleAfter: Int(policy.presence.idle))
  }

  mutating func user(_ input: ReadUserEndpoint.Input, _ arrival: FakeArrival) throws -> UserView {
    _ = try fullCaller(arrival)
    guard let account = accounts[input.id] else { throw FakeProblem("not_found") }
    return .user(shown(account))
  }

  mutating func users(_ input: ListUsersEndpoint.Input, _ arrival: FakeArrival) throws -> ListUsersEndpoint.Output {
    _ = try fullCaller(arrival)
    return ListUsersEndpoint.Output(items: try found(input).map { .user(shown($0)) })
  }

  /// The users that a search finds. The policy's directory says what is open.
  private func found(_ input: ListUsersEndpoint.Input) throws -> [FakeUser] {
    let directory = policy.directory
    func demand(_ name: DirectoryPolicy.FindBy) throws {
      guard directory?.findBy.contains(name) == true else { throw FakeProblem("forbidden") }
    }
    if let ids = input.ids?.split(separator: ",").map(String.init) {
      guard ids.count <= 100 else { throw FakeProblem("malformed_request") }
      return ids.compactMap { accounts[$0] }
    }
    if let email = input.email {
      try demand(.email)
      return account(email: email).map { [$0] }?.filter(\.isVerified) ?? []
    }
    if let username = input.username {
      try demand(.username)
      let name = TypedText.trimmed(username).lowercased()
      return accounts.values.filter { $0.profile["username"]?.string?.lowercased() == name }
    }
    guard let prefix = input.prefix else { throw FakeProblem("forbidden") }
    try demand(.prefix)
    guard let start = Policy.namePrefix(prefix)?.lowercased() else { throw FakeProblem("malformed_request") }
    let fields = directory?.prefixOf ?? []
    let matching = accounts.values.filter { account in
      fields.contains { account.profile[$0]?.string?.lowercased().hasPrefix(start) == true }
    }
    return Array(matching.sorted { $0.id < $1.id }.prefix(20))
  }

  private func shown(_ account: FakeUser) -> PublicUser {
    let presence = Presence(online: account.isOnline, lastSeen: Timestamp(account.lastSeen))
    return PublicUser(
      id: account.id, profile: visible(account.profile, to: .user),
      presence: policy.presence.visibleTo == .users ? presence : nil)
  }

  /// The caller, with full access.
  mutating func fullCaller(_ arrival: FakeArrival) throws -> (session: FakeSession, account: FakeUser) {
    let caller = try caller(arrival)
    let next = needs(caller.account, in: caller.session)
    guard next.isEmpty else { throw FakeProblem("access_limited", next: next) }
    return caller
  }

  /// The export of a user, in fewer words than the real one.
  mutating func export(_ arrival: FakeArrival) throws -> FakeReply {
    struct Export: Encodable {
      var version = 1
      var user: User
    }
    let caller = try provenCaller(arrival, password: nil)
    return FakeReply(status: 200, body: try encode(Export(user: record(caller.account))))
  }

  /// The public policy, by its ETag.
  func policy(_ arrival: FakeArrival) throws -> FakeReply {
    let locales = policy.app.locales
    let language = arrival.languages.first(where: locales.contains) ?? locales.first ?? "en"
    var document = PublicPolicy(
      policy, of: policy.tenant, revision: 1, digest: tag(Data(policy.bundle)), language: language, at: arrival.now)
    let doors = settings.namedAttestDoors ?? settings.attestedDoors
    document.attest = doors.isEmpty ? nil : PublicPolicy.Attest(doors: doors.sorted(), environment: "development")
    let body = try encode(document)
    let tag = "\"\(tag(body))\""
    if arrival.headers["if-none-match"] == tag { return FakeReply(status: 304, headers: ["etag": tag]) }
    return FakeReply(status: 200, body: body, headers: ["etag": tag])
  }
}
