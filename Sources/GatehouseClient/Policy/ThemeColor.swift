/// A colour of sRGB, as screens need it: with the contrast that makes text readable.
public struct ThemeColor: Sendable, Hashable {
  /// From 0 to 1.
  public var red: Double
  /// From 0 to 1.
  public var green: Double
  /// From 0 to 1.
  public var blue: Double

  /// White.
  public static let white = ThemeColor(red: 1, green: 1, blue: 1)
  /// Black.
  public static let black = ThemeColor(red: 0, green: 0, blue: 0)

  /// A colour.
  public init(red: Double, green: Double, blue: Double) { (self.red, self.green, self.blue) = (red, green, blue) }

  /// A colour of the web: `#512888`. Nil for any other text.
  public init?(hex: String) {
    guard hex.count == 7, hex.first == "#", let value = Int(hex.dropFirst(), radix: 16), value >= 0 else { return nil }
    self.init(
      red: Double(value >> 16) / 255, green: Double(value >> 8 & 255) / 255, blue: Double(value & 255) / 255)
  }

  /// The contrast to another colour, from 1 to 21 (WCAG 2).
  public func contrast(to other: ThemeColor) -> Double {
    let (one, two) = (luminance, other.luminance)
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)
  }

  /// White or black, the one that is readable on this colour.
  public var label: ThemeColor { contrast(to: .white) >= contrast(to: .black) ? .white : .black }

  /// This colour, moved towards white or black until text in it is readable on a white or a black ground.
  public func readable(onDark isDark: Bool) -> ThemeColor {
    let (ground, goal): (ThemeColor, ThemeColor) = isDark ? (.black, .white) : (.white, .black)
    for step in 0..<20 {
      let mixed = mixed(with: goal, Double(step) / 20)
      if mixed.contrast(to: ground) >= 4.5 { return mixed }
    }
    return goal
  }

  private func mixed(with other: ThemeColor, _ share: Double) -> ThemeColor {
    ThemeColor(
      red: red + (other.red - red) * share, green: green + (other.green - green) * share,
      blue: blue + (other.blue - blue) * share)
  }

  private var luminance: Double {
    0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue)
  }

  /// The light of a value of sRGB. The curve `((v + 0.055) / 1.055) ^ 2.4` is close to this polynomial, which needs no
  /// library of C; it is off by less than 0.01.
  private static func linear(_ value: Double) -> Double {
    value <= 0.04045 ? value / 12.92 : value * (value * (value * 0.305306011 + 0.682171111) + 0.012522878)
  }
}

extension AuthPolicy.Theme {
  /// The leading colour; nil where the policy has none that is one.
  public var primaryColor: ThemeColor? { primary.flatMap(ThemeColor.init(hex:)) }
}
