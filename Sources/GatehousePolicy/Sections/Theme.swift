/// The looks of hosted pages and mails.
public struct Theme: Sendable, Hashable {
  /// Whether pages follow the device.
  public enum DarkMode: String, Sendable, Hashable, CaseIterable {
    case auto, always, never
  }

  /// A file name that files may say and nothing uses: a tenant's logo is not part of its policy.
  public var logo: String?
  /// `#RRGGBB`.
  public var primary: String?
  /// Whether pages follow the device.
  public var darkMode: DarkMode

  /// The defaults are those of a file that is silent.
  public init(logo: String? = nil, primary: String? = nil, darkMode: DarkMode = .auto) {
    self.logo = logo
    self.primary = primary
    self.darkMode = darkMode
  }
}
