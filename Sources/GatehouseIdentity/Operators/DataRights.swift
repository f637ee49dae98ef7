// What people may demand of an operator: a copy of what is stored about them, and that it be erased.

import GatehousePolicy
package import GatehouseWire

package enum DataRights {
  /// The copy, which is an event of the trail.
  package static func export(_ user: StoredUser, _ call: Call, author: Author, _ services: Services) async throws
    -> DataExport
  {
    let export = try await ExportMe.make(user.id, call, services)
    try await services.store.open(call.tenant.id).commit(
      [
        .audit(author.entry(.userExported, services, user: user.id))
      ], as: .operator)
    return export
  }

  /// What erasing a person takes away, and what it cannot reach.
  package struct Extent: Sendable {
    package var sessions: Int
    package var codes: Int
    package var mails: Int
    package var events: Int
    /// Revisions of the policy whose text names the address, in an exception or a comment: a document that the operator wrote.
    package var revisions: [Int]
  }

  package static func extent(of user: StoredUser, _ call: Call, _ services: Services) async throws -> Extent {
    let store = services.store.open(call.tenant.id)
    let export = try await ExportMe.make(user.id, call, services)
    return Extent(
      sessions: export.sessions.count, codes: export.codes.count, mails: export.mails.count,
      events: export.events.count, revisions: try await store.revisions(naming: user.email))
  }
}
