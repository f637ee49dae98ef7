package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse tenant logo show`, `gatehouse provider logo show`. Throws `OperatorError` where there is none.
package enum ShowLogo {
  package static func run(_ input: ShowLogoOperation.Input, _ call: OperatorCall) async throws -> LogoSummary {
    let tenant = try await call.call(input.tenant).tenant
    return Logos.summary(try Logos.picture(try Logos.use(input.use), of: tenant), of: tenant)
  }
}
