import Foundation
import GatehousePolicy
import GatehouseWire

/// Sign-up, sign-in, and the record.
extension FakeWorld {
  mutating func signUp(_ input: SignUpEndpoint.Input, _ arrival: FakeArrival) throws -> SignUpAnswer {
    let email = address(input.email)
    try judge(email: email, password: input.password ?? "")
    let existing = account(email: email)
    if existing != nil, !settings.hidesAccounts { throw FakeProblem("account_exists") }
    var account = FakeUser(
      id: id(), email: email, password: input.password, profile: input.profile ?? [:], lastSeen: arrival.now,
      createdAt: arrival.now, updatedAt: arrival.now)
    guard !settings.hidesAccounts else {
      let signUp = id()
      if existing != nil {
        mails.append(FakeMail(to: email, kind: .signUpTried, code: nil))
      } else {
        account.isVerified = true
        send(.verification, .signUp(id: signUp, account: account), to: email, at: arrival.now)
      }
      return .pending(.init(next: ["verify_email"], requirements: nil, signUpID: signUp))
    }
    accounts[account.id] = account
    send(.verification, .verify(account: account.id), to: email, at: arrival.now)
    return .signedIn(open(account, device: input.device, at: arrival.now))
  }

  mutating func signIn(_ input: SignInEndpoint.Input, _ arrival: FakeArrival) throws -> SessionAnswer {
    guard
      let account = account(email: input.email)
        ?? (settings.acceptsEverything ? makeAnyone(input.email, at: arrival.now) : nil),
      accepts(input.password, of: account)
    else { throw FakeProblem("invalid_credentials") }
    guard !account.isDisabled else { throw FakeProblem("account_disabled") }
    return open(account, device: input.device, at: arrival.now)
  }

