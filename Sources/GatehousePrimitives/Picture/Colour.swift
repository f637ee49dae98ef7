import Foundation

/// A colour, and how well it reads on another (WCAG 2.2, relative luminance and contrast ratio).
package struct Colour: Equatable, Sendable, ExpressibleByIntegerLiteral {
  package let red: Int
  package let green: Int
  package let blue: Int

  package static let black = Colour(red: 0, green: 0, blue: 0)
  package static let white = Colour(red: 255, green: 255, blue: 255)

  package init(red: Int, green: Int, blue: Int) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// `#rrggbb`; nil for anything else.
  package init?(_ text: String?) {
    guard let text, text.utf8.count == 7, text.hasPrefix("#"), text.dropFirst().allSatisfy(\.isHexDigit),
      let value = Int(text.dropFirst(), radix: 16)
    else { return nil }
    self.init(integerLiteral: value)
  }

  /// `0xRRGGBB`
  package init(integerLiteral value: Int) {
    self.init(red: value >> 16 & 0xFF, green: value >> 8 & 0xFF, blue: value & 0xFF)
  }

  /// `#rrggbb`
  package var text: String {
    "#" + [red, green, blue].map { part in (part < 16 ? "0" : "") + String(part, radix: 16) }.joined()
  }

  /// From 1, the same, to 21, black on white.
  package func contrast(with other: Colour) -> Double {
    let (one, two) = (luminance, other.luminance)
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)
  }

  /// Black or white, whichever reads better on it: 4.5 at least, on every colour.
  package var onTop: Colour { contrast(with: .white) >= contrast(with: .black) ? .white : .black }

  /// This colour, moved towards black or white just as far as it takes to stand out from a surface.
  package func standingOut(from surface: Colour, by ratio: Double) -> Colour {
    let goal = surface.onTop
    for step in 0...20 {
      let mixed = mixed(with: goal, step)
      if mixed.contrast(with: surface) >= ratio { return mixed }
    }
    return goal
  }

  /// The colour at a number of twentieths of the way to another colour.
  package func mixed(with other: Colour, _ twentieths: Int) -> Colour {
    func part(_ from: Int, _ to: Int) -> Int { from + (to - from) * twentieths / 20 }
    return Colour(red: part(red, other.red), green: part(green, other.green), blue: part(blue, other.blue))
  }

  private var luminance: Double {
    func linear(_ part: Int) -> Double {
      let value = Double(part) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

  /// The colour of the same hue that is as light as this one is dark: what mail programs make of it that turn light
  /// mails into dark ones by themselves.
  package var inverted: Colour {
    let shift = 255 - max(red, green, blue) - min(red, green, blue)
    return Colour(red: red + shift, green: green + shift, blue: blue + shift)
  }
}
