import GatehousePrimitives
import GatehouseAdminWire
import GatehouseWire

/// The common parts of the operations about logos and other pictures of a tenant.
enum Logos {
  /// The use that a request names; the logo where it names none.
  static func use(_ word: String?) throws -> PictureUse {
    guard let word else { return .logo }
    guard let use = PictureUse(rawValue: word) else {
      throw Refusal.malformed("/use", "is logo, logo_dark, ground, or provider: with the name of a provider")
    }
    return use
  }

  /// The picture that a tenant has for a use; throws `OperatorError` where there is none.
  static func picture(_ use: PictureUse, of tenant: TenantSnapshot) throws -> TenantPicture {
    guard let picture = tenant.pictures[use] else {
      throw OperatorError(.notFound, "\(tenant.name) has no \(use.noun)", hint: setting(use, of: tenant))
    }
    return picture
  }

  /// The command that sets one.
  private static func setting(_ use: PictureUse, of tenant: TenantSnapshot) -> String {
    switch use {
    case .logo: "gatehouse tenant logo set \(tenant.name) FILE"
    case .logoDark, .ground: "gatehouse tenant logo set \(tenant.name) FILE --use \(use.rawValue)"
    case .provider(let name): "gatehouse provider logo set \(tenant.name) \(name) FILE"
    }
  }

  /// A picture as operations answer it.
  static func summary(_ picture: TenantPicture, of tenant: TenantSnapshot) -> LogoSummary {
    LogoSummary(
      use: picture.use.rawValue, mediaType: picture.type.rawValue, size: picture.size,
      sha256: Hex.encode(picture.sha256), url: tenant.url(of: picture), setAt: Timestamp(picture.setAt))
  }
}
