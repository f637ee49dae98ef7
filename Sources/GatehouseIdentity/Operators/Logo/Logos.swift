import GatehousePrimitives
import GatehouseWire

/// The common parts of the operations about logos.
enum Logos {
  /// The logo that a tenant has; throws `OperatorError` where there is none.
  static func logo(of tenant: TenantSnapshot) throws -> TenantLogo {
    guard let logo = tenant.logo else {
      throw OperatorError(
        .notFound, "\(tenant.name) has no logo", hint: "gatehouse tenant logo set \(tenant.name) FILE")
    }
    return logo
  }

  /// A logo as operations answer it.
  static func summary(_ logo: TenantLogo, of tenant: TenantSnapshot) -> LogoSummary {
    LogoSummary(
      mediaType: logo.type.rawValue, size: logo.size, sha256: Hex.encode(logo.sha256), url: tenant.url(of: logo),
      setAt: Timestamp(logo.setAt))
  }
}
