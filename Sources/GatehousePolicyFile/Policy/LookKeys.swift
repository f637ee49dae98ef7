import GatehousePolicy

/// The keys of `theme` and `messages`.
enum LookKeys {
  static let theme = SettingTable<Theme>(
    "theme",
    [
      .text(
        "logo", \.logo, Forms.fileName, .looks, trust: false,
        "Read and used for nothing: `gatehouse tenant logo set` sets the logo."),
      .text("primary", \.primary, Forms.colour, .looks, trust: false, "The main colour."),
      .choice("dark_mode", \.darkMode, .looks, trust: false, "Whether pages are dark."),
      .integer(
        "logo_size", \.logoSize, Theme.logoSizes, .looks, trust: false, "Height of the logo in pixels; 32 by default."),
      .choice("logo_place", \.logoPlace, .looks, trust: false, "Where the logo stands above the heading."),
      .boolean(
        "wordmark", \.wordmark, .looks, trust: false, "Whether the logo spells the name, so that no text does."),
      .choice(
        "ground", \.ground, .looks, trust: false,
        "What is behind the card: `plain`, a `tint` of the colour, or the `picture` that the operator set."),
      .integer(
        "radius", \.radius, Theme.radii, .looks, trust: false,
        "Radius of buttons and fields in pixels; 8 by default. The card has twice as much."),
      .choice("font", \.font, .looks, trust: false, "The fonts, among those that devices have."),
      .choice(
        "provider_buttons", \.providerButtons, .looks, trust: false,
        "The ground of providers' buttons, as their brand guides allow."),
      .text("terms_url", \.termsURL, Forms.webPage, .looks, trust: false, "The address of the terms of service."),
      .text("privacy_url", \.privacyURL, Forms.webPage, .looks, trust: false, "The address of the privacy policy."),
    ])

  static let messages = SettingTable<Messages>("messages", Messages.Code.allCases.map(message))

  private static func message(_ code: Messages.Code) -> Setting<Messages> {
    Setting(
      Key(
        code.rawValue, trust: false, .looks, RuleKeys.texts("text"), "Title of this refusal, per language."),
      read: { node, messages in messages.byCode[code] = node.byLanguage },
      canonical: { $0.byCode[code]?.canonical })
  }
}
