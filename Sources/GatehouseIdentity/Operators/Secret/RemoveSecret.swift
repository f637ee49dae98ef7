package import GatehouseAdminWire
package import GatehouseWire

/// `gatehouse secret remove`.
package enum RemoveSecret {
  package static func run(_ input: RemoveSecretOperation.Input, _ call: OperatorCall) async throws -> Nothing {
    let seen = try await call.call(input.tenant)
    guard
      try await call.store(of: seen).removeSecret(
        input.name, audit: try call.entry(.secretChanged, details: ["name": input.name, "removed": "true"]))
    else {
      throw OperatorError(
        .notFound, "\(seen.tenant.name) has no secret \"\(input.name)\"",
        hint: "gatehouse secret list \(seen.tenant.name)")
    }
    return Nothing()
  }
}
