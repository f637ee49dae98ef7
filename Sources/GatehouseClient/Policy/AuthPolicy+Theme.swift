public import Foundation
import GatehouseWire

extension AuthPolicy {
  /// The look of the app's pages, for screens of the app's own. A server of an earlier release leaves the defaults of
  /// the pages.
  public struct Theme: Sendable, Hashable {
    /// The leading colour, `#512888`.
    public var primary: String?
    /// `auto`, `always` or `never`; later servers may say more.
    public var darkMode: String
    /// The address of the logo, an SVG or a PNG.
    public var logo: URL?
    /// The address of the logo for dark ground; without one the other serves there too.
    public var darkLogo: URL?
    /// The height of the logo in points; 32 by default.
    public var logoSize: Int
    /// `start` or `center`.
    public var logoPlace: String
    /// Whether the logo spells the app's name, so that no text beside it does.
    public var hasWordmark: Bool
    /// The ground behind the content: `plain`, a `tint` of the leading colour, or the `picture` of `groundPicture`.
    public var ground: String
    /// The address of the picture behind the content.
    public var groundPicture: URL?
    /// The radius of buttons and fields in points; 8 by default.
    public var radius: Int
    /// `system`, `serif`, `rounded` or `mono`.
    public var font: String
    /// The ground of providers' buttons: `white`, `black` or `neutral`.
    public var providerButtons: String
    /// The terms of service.
    public var terms: URL?
    /// The privacy policy.
    public var privacy: URL?
  }
}

extension AuthPolicy.Theme {
  init(_ theme: PublicPolicy.Theme) {
    primary = theme.primary
    darkMode = theme.darkMode
    logo = Self.address(theme.logo)
    darkLogo = Self.address(theme.logoDark)
    logoSize = theme.logoSize ?? 32
    logoPlace = theme.logoPlace ?? "start"
    hasWordmark = theme.wordmark ?? false
    ground = theme.ground ?? "plain"
    groundPicture = Self.address(theme.groundPicture)
    radius = theme.radius ?? 8
    font = theme.font ?? "system"
    providerButtons = theme.providerButtons ?? "white"
    terms = Self.address(theme.termsURL)
    privacy = Self.address(theme.privacyURL)
  }

  /// An address of the web; nil for any other text.
  private static func address(_ text: String?) -> URL? {
    guard let url = text.flatMap(URL.init(string:)), ["https", "http"].contains(url.scheme?.lowercased()) else {
      return nil
    }
    return url
  }
}
