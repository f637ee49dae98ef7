import GatehousePrimitives
package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse tenant logo set`, `gatehouse provider logo set`: checks a picture and keeps it for a use; an older one is
/// replaced.
///
/// Throws `OperatorError`: it is no picture that may be shown, or the policy has no such provider.
package enum SetLogo {
  package static func run(_ input: SetLogoOperation.Input, _ call: OperatorCall) async throws -> LogoSummary {
    guard let content = Base64URL.decode(input.base64url) else { throw Refusal.malformed("/base64url", "is none") }
    let file = try OperatorCall.line(input.file ?? "the picture", "file", limit: 500)
    let seen = try await call.call(input.tenant)
    let use = try Logos.use(input.use)
    // GUARD: logo: of a provider of the policy alone
    if case .provider(let name) = use { _ = try Providers.find(name, seen.tenant) }
    let type: PictureType
    do throws(PictureProblem) {
      type = try PictureCheck.kind(of: content)
    } catch {
      throw OperatorError(.refused, "\(file) is not taken as a logo: \(error)", hint: error.advice)
    }
    let picture = TenantPicture(
      use: use, type: type, size: content.count, sha256: SHA256.digest(content), setAt: call.services.clock.now)
    if input.dryRun != true {
      try await call.store(of: seen).setPicture(
        picture, content: content,
        audit: try call.entry(
          .tenantChanged, details: ["logo": Hex.encode(picture.sha256), "use": use.rawValue]))
    }
    return Logos.summary(picture, of: seen.tenant)
  }
}
