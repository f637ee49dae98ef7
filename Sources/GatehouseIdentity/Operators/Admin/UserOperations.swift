// People, as operators ask for them. The doors of the policy apply here as they do to every other caller.

import GatehousePolicy
package import GatehouseWire

package enum UserOperations {
  package static func list(_ input: ListUsersOperation.Input, _ call: OperatorCall) async throws
    -> ListUsersOperation.Output
  {
    let tenant = try await call.tenant(input.tenant)
    let limit = try OperatorCall.limit(input.limit)
    let cursor = try input.cursor.map { text in
      guard let id = UserID(text: text) else { throw Refusal.malformed("/cursor", "is none of this list") }
      return id
    }
    let query = input.query?.lowercased()
    if let rule = input.failing {
      let (found, next) = try await FailingUsers.list(
        rule, emailContains: query, after: cursor, limit: limit, within: .seconds(2), try await call.call(tenant),
        call.services)
      return ListUsersOperation.Output(items: found.map(UserSummary.init), nextCursor: next?.text)
    }
    let found = try await call.services.store.open(tenant.id).users(
      emailContains: query, after: cursor, limit: limit + 1)
    let items = found.prefix(limit)
    return ListUsersOperation.Output(
      items: items.map(UserSummary.init), nextCursor: found.count > limit ? items.last?.id.text : nil)
  }

  package static func show(_ input: ShowUserOperation.Input, _ call: OperatorCall) async throws -> UserRecord {
    let (user, seen) = try await user(input.user, of: input.tenant, call)
    return try await record(user, seen, call)
  }

  package static func create(_ input: CreateUserOperation.Input, _ call: OperatorCall) async throws
    -> CreateUserOperation.Output
  {
    let seen = try await call.call(try await call.tenant(input.tenant))
    let profile = try profile(input.profile, input.fields, seen.policy)
    guard input.dryRun != true else {
      let judged = try OperatedUsers.judge(email: input.email, profile: profile, seen, call.services)
      return CreateUserOperation.Output(email: judged.email)
    }
    return try await call.once(CreateUserOperation.self, in: seen) { seen in
      let user = try await OperatedUsers.create(
        email: input.email, profile: profile, seen, author: try call.author(), call.services)
      return CreateUserOperation.Output(user, seen.policy)
    }
  }

  package static func change(_ input: SetUserOperation.Input, _ call: OperatorCall) async throws -> UserRecord {
    let (user, seen) = try await user(input.user, of: input.tenant, call)
    let author = try call.author()
    let profile = try profile(input.profile, input.fields, seen.policy)
    if !profile.isEmpty {
      _ = try await OperatedUsers.set(profile, of: user, seen, author: author, call.services)
    }
    if let disabled = input.disabled {
      try await OperatedUsers.setDisabled(user, disabled, seen, author: author, call.services)
    }
    return try await record(try await OperatedUsers.find(user.id.text, seen, call.services), seen, call)
  }

  package static func delete(_ input: DeleteUserOperation.Input, _ call: OperatorCall) async throws -> Nothing {
    let (user, seen) = try await user(input.user, of: input.tenant, call)
    try await OperatedUsers.delete(user, seen, author: try call.author(), call.services)
    return Nothing()
  }

  package static func verify(_ input: VerifyUserEmailOperation.Input, _ call: OperatorCall) async throws -> Nothing {
    let (user, seen) = try await user(input.user, of: input.tenant, call)
    try await OperatedUsers.verifyEmail(user, seen, author: try call.author(), call.services)
    return Nothing()
  }

  package static func sendReset(_ input: SendUserResetOperation.Input, _ call: OperatorCall) async throws -> Nothing {
    let (user, seen) = try await user(input.user, of: input.tenant, call)
    try await OperatedUsers.sendReset(user, seen, author: try call.author(), call.services)
    return Nothing()
  }

  package static func unlock(_ input: UnlockUserOperation.Input, _ call: OperatorCall) async throws -> Nothing {
    let (user, seen) = try await user(input.user, of: input.tenant, call)
    try await OperatedUsers.unlock(user, seen, author: try call.author(), call.services)
    return Nothing()
  }

  package static func sessions(_ input: ListUserSessionsOperation.Input, _ call: OperatorCall) async throws
    -> ListUserSessionsOperation.Output
  {
    let (user, seen) = try await user(input.user, of: input.tenant, call)
    let found = try await call.services.store.open(seen.tenant.id).sessions(of: user.id)
    return ListUserSessionsOperation.Output(
      items: found.map { session in
        UserSession(
          id: session.id.text, device: session.deviceName, place: session.place,
          createdAt: Timestamp(session.createdAt), lastSeenAt: Timestamp(session.lastSeenAt))
      })
  }

  package static func revoke(_ input: RevokeSessionsOperation.Input, _ call: OperatorCall) async throws -> Nothing {
    let one = try input.session.map { text in
      guard let id = SessionID(text: text) else {
        throw Refusal(.malformedRequest, detail: "\"\(text)\" is no session's id")
      }
      return id
    }
    let (user, seen) = try await user(input.user, of: input.tenant, call)
    try await OperatedUsers.revoke(one, of: user, seen, author: try call.author(), call.services)
    return Nothing()
  }

  private static func user(_ user: String, of tenant: String, _ call: OperatorCall) async throws -> (
    user: StoredUser, seen: Call
  ) {
    let seen = try await call.call(try await call.tenant(tenant))
    return (try await OperatedUsers.find(user, seen, call.services), seen)
  }

  private static func record(_ user: StoredUser, _ seen: Call, _ call: OperatorCall) async throws -> UserRecord {
    let sightings = try await seen.sightings(of: user.id, call.services)
    let last = try await call.services.store.open(seen.tenant.id).lastSignIn(of: user.id)
    return UserRecord(user, user.presence(sightings, seen.policy, at: seen.now), last)
  }

  /// Values as JSON has them, and values as an operator typed them.
  private static func profile(_ profile: [String: FieldValue]?, _ words: [String]?, _ policy: Policy) throws
    -> [String: FieldValue]
  {
    var values = profile ?? [:]
    for word in words ?? [] {
      let (name, value) = try typed(word, policy)
      values[name] = value
    }
    return values
  }

  /// `name=value`, read by the type of the policy's field; `name=` clears it.
  private static func typed(_ word: String, _ policy: Policy) throws -> (String, FieldValue) {
    guard let equals = word.firstIndex(of: "="), equals != word.startIndex else {
      throw Refusal(.malformedRequest, detail: "\"\(word)\" is not a field and its value, as role=admin")
    }
    let name = String(word[..<equals])
    let text = String(word[word.index(after: equals)...])
    switch policy.profile.fields.first(where: { $0.name == name })?.type {
    case .some where text.isEmpty: return (name, .null)
    case .integer:
      guard let number = Int64(text) else {
        throw Refusal(.malformedRequest, detail: "\(name) takes a whole number, not \"\(text)\"")
      }
      return (name, .integer(number))
    case .boolean:
      guard text == "true" || text == "false" else {
        throw Refusal(.malformedRequest, detail: "\(name) takes true or false")
      }
      return (name, .boolean(text == "true"))
    default: return (name, .string(text))
    }
  }
}

extension UserSummary {
  fileprivate init(_ user: StoredUser) {
    self.init(
      id: user.id.text, email: user.email, emailVerified: user.emailVerifiedAt != nil,
      disabled: user.disabledAt != nil, createdAt: Timestamp(user.createdAt))
  }
}

extension UserRecord {
  fileprivate init(_ user: StoredUser, _ presence: Presence, _ last: SignInTrace?) {
    self.init(
      id: user.id.text, email: user.email, emailVerified: user.emailVerifiedAt != nil,
      disabled: user.disabledAt != nil, profile: user.profile, online: presence.online,
      lastSeen: presence.lastSeen, lastSignIn: last.map(LastSignIn.init), createdAt: Timestamp(user.createdAt))
  }
}

extension LastSignIn {
  fileprivate init(_ trace: SignInTrace) {
    let method = trace.method.map { Proof.Method(reference: $0).name }
    self.init(at: Timestamp(trace.at), method: method, device: trace.deviceName, place: trace.place)
  }
}
