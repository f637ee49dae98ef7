import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseWire

extension PublicPolicy {
  /// The part of a tenant's policy that a form needs, in one language, at a moment.
  init(_ tenant: TenantSnapshot, language: String, at now: Date) {
    func picture(_ use: PictureUse) -> String? { tenant.pictures[use].map(tenant.url) }
    self.init(
      tenant.policy, of: tenant.name.description, revision: tenant.revision, digest: Hex.encode(tenant.digest),
      pictures: Pictures(logo: picture(.logo), logoDark: picture(.logoDark), ground: picture(.ground)),
      language: language, at: now)
  }
}
