import GatehousePolicy
import GatehousePrimitives
package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse user create`: makes a user without a password and mails them a way to choose one, where users have
/// passwords at all. The values are judged at the door `admin_create`. Refuses `validation_failed` with every
/// violation.
package enum CreateUser {
  package static func run(_ input: CreateUserOperation.Input, _ call: OperatorCall) async throws
    -> CreateUserOperation.Output
  {
    try await run(input, in: try await call.call(input.tenant), call)
  }

  /// The same, judged by a policy that was read before.
  package static func run(_ input: CreateUserOperation.Input, in seen: Call, _ call: OperatorCall) async throws
    -> CreateUserOperation.Output
  {
    let profile = try TypedProfile.values(input.profile, input.fields, seen.policy)
    if input.ifAbsent == true, let there = try await same(input.email, profile, seen, call) { return there }
    guard input.dryRun != true else {
      return CreateUserOperation.Output(
        email: DomainName.shown(inAddress: try judge(input.email, profile, seen, call.services).email))
    }
    return try await call.once(CreateUserOperation.self, in: seen) { seen in
      let judged = try judge(input.email, profile, seen, call.services)
      let user = StoredUser(
        id: UserID(call.services.clock.makeID()), email: judged.email, profile: judged.profile,
        createdAt: seen.now, updatedAt: seen.now, enteredBy: .adminCreate)
      let answer = CreateUserOperation.Output(
        id: user.id.text, email: DomainName.shown(inAddress: judged.email), mailed: seen.policy.hasPassword)
      let changes: [Change] =
        [
          .user(.insert(user, unique: UniqueValues.of(user.profile, seen.policy))),
          .audit(try call.entry(.userCreated, user: user.id)),
        ]
        + (try judged.exceptions.map {
          .audit(try call.entry(.exceptionUsed, user: user.id, details: $0.details))
        })
        + (
          // GUARD: password door: mail to a made account
          seen.policy.hasPassword ? try PasswordLink.message(.setPassword, to: user, seen, call.services) : [])
        + (try seen.keeping(answer, status: CreateUserOperation.status, about: user.id))
      do {
        try await call.store(of: seen).commit(changes, as: .operator)
      } catch let error as StoreError {
        throw UniqueValues.refusal(error, seen) ?? Refusal(error)
      }
      return answer
    }
  }

  /// The user who has the address already, if the given fields say the same; refuses one who differs.
  private static func same(
    _ email: String, _ profile: [String: FieldValue], _ seen: Call, _ call: OperatorCall
  ) async throws -> CreateUserOperation.Output? {
    guard let email = seen.policy.normalisedEmail(email, using: call.services.facts),
      let user = try await call.store(of: seen).user(email: email)?.user
    else { return nil }
    let given = seen.policy.decide(
      .adminCreate, Facts(email: email, profile: profile, writer: .admin), at: seen.now, using: call.services.facts
    ).normalised.profile
    let other = profile.keys.sorted().filter { (given[$0] ?? .null) != (user.profile[$0] ?? .null) }
    guard other.isEmpty else {
      throw OperatorError(
        .exists,
        "\(DomainName.shown(inAddress: email)) is a user already, with another \(other.joined(separator: ", "))",
        hint: "gatehouse user set \(seen.tenant.name) \(user.id.text) FIELD=VALUE")
    }
    return CreateUserOperation.Output(
      id: user.id.text, email: DomainName.shown(inAddress: email), mailed: false, existed: true)
  }

  private static func judge(_ email: String, _ profile: [String: FieldValue], _ seen: Call, _ services: Services) throws
    -> (email: String, profile: [String: FieldValue], exceptions: [PolicyException])
  {
    let facts = Facts(email: email, profile: profile, writer: .admin)
    let decision = seen.policy.decide(.adminCreate, facts, at: seen.now, using: services.facts)
    guard
      decision.allow,  // GUARD: door: made by an operator
      let canonical = decision.normalised.email
    else {
      throw Refusal(.validationFailed, violations: decision.violations)
    }
    return (canonical, decision.normalised.profile, decision.exceptions)
  }
}
