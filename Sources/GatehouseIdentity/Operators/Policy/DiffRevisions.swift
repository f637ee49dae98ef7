package import GatehouseAdminWire

/// `gatehouse policy diff TENANT --revision A B`.
package enum DiffRevisions {
  package static func run(_ input: DiffRevisionsOperation.Input, _ call: OperatorCall) async throws
    -> DiffRevisionsOperation.Output
  {
    let tenant = try await call.tenant(input.tenant)
    let (from, old) = try await DiffPolicy.revision(input.from, of: tenant, call.services)
    let (to, new) = try await DiffPolicy.revision(input.to, of: tenant, call.services)
    return DiffRevisionsOperation.Output(from: from, to: to, items: DiffPolicy.differences(old, new, call.services))
  }
}
