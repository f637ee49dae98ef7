// The clean-up after a restore to a point in time. What was spent after that moment is unspent again in the restored
// database: refresh tokens, codes, flows at providers, claims. Nothing tells which of them were, so all end.

import Foundation
import GatehousePrimitives
package import GatehouseWire

package struct RestoredDatabase: Sendable {
  /// A tenant before the clean-up.
  package struct Tenant: Sendable {
    package let record: TenantRecord
    /// The number of living things, by kind.
    package let living: [Revived: Int]
    /// Whether this restore is recorded: nothing more is ended then.
    package let isDone: Bool
    /// Whether something happened after the moment: servers have run since, or the database was not restored to it.
    package let goesOn: Bool
  }

  /// Rows in one transaction.
  package static let batch = 2000

  private let moment: Timestamp
  private let author: Author
  private let services: Services

  /// - Parameter moment: the one that the database was restored to. Throws `OperatorError` for one to come.
  package init(to moment: Timestamp, author: Author, _ services: Services) throws(OperatorError) {
    // GUARD: restore: to a moment that has been
    guard moment.date <= services.clock.now else {
      throw OperatorError(.refused, "\(moment) is still to come: a database is restored to a moment that has been")
    }
    self.moment = moment
    self.author = author
    self.services = services
  }

  /// All tenants, disabled ones too, by name. Nothing is changed.
  package func look() async throws -> [Tenant] {
    var tenants: [Tenant] = []
    for record in try await services.directory.tenants() {
      let store = services.store.open(record.id)
      var living: [Revived: Int] = [:]
      for kind in Revived.allCases { living[kind] = try await store.count(kind) }
      let newest = try await store.audit(AuditQuery(), limit: 1).first?.at
      tenants.append(
        Tenant(
          record: record, living: living, isDone: try await store.restoredTo() == moment.date,
          goesOn: newest.map { $0.timeIntervalSince(moment.date) >= 60 } ?? false))
    }
    return tenants.sorted { $0.record.name.description < $1.record.name.description }
  }

  /// Ends what lives in a tenant, in batches, and then records the gap: a clean-up that was stopped in the middle goes
  /// on when it is run again, and one that is done stays as it is. Returns the number of ended things, by kind.
  package func end(_ tenant: Tenant) async throws -> [Revived: Int] {
    // GUARD: restore: a clean-up that is done ends nothing more
    guard !tenant.isDone else { return [:] }
    let store = services.store.open(tenant.record.id)
    var ended: [Revived: Int] = [:]
    for kind in Revived.allCases {
      var count: Int
      repeat {
        count = try await store.end(kind, limit: RestoredDatabase.batch)
        ended[kind, default: 0] += count
      } while count > 0
    }
    let entry = author.entry(.databaseRestored, services, details: ["from": moment.description])
    do { try await store.recordRestore(to: moment.date, audit: entry) } catch StoreError.refused(.restoreIsNews) {
      // Another run of the same clean-up was faster.
    }
    return ended
  }

  /// Records the gap in the log of the installation, once.
  package func record() async throws {
    let store = services.store.open(.installation)
    let details = ["from": moment.description]
    let query = AuditQuery(event: AuditEvent.databaseRestored.rawValue, since: moment.date)
    guard try await !store.audit(query, limit: 1000).contains(where: { $0.details["from"] == details["from"] }) else {
      return
    }
    try await store.commit([.audit(author.entry(.databaseRestored, services, details: details))], as: .operator)
  }
}
