/// The app behind a tenant.
public struct App: Sendable, Hashable {
  /// The name that users know.
  public var name: String
  /// Where people turn to; shown on pages and in mails.
  public var supportEmail: String?
  /// Language tags; the first is what people get who ask for none of them.
  public var locales: [String]
  /// Overrides the server's public URL for this tenant; without a trailing slash.
  public var baseURL: String?
  /// `aud` of access tokens; nil: the tenant id.
  public var audience: String?
  /// The bundle identifiers of its Apple builds.
  public var bundleIDs: [String]
  /// Origins browsers may call from (CORS).
  public var origins: [String]
  /// Return targets, byte-exact.
  public var continueTargets: [String]
  /// A universal link or a scheme that opens the app.
  public var openApp: String?

  /// The defaults are those of a file that is silent.
  public init(
    name: String, supportEmail: String? = nil, locales: [String] = ["en"], baseURL: String? = nil,
    audience: String? = nil, bundleIDs: [String] = [], origins: [String] = [], continueTargets: [String] = [],
    openApp: String? = nil
  ) {
    self.name = name
    self.supportEmail = supportEmail
    self.locales = locales
    self.baseURL = baseURL
    self.audience = audience
    self.bundleIDs = bundleIDs
    self.origins = origins
    self.continueTargets = continueTargets
    self.openApp = openApp
  }
}