  mutating func signIn(_ input: ProviderSignInEndpoint.Input, _ arrival: FakeArrival) throws -> SessionAnswer {
    let identity = try identity(input.provider, input.idToken, input.nonce)
    if let known = accounts.values.first(where: { $0.subjects[input.provider] == identity.subject }) {
      guard !known.isDisabled else { throw FakeProblem("account_disabled") }
      return open(known, device: input.device, by: input.provider, at: arrival.now)
    }
    guard account(email: identity.email) == nil else { throw FakeProblem("account_exists") }
    var account = FakeUser(
      id: id(), email: identity.email.lowercased(), password: nil, isVerified: true, profile: input.profile ?? [:],
      lastSeen: arrival.now, createdAt: arrival.now, updatedAt: arrival.now)
    account.subjects[input.provider] = identity.subject
    accounts[account.id] = account
    return open(account, device: input.device, by: input.provider, at: arrival.now)
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

  /// Refuses with every broken rule.
  func judge(email: String? = nil, password: String? = nil) throws {
    var violations: [FakeProblem.Violation] = []
    if let email {
      let parts = email.split(separator: "@", omittingEmptySubsequences: false)
      if email.isEmpty {
        violations.append(
          .init(
            pointer: "/email", rule: "email.required", message: "An email address", sentence: "Please enter your email."
          ))
      } else if parts.count != 2 || parts.contains(where: \.isEmpty) || email.contains(" ") {
        violations.append(
          .init(
            pointer: "/email", rule: "email.syntax", message: "A valid email address",
            sentence: "Please enter a valid email."))
      }
    }
    if let password, password.count < settings.shortestPassword {
      let least = settings.shortestPassword
      violations.append(
        .init(
          pointer: "/password", rule: "password.min\(least)", message: "At least \(least) characters",
          sentence: "Password must be at least \(least) characters."))
    }
    guard violations.isEmpty else { throw FakeProblem("validation_failed", violations: violations) }
  }

  /// The warnings about a password.
  func warnings(about password: String?) -> [RuleWarning] {
    guard let later = settings.laterShortestPassword, let password, password.count < later.length else { return [] }
    return [
      RuleWarning(
        rule: "password.min\(later.length)", message: "At least \(later.length) characters",
        sentence: "Password must be at least \(later.length) characters.", enforceFrom: later.from)
    ]
  }

  /// The missing requirements of full access, in the order of a policy file.
  func needs(_ account: FakeUser) -> [String] {
    var needs: [String] = []
    if settings.requiresVerifiedEmail, !account.isVerified { needs.append("verify_email") }
    needs += settings.requiredLinks.filter { name in
      !account.links.contains { $0.provider == name && $0.isBroken != true }
    }.map { "link:\($0)" }
    needs += settings.requiredFields.filter { (account.profile[$0] ?? .null) == .null }.map { "profile:\($0)" }
    return needs + account.further.filter { !needs.contains($0) }
  }

  /// The person's own record.
  func record(_ account: FakeUser) -> User {
    User(
      id: account.id, email: account.email, emailVerified: account.isVerified, disabled: account.isDisabled,
      profile: account.profile,
      presence: Presence(online: account.isOnline, lastSeen: Timestamp(account.lastSeen)), links: account.links,
      createdAt: Timestamp(account.createdAt), updatedAt: Timestamp(account.updatedAt))
  }

  func me(of account: FakeUser) -> MeAnswer {
    let next = needs(account)
    return MeAnswer(
      user: record(account), access: next.isEmpty ? "full" : "limited", next: next, claims: claims(of: account))
  }

  /// The revision of the claims about an account, with every field a claim.
  func claims(of account: FakeUser) -> String {
    let fields = account.profile.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    return tag(Data("\(account.isVerified) \(needs(account).isEmpty) \(fields)".utf8))
  }

  private func tag(_ content: Data) -> String {
    let sum = content.reduce(UInt64(14_695_981_039_346_656_037)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
    return String(sum, radix: 16)
  }

  mutating func update(_ input: UpdateMeEndpoint.Input, _ arrival: FakeArrival) throws -> MeAnswer {
    var account = try caller(arrival).account
    for (field, value) in input.profile {
      account.profile[field] = value == .null ? nil : value
      account.further.removeAll { $0 == "profile:\(field)" }
    }
    account.updatedAt = arrival.now
    accounts[account.id] = account
    return me(of: account)
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
      presence: Presence(online: input.online, lastSeen: Timestamp(arrival.now)), idleAfter: settings.idleAfter)
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

  /// The users that a search finds. A policy's directory says what is open; without a policy everything is.
  private func found(_ input: ListUsersEndpoint.Input) throws -> [FakeUser] {
    let directory = settings.policy.flatMap { try? ContractJSON.decode(PublicPolicy.self, from: $0) }.map {
      $0.directory ?? PublicPolicy.Directory(findBy: [], prefixOf: [])
    }
    func demand(_ name: String) throws {
      guard directory?.findBy.contains(name) ?? true else { throw FakeProblem("forbidden") }
    }
    if let ids = input.ids?.split(separator: ",").map(String.init) {
      guard ids.count <= 100 else { throw FakeProblem("malformed_request") }
      return ids.compactMap { accounts[$0] }
    }
    if let email = input.email {
      try demand("email")
      return account(email: email).map { [$0] }?.filter(\.isVerified) ?? []
    }
    if let username = input.username {
      try demand("username")
      let name = TypedText.trimmed(username).lowercased()
      return accounts.values.filter { $0.profile["username"]?.string?.lowercased() == name }
    }
    guard let prefix = input.prefix else { throw FakeProblem("forbidden") }
    try demand("prefix")
    guard let start = Policy.namePrefix(prefix)?.lowercased() else { throw FakeProblem("malformed_request") }
    let fields = directory?.prefixOf ?? ["username", "name", "displayName"]
    let matching = accounts.values.filter { account in
      fields.contains { account.profile[$0]?.string?.lowercased().hasPrefix(start) == true }
    }
    return Array(matching.sorted { $0.id < $1.id }.prefix(20))
  }

  private func shown(_ account: FakeUser) -> PublicUser {
    PublicUser(
      id: account.id, profile: account.profile.filter { settings.publicFields?.contains($0.key) ?? true },
      presence: Presence(online: account.isOnline, lastSeen: Timestamp(account.lastSeen)))
  }

  /// The caller, with full access.
  mutating func fullCaller(_ arrival: FakeArrival) throws -> (session: FakeSession, account: FakeUser) {
    let caller = try caller(arrival)
    let next = needs(caller.account)
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
    guard let policy = settings.policy else { throw FakeProblem("not_found") }
    let tag = "\"\(tag(policy))\""
    if arrival.headers["if-none-match"] == tag { return FakeReply(status: 304, headers: ["etag": tag]) }
    return FakeReply(status: 200, body: policy, headers: ["etag": tag])
  }
}
