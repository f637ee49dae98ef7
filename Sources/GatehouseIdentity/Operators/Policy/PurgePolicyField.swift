import GatehousePolicy
package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse policy purge`: removes the stored values of a field that the live policy does not have, batch by batch. A
/// walk that was broken off can begin again: it finds what is left.
package enum PurgePolicyField {
  /// How long the walk over stored users may take before it answers.
  private static let longest = Duration.seconds(2)

  package static func run(_ input: PurgePolicyFieldOperation.Input, _ call: OperatorCall) async throws
    -> PurgePolicyFieldOperation.Output
  {
    let seen = try await call.call(input.tenant)
    // GUARD: purge: never a field of the live policy
    guard seen.policy.profile.field(input.field) == nil else {
      throw OperatorError(
        .notAllowed, "the live policy of \(seen.tenant.name) has the field \"\(input.field)\"",
        hint: "gatehouse policy show \(seen.tenant.name)")
    }
    let cursor = try input.cursor.map { text in
      guard let id = UserID(text: text) else { throw Refusal.malformed("/cursor", "is not from this operation") }
      return id
    }
    let store = call.store(of: seen)
    // GUARD: purge: never values that are on their way
    if let move = try await store.backfills().first(where: {
      $0.state.isInTransit && [$0.field, $0.source].contains(input.field)
    }) {
      throw OperatorError(
        .notAllowed, "values of \"\(input.field)\" still move to \"\(move.target)\"",
        hint: "gatehouse policy backfills \(seen.tenant.name)")
    }
    var holders: Set<UserID> = []
    var output = PurgePolicyFieldOperation.Output(seen: 0, found: 0)
    let next = try await UserScan.visit(
      after: cursor, within: longest, id: \.id,
      read: { (after: UserID?, limit: Int) async throws -> [StoredUser] in
        let users = try await store.users(after: after, newest: limit)
        let stored = users.filter { $0.profile[input.field] != nil }
        // GUARD: purge: values that a backfill keeps go as well
        let kept = try await store.users(keeping: input.field, among: users.map(\.id))
        holders = kept.union(stored.map(\.id))
        if input.dryRun != true {
          try await LeftoverValues.clear([input.field], of: stored, in: seen, call)
          try await store.commit(
            kept.isEmpty ? [] : [.backfill(.forget(field: input.field, of: Array(kept)))], as: .operator)
        }
        return users
      },
      goesOn: { (user: StoredUser) in
        output.seen += 1
        if holders.contains(user.id) { output.found += 1 }
        return true
      })
    output.nextCursor = next?.text
    return output
  }
}
