package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse user undelete` with `--since` or `--until`: one batch of the users that were deleted within that time. A
/// call that was interrupted has brought back whole users, and the next one goes on.
package enum UndeleteUsers {
  /// How long a call may take before it answers.
  private static let longest = Duration.seconds(2)
  private static let most = 100
  /// How many users that stay deleted are named.
  private static let mostSamples = 3

  package static func run(_ input: UndeleteUsersOperation.Input, _ call: OperatorCall) async throws
    -> UndeleteUsersOperation.Output
  {
    let seen = try await call.call(input.tenant)
    var look = DeletedUserLook(seen)
    (look.since, look.until) = (input.since?.date, input.until?.date)
    // GUARD: undelete: without a filter none is brought back
    guard look.since != nil || look.until != nil else {
      throw Refusal(.malformedRequest, detail: "name since or until: all deleted users is none")
    }
    look.cursor = try ListDeletedUsers.cursor(input.cursor)
    let limit = try OperatorCall.limit(input.limit, most, atMost: most)
    let users = try await call.store(of: seen).deletedUsers(look, limit: limit)
    var output = UndeleteUsersOperation.Output(found: users.count)
    if users.count == limit { output.nextCursor = users.last?.id.text }
    guard input.dryRun != true else { return output }
    let end = ContinuousClock.now + longest
    for (index, user) in users.enumerated() {
      do {
        try await UndeleteUser.bringBack(user, seen, call)
        output.changed += 1
      } catch StoreError.refused(.accountExists) {
        // Brought back or erased since.
      } catch let error as StoreError {
        guard let taken = UndeleteUser.taken(error) else { throw error }
        output.refused += 1
        if output.samples.count < mostSamples { output.samples.append("\(user.reference): \(taken)") }
      }
      if ContinuousClock.now >= end, index < users.count - 1 {
        (output.found, output.nextCursor) = (index + 1, user.id.text)
        break
      }
    }
    if !call.who.allows(.userRead) { output.samples = [] }
    return output
  }
}
