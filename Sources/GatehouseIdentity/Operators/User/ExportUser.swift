package import GatehouseAdminWire
package import GatehouseWire

/// `gatehouse user export`: a copy of what is stored about a user. The copy is an event of the audit log.
package enum ExportUser {
  package static func run(_ input: ExportUserOperation.Input, _ call: OperatorCall) async throws -> DataExport {
    for scope in PersonReading.copy { try call.who.require(scope) }
    let (user, seen) = try await call.user(input.user, of: input.tenant)
    let export = try await ExportMe.make(user.id, seen, call.services)
    try await call.store(of: seen).commit([.audit(try call.entry(.userExported, user: user.id))], as: .operator)
    return export
  }
}
