import GatehousePrimitives
package import GatehouseWire

/// `gatehouse tenant logo remove`. Throws `OperatorError` where there is none.
package enum RemoveLogo {
  package static func run(_ input: RemoveLogoOperation.Input, _ call: OperatorCall) async throws -> Nothing {
    let seen = try await call.call(input.tenant)
    let removed = Hex.encode(try Logos.logo(of: seen.tenant).sha256)
    try await call.store(of: seen).removeLogo(
      audit: try call.entry(.tenantChanged, details: ["logo": removed, "removed": "true"]))
    return Nothing()
  }
}
