import Foundation
import GatehousePrimitives
package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse policy undo`.
package enum UndoBackfill {
  package static func run(_ input: UndoBackfillOperation.Input, _ call: OperatorCall) async throws -> BackfillRecord {
    let store = call.services.store.open(try await call.tenant(input.tenant).id)
    let known = try await store.backfills().first { known in
      input.backfill.map { known.id.text.utf8.elementsEqual($0.lowercased().utf8) } ?? (known.order != nil)
    }
    let hint = "gatehouse policy backfills \(input.tenant)"
    guard let known else {
      throw OperatorError(
        .notFound,
        input.backfill.map { "\(input.tenant) has no backfill \"\($0)\"" }
          ?? "no fields of \(input.tenant) were ordered to be set",
        hint: hint)
    }
    guard known.order != nil else {
      throw OperatorError(
        .notAllowed, "values of a renamed field go back with the policy",
        hint: "gatehouse policy rollback \(input.tenant) REVISION")
    }
    do {
      try await store.commit(
        [
          .backfill(.undo(known.id)),
          .audit(try call.entry(.backfillUndone, details: ["backfill": known.id.text])),
        ], as: .operator)
    } catch StoreError.refused(.backfillIsCurrent) {
      throw OperatorError(
        .notAllowed, "it is \(known.shownState), or another revision than \(known.revision) is live", hint: hint)
    }
    guard let after = try await store.backfills().first(where: { $0.id == known.id }) else {
      throw OperatorError(.notFound, "the backfill is gone", hint: hint)
    }
    return BackfillRecord(after)
  }
}
