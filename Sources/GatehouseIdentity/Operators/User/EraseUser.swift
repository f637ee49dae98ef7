package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse user erase`: removes the user and all that belongs to them, without a mail: who demands to be forgotten
/// gets none. The answer says what goes, and what cannot be reached. A dry run only looks.
package enum EraseUser {
  package static func run(_ input: EraseUserOperation.Input, _ call: OperatorCall) async throws
    -> EraseUserOperation.Output
  {
    let (user, seen) = try await call.user(input.user, of: input.tenant)
    let export = try await ExportMe.make(user.id, seen, call.services)
    // A policy's text that names the address, in an exception or a comment, is a document that the operator wrote.
    let revisions = try await call.store(of: seen).revisions(naming: user.reference)
    if input.dryRun != true { try await DeleteUser.remove(user, mailing: [], seen, call) }
    return EraseUserOperation.Output(
      email: user.email, sessions: export.facts.sessions.count, codes: export.count(of: "codes"),
      mails: export.count(of: "mails"), events: export.facts.events.count, revisions: revisions)
  }
}
