import GatehouseIdentity

/// `gatehouse provider logo`.
enum ProviderLogoVerb {
  private static let provider = Argument("PROVIDER", "its name in the policy, such as google")

  static let command = Command(
    "provider", "logo", summary: "Give the button of a provider its logo",
    notes: [
      "Brand guides forbid redrawn marks, so the program brings none. The action set takes the file that the provider publishes for sign-in buttons: an SVG in UTF-8, or a PNG of 16 to 1024 pixels a side, of at most 32 KB. Take the file that belongs to the theme's provider_buttons: the mark for white buttons, unless the policy says black. Without a logo the button has words alone.",
      LogoVerb.drawings,
    ],
    arguments: [LogoVerb.action, OperatorCommand.tenant, provider, LogoVerb.file],
    examples: [
      Example("gatehouse provider logo set vibes google google.svg", "the button shows it from now on"),
      Example("gatehouse provider logo show vibes google --output json", "kind, size, hash, address and time"),
      Example("gatehouse provider logo remove vibes google --yes", "words alone again"),
    ],
    exits: LogoVerb.exits, mutating: true, prints: true, settings: .backend,
    run: { invocation in
      try await LogoVerb.run(invocation, .provider(invocation.argument(provider.name)), help: "provider logo")
    })
}
