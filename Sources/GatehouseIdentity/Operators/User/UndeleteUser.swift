package import GatehouseAdminWire
import GatehousePolicy
import GatehouseWire

/// `gatehouse user undelete`: brings a deleted user back, as they were and signed in nowhere.
package enum UndeleteUser {
  package static func run(_ input: UndeleteUserOperation.Input, _ call: OperatorCall) async throws -> UserRecord {
    let seen = try await call.call(input.tenant)
    let found = try await call.deletedUsers(input.user, in: seen)
    guard let deleted = found.first else {
      throw OperatorError(
        .notFound, "\(seen.tenant.name) has no deleted user \"\(input.user)\" that can be brought back",
        hint: "gatehouse user list \(seen.tenant.name) --deleted")
    }
    guard found.count == 1 else {
      throw OperatorError(
        .refused, "\(found.count) deleted users had this address: \(found.map(\.id.text).joined(separator: ", "))",
        hint: "name one by id")
    }
    do { try await bringBack(deleted, seen, call) } catch let error as StoreError {
      guard let taken = taken(error) else { throw error }
      throw OperatorError(
        .exists, "\(deleted.reference) cannot be brought back: \(taken); they stay deleted, and nothing is lost",
        hint: "delete or change the other account, then try again before \(Timestamp(seen.erases(deleted)))")
    }
    return try await .of(try await call.user(deleted.id.text, in: seen), seen, call)
  }

  static func bringBack(_ user: DeletedUser, _ seen: Call, _ call: OperatorCall) async throws {
    try await call.store(of: seen).commit(
      [
        .user(.bringBack(user.id, email: user.email, since: seen.undoesDeletionsSince)),
        .audit(try call.entry(.userRestored, user: user.id)),
      ], as: .operator)
  }

  /// The value that another account took meanwhile, in words; nil for another reason.
  static func taken(_ error: StoreError) -> String? {
    switch error {
    case .emailTaken: "another account has the address"
    case .fieldTaken(let field): "another account has the value of \(field)"
    case .refused(.identityIsFree): "another account is linked to the same person at a provider"
    default: nil
    }
  }
}

extension OperatorCall {
  /// The deleted users with this address or id that can be brought back, newest first.
  func deletedUsers(_ text: String, in seen: Call) async throws -> [DeletedUser] {
    var look = DeletedUserLook(seen)
    if let id = UserID(text: TypedText.trimmed(text)) {
      look.id = id
    } else if let email = seen.policy.normalisedEmail(text, using: services.facts) {
      look.email = email
    } else {
      return []
    }
    return try await store(of: seen).deletedUsers(look, limit: 10)
  }
}
