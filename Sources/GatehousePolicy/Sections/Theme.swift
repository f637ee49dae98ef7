/// The looks of hosted pages and mails.
public struct Theme: Sendable, Hashable {
  public enum DarkMode: String, Sendable, Hashable, CaseIterable {
    case auto, always, never
  }

  /// File name of an asset.
  public var logo: String?
  /// `#RRGGBB`.
  public var primary: String?
  public var darkMode: DarkMode

  public init(logo: String? = nil, primary: String? = nil, darkMode: DarkMode = .auto) {
    self.logo = logo
    self.primary = primary
    self.darkMode = darkMode
  }
}
