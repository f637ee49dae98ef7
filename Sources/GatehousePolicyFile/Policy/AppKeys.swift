import GatehousePolicy

/// The keys of `app`.
enum AppKeys {
  static let app = SettingTable<App>(
    "app",
    [
      .text("name", \.name, .any(80), .looks, trust: false, required: true, "Shown to people."),
      .text("support_email", \.supportEmail, Forms.email, .looks, trust: false, "Where people can ask for help."),
      .texts(
        "locales", \.locales, Forms.language, count: 1...20, .looks, trust: false,
        "Languages of texts and mails, the first by default."),
      .text(
        "base_url", \.baseURL, Forms.serverURL, .unsure, trust: true, "Overrides the server's public URL in links."),
      .text(
        "audience", \.audience, Forms.token, .unsure, trust: true,
        "`aud` of access tokens; the tenant id by default."),
      .texts(
        "bundle_ids", \.bundleIDs, Forms.token, count: 0...20, .fewerIsStricter, trust: true,
        "Ids of the apps on Apple platforms."),
      .texts(
        "origins", \.origins, Forms.origin, count: 0...50, .fewerIsStricter, trust: true,
        "Web origins that may call (CORS)."),
      .texts(
        "continue", \.continueTargets, Forms.returnURL, count: 0...50, .fewerIsStricter, trust: true,
        "Where pages may lead back to, compared byte by byte."),
      .text("open_app", \.openApp, Forms.returnURL, .unsure, trust: true, "A link that opens the app."),
    ])
}
