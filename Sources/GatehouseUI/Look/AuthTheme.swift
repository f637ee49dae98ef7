#if canImport(SwiftUI)
  public import Foundation
  public import GatehouseClient
  public import SwiftUI

  /// The look of the screens: colours, four type styles, and spaces on a grid of eight points.
  ///
  /// Type grows with the person's setting. Spaces and alignments follow the direction of the language.
  public struct AuthTheme: Sendable, Equatable {
    /// Buttons and links, on a light ground.
    public var tint: ThemeColor
    /// The colour of errors.
    public var alarm: Color
    /// Of fields and buttons, in points.
    public var radius: CGFloat
    /// The design of the type.
    public var design: Font.Design
    /// Light, dark, or nil for the system's appearance.
    public var appearance: ColorScheme?
    /// The address of the logo.
    public var logo: URL?
    /// The address of the logo for a dark ground.
    public var darkLogo: URL?
    /// The height of the logo in points.
    public var logoSize: CGFloat
    /// Whether the logo stands in the middle.
    public var isCentered: Bool
    /// Whether the logo spells the app's name.
    public var hasWordmark: Bool
    /// The ground of providers' buttons.
    public var providerGround: ProviderGround
    /// The terms of service.
    public var terms: URL?
    /// The privacy policy.
    public var privacy: URL?

    /// A look of the app's own.
    public init(
      tint: ThemeColor = AuthTheme.blue, alarm: Color = .red, radius: CGFloat = 8, design: Font.Design = .default
    ) {
      self.tint = tint
      self.alarm = alarm
      self.radius = radius
      self.design = design
      logoSize = 32
      isCentered = false
      hasWordmark = false
      providerGround = .white
    }

    /// The look that the tenant's policy gives its pages.
    public init(_ theme: AuthPolicy.Theme) {
      self.init(
        tint: theme.primaryColor ?? Self.blue, radius: CGFloat(theme.radius),
        design: Self.designs[theme.font] ?? .default)
      appearance = ["always": ColorScheme.dark, "never": .light][theme.darkMode]
      (logo, darkLogo, logoSize) = (theme.logo, theme.darkLogo, CGFloat(theme.logoSize))
      (isCentered, hasWordmark) = (theme.logoPlace == "center", theme.hasWordmark)
      providerGround = ProviderGround(rawValue: theme.providerButtons) ?? .white
      (terms, privacy) = (theme.terms, theme.privacy)
    }

    /// The colour of a policy that names none.
    public static let blue = ThemeColor(red: 0.15, green: 0.39, blue: 0.92)

    private static let designs: [String: Font.Design] = ["serif": .serif, "rounded": .rounded, "mono": .monospaced]

    /// Of a screen.
    var title: Font { .system(.title2, design: design, weight: .bold) }
    /// Of sentences and typed text.
    var body: Font { .system(.body, design: design) }
    /// Above an input, and on a button.
    var label: Font { .system(.subheadline, design: design, weight: .medium) }
    /// Below an input.
    var note: Font { .system(.footnote, design: design) }

    /// Whether the app gave no look, so that the policy's counts.
    var isDefault: Bool { self == AuthTheme() }

    /// Steps of the grid, in points.
    static func space(_ steps: CGFloat) -> CGFloat { 8 * steps }

    /// The colour of buttons, readable on this ground.
    func color(_ scheme: ColorScheme) -> Color { Color(tint.readable(onDark: scheme == .dark)) }

    /// The colour of text on a button.
    func onColor(_ scheme: ColorScheme) -> Color { Color(tint.readable(onDark: scheme == .dark).label) }

    /// The logo for this ground.
    func logo(_ scheme: ColorScheme) -> URL? { scheme == .dark ? darkLogo ?? logo : logo }
  }

  extension AuthTheme {
    /// The ground of providers' buttons, as the rules of providers allow.
    public enum ProviderGround: String, Sendable {
      /// White.
      case white
      /// Black.
      case black
      /// A light grey.
      case neutral

      /// The ground itself.
      var color: Color {
        switch self {
        case .white: .white
        case .black: .black
        case .neutral: Color(ThemeColor(red: 0.95, green: 0.95, blue: 0.95))
        }
      }

      /// Text on it.
      var text: Color { self == .black ? .white : .black }
    }
  }

  extension Color {
    init(_ color: ThemeColor) { self.init(red: color.red, green: color.green, blue: color.blue) }
  }

  extension EnvironmentValues {
    /// The look of the screens.
    public var authTheme: AuthTheme {
      get { self[ThemeKey.self] }
      set { self[ThemeKey.self] = newValue }
    }

    private struct ThemeKey: EnvironmentKey {
      static let defaultValue = AuthTheme()
    }
  }

  extension View {
    /// Gives the screens of GatehouseUI within a look of the app's own, in place of the policy's.
    public func authTheme(_ theme: AuthTheme) -> some View { environment(\.authTheme, theme) }
  }
#endif
