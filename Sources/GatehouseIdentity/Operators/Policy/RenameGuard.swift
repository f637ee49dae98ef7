import GatehousePolicy
import GatehousePolicyFile

/// Refuses a rename from a name that no field had, to another type, and of names that take part in a move that is not
/// done.
enum RenameGuard {
  static func demand(_ file: PolicyFile, against live: Policy, of tenant: TenantRecord, _ services: Services)
    async throws
  {
    let renames = file.policy.newRenames(against: live)
    guard !renames.isEmpty else { return }
    let store = services.store.open(tenant.id)
    let moves = try await store.backfills().filter(\.state.isInTransit)
    for rename in renames {
      func refuse(_ problem: String, hint: String) -> OperatorError {
        OperatorError(
          .refused, "\(file.name) is not applied: \(rename.field) can not be renamed from \(rename.source): \(problem)",
          hint: hint)
      }
      if let old = live.profile.field(rename.source), let new = file.policy.profile.field(rename.field) {
        guard old.type == new.type else {
          throw refuse(
            "it is of type \(new.type.rawValue), and \(old.name) of type \(old.type.rawValue)",
            hint: "rename the field first, and change its type in a later revision")
        }
      } else if try await store.revisions(naming: rename.source).isEmpty {
        let names = live.profile.fields.map(\.name)
        let meant = Suggestion.nearest(to: rename.source, among: names).map { "; did you mean \"\($0)\"?" } ?? ""
        throw refuse("no revision has such a field\(meant)", hint: "gatehouse policy show \(tenant.name)")
      }
      // GUARD: renames: one after another
      if let move = moves.first(where: { move in
        Rename(field: move.field, source: move.source) != rename
          && !Set([move.field, move.source]).isDisjoint(with: [rename.field, rename.source])
      }) {
        throw refuse(
          "values of \(move.source) still move \(move.state == .returning ? "back from" : "to") \(move.field)",
          hint: "wait until gatehouse policy backfills \(tenant.name) says that it is done")
      }
    }
  }
}
