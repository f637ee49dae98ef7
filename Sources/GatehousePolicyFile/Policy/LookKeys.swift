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

  static let messages = SettingTable<Messages>(
    "messages",
    Messages.Code.allCases.map(message) + [
      sparse(
        "pages", called: "pages",
        Messages.Page.allCases.map { page in
          sparse(
            page.rawValue, called: "page",
            page.parts.map { part in
              own(part, "of this page") {
                $0.pages[page]?[part]
              } set: {
                $0.pages[page, default: [:]][part] = $1
              }
            }, "Words of one page.")
        }, "Own words on the hosted pages, by page, part and language."),
      sparse(
        "mails", called: "mails",
        Messages.Mail.allCases.map { mail in
          sparse(
            mail.rawValue, called: "mail",
            TextPart.allCases.map { part in
              own(part, "of this mail") {
                $0.mails[mail]?[part]
              } set: {
                $0.mails[mail, default: [:]][part] = $1
              }
            }, "Words of one mail.")
        }, "Own words in mails, by mail, part and language."),
    ])

  private static func message(_ code: Messages.Code) -> Setting<Messages> {
    Setting(
      Key(
        code.rawValue, trust: false, .looks, RuleKeys.texts("text"), "Title of this refusal, per language."),
      read: { node, messages in messages.byCode[code] = node.byLanguage },
      canonical: { $0.byCode[code]?.canonical })
  }

  /// The text of one part, where `{app}` is the one mark.
  private static func own(
    _ part: TextPart, _ place: String, _ get: @escaping @Sendable (Messages) -> Texts?,
    set: @escaping @Sendable (inout Messages, Texts) -> Void
  ) -> Setting<Messages> {
    let shape = Shape.dictionary(
      DictionaryShape("text", names: Forms.language, .text(Forms.ownText(part == .lead ? 300 : 120)), count: 1...20))
    return Setting(
      Key(part.rawValue, trust: false, .looks, shape, "The \(part.rawValue) \(place), per language."),
      read: { node, messages in if let texts = node.byLanguage { set(&messages, texts) } },
      canonical: { get($0)?.canonical })
  }

  /// A map that stands in the canonical form where anything in it is stated.
  private static func sparse(
    _ name: String, called what: String, _ members: [Setting<Messages>], _ summary: String
  ) -> Setting<Messages> {
    let map = Setting<Messages>.map(name, called: what, trust: false, members, summary)
    return Setting(
      map.key, members: map.members, read: map.read,
      canonical: { messages in
        let stated = members.canonical(messages)
        return stated.isEmpty ? nil : .object(stated)
      })
  }
}
