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
