import GatehouseIdentity

/// `gatehouse tenant logo`.
enum TenantLogoVerb {
  /// The pictures of a tenant's own.
  enum Use: String, CaseIterable {
    case logo
    case logoDark = "logo_dark"
    case ground

    fileprivate var picture: PictureUse {
      switch self {
      case .logo: .logo
      case .logoDark: .logoDark
      case .ground: .ground
      }
    }
  }

  private static let use = Flag(
    "use", Kind<Use>.word, "logo_dark: the logo on dark ground; ground: the picture behind the pages (default logo)")

  static let command = Command(
    "tenant", "logo", summary: "Give a tenant's pages a logo",
    notes: [
      "The action set takes an SVG in UTF-8, or a PNG of 16 to 1024 pixels a side, of at most 32 KB. The logo stands at the top of every page, at the theme's logo_size, and is the icon of the browser's tab. Where there is no logo_dark, it stands on a light plate on dark ground. The ground is shown where the policy has theme: {ground: picture}. Every server follows within a second.",
      LogoVerb.drawings,
      "Pictures belong to the tenant and not to its policy: policy apply and a watched policy file leave them alone. The action show prints the address, which the public policy names in theme.",
    ],
    arguments: [LogoVerb.action, OperatorCommand.tenant, LogoVerb.file], flags: [use],
    examples: [
      Example("gatehouse tenant logo set dd-ride policies/logos/dd-ride.svg", "the pages show it from now on"),
      Example("gatehouse tenant logo set dd-ride night.svg --use logo_dark", "another one on dark ground"),
      Example("gatehouse tenant logo remove dd-ride --yes", "the first letter of the app's name again"),
    ],
    exits: LogoVerb.exits, mutating: true, prints: true, settings: .backend,
    run: { invocation in
      try await LogoVerb.run(invocation, (invocation[use] ?? .logo).picture, help: "tenant logo")
    })
}
