// What people may demand of an operator.

package import GatehouseWire

package enum DataRightsOperations {
  package static func export(_ input: ExportUserOperation.Input, _ call: OperatorCall) async throws -> DataExport {
    // The copy holds the person's part of the trail.
    try call.who.require(.auditRead)
    let seen = try await call.call(try await call.tenant(input.tenant))
    let user = try await OperatedUsers.find(input.user, seen, call.services)
    return try await DataRights.export(user, seen, author: try call.author(), call.services)
  }

  package static func erase(_ input: EraseUserOperation.Input, _ call: OperatorCall) async throws
    -> EraseUserOperation.Output
  {
    let seen = try await call.call(try await call.tenant(input.tenant))
    let user = try await OperatedUsers.find(input.user, seen, call.services)
    let extent = try await DataRights.extent(of: user, seen, call.services)
    if input.dryRun != true {
      try await OperatedUsers.erase(user, seen, author: try call.author(), call.services)
    }
    return EraseUserOperation.Output(
      email: user.email, sessions: extent.sessions, codes: extent.codes, mails: extent.mails,
      events: extent.events, revisions: extent.revisions)
  }
}
