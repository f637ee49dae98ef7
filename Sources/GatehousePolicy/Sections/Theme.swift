/// The looks of hosted pages and mails.
public struct Theme: Sendable, Hashable {
  /// Whether pages follow the device.
  public enum DarkMode: String, Sendable, Hashable, CaseIterable {
    case auto, always, never
  }

  /// The place of the logo above the heading.
  public enum Place: String, Sendable, Hashable, CaseIterable {
    case start, center
  }

  /// The ground behind the card of a page.
  public enum Ground: String, Sendable, Hashable, CaseIterable {
    /// A grey of the house.
    case plain
    /// The same with a tint of the primary colour.
    case tint
    /// The picture that the operator set; a tint without one.
    case picture
  }

  /// A list of fonts that devices have. Pages load none.
  public enum Font: String, Sendable, Hashable, CaseIterable {
    case system, serif, rounded, mono
  }

  /// The ground of providers' buttons, among those that brand guides allow.
  public enum ProviderButtons: String, Sendable, Hashable, CaseIterable {
    case white, black, neutral
  }

  /// The sizes that a logo may have, in pixels.
  public static let logoSizes: ClosedRange<Int64> = 24...64
  /// The radii that corners may have, in pixels.
  public static let radii: ClosedRange<Int64> = 0...24

  /// A file name that files may say and nothing uses: a tenant's logo is not part of its policy.
  public var logo: String?
  /// `#RRGGBB`.
  public var primary: String?
  /// Whether pages follow the device.
  public var darkMode: DarkMode
  /// The height of the logo in pixels.
  public var logoSize: Int64
  /// The place of the logo.
  public var logoPlace: Place
  /// Whether the logo spells the app's name, so that no text beside it does.
  public var wordmark: Bool
  /// The ground behind the card of a page.
  public var ground: Ground
  /// The radius of buttons and fields in pixels; that of the card is twice as much.
  public var radius: Int64
  /// The fonts.
  public var font: Font
  /// The ground of providers' buttons.
  public var providerButtons: ProviderButtons
  /// The terms of service.
  public var termsURL: String?
  /// The privacy policy.
  public var privacyURL: String?

  /// The defaults are those of a file that is silent.
  public init(
    logo: String? = nil, primary: String? = nil, darkMode: DarkMode = .auto, logoSize: Int64 = 32,
    logoPlace: Place = .start, wordmark: Bool = false, ground: Ground = .plain, radius: Int64 = 8,
    font: Font = .system, providerButtons: ProviderButtons = .white, termsURL: String? = nil,
    privacyURL: String? = nil
  ) {
    self.logo = logo
    self.primary = primary
    self.darkMode = darkMode
    self.logoSize = logoSize
    self.logoPlace = logoPlace
    self.wordmark = wordmark
    self.ground = ground
    self.radius = radius
    self.font = font
    self.providerButtons = providerButtons
    self.termsURL = termsURL
    self.privacyURL = privacyURL
  }
}
