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
