package import GatehouseAdminWire

/// `gatehouse audit search --all-tenants`: rows of all logs, newest first.
package enum SearchAllAudit {
  package static func run(_ input: SearchAllAuditOperation.Input, _ call: OperatorCall) async throws
    -> SearchAllAuditOperation.Output
  {
    // GUARD: audit search: all logs only for a reach of all tenants
    try call.requireAllTenants("so it cannot search all logs")
    let limit = try OperatorCall.limit(input.limit)
    let query = try SearchAudit.query(
      event: input.event, by: input.by, since: input.since, until: input.until, cursor: input.cursor)
    let tenants = try await call.services.directory.tenants()
    let names = Dictionary(tenants.map { ($0.id, $0.name.description) }) { first, _ in first }
    let found = try await call.services.directory.audit(
      query, of: [.installation] + tenants.map(\.id), limit: limit + 1)
    return SearchAudit.page(
      found.map { row in
        var record = AuditRecord(row.entry)
        record.tenant = names[row.log] ?? InstallationLog.name
        return record
      }, limit)
  }
}
