package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse user erase`: removes the user and all that belongs to them, without a mail: who demands to be forgotten
/// gets none. Deleted users with this address or id that could be brought back are erased as well. The answer says what
/// goes, and what cannot be reached. A dry run only looks.
package enum EraseUser {
  package static func run(_ input: EraseUserOperation.Input, _ call: OperatorCall) async throws
    -> EraseUserOperation.Output
  {
    let seen = try await call.call(input.tenant)
    let deleted = try await call.deletedUsers(input.user, in: seen)
    let user: StoredUser?
    do { user = try await call.user(input.user, in: seen) } catch let error as OperatorError {
      guard !deleted.isEmpty else { throw error }
      user = nil
    }
    // A policy's text that names the address, in an exception or a comment, is a document that the operator wrote.
    let revisions = try await call.store(of: seen).revisions(
      naming: user?.reference ?? deleted.first?.reference ?? input.user)
    var output = EraseUserOperation.Output(
      email: user?.email ?? deleted.first?.email, deleted: deleted.count, revisions: revisions)
    if let user {
      let export = try await ExportMe.make(user.id, seen, call.services)
      (output.sessions, output.codes) = (export.facts.sessions.count, export.count(of: "codes"))
      (output.mails, output.events) = (export.count(of: "mails"), export.facts.events.count)
    }
    guard input.dryRun != true else { return output }
    for user in deleted { try await eraseAside(user, seen, call) }
    if let user { try await DeleteUser.remove(user, undoUntil: nil, mailing: [], seen, call) }
    return output
  }

  private static func eraseAside(_ user: DeletedUser, _ seen: Call, _ call: OperatorCall) async throws {
    try await call.store(of: seen).commit(
      [.user(.eraseAside(user.id)), .audit(try call.entry(.userErased, user: user.id))], as: .operator)
  }
}
