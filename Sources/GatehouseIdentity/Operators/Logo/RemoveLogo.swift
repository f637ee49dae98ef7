import GatehousePrimitives
package import GatehouseAdminWire
package import GatehouseWire

/// `gatehouse tenant logo remove`, `gatehouse provider logo remove`. Throws `OperatorError` where there is none.
package enum RemoveLogo {
  package static func run(_ input: RemoveLogoOperation.Input, _ call: OperatorCall) async throws -> Nothing {
    let seen = try await call.call(input.tenant)
    let use = try Logos.use(input.use)
    let removed = Hex.encode(try Logos.picture(use, of: seen.tenant).sha256)
    try await call.store(of: seen).removePicture(
      use,
      audit: try call.entry(
        .tenantChanged, details: ["logo": removed, "use": use.rawValue, "removed": "true"]))
    return Nothing()
  }
}
