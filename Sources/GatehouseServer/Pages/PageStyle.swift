import GatehousePolicy

/// The looks of a page: the theme's colour on light or dark ground, moved as far as it takes to be read.
struct PageStyle {
  let theme: Theme

  /// The ground and everything on it, in one of two lights.
  struct Palette: Sendable {
    let ground, surface, text, muted, line, error, troubleGround, troubleText: Colour

    static let light = Palette(
      ground: 0xF3F4F6, surface: 0xFFFFFF, text: 0x1B1D21, muted: 0x565C66, line: 0x767B85, error: 0xB3261E,
      troubleGround: 0xFCEEED, troubleText: 0x601410)
    static let dark = Palette(
      ground: 0x111215, surface: 0x1C1E23, text: 0xECEDF0, muted: 0xABB0BA, line: 0x8D929C, error: 0xFFB4AB,
      troubleGround: 0x3A1715, troubleText: 0xF9DEDC)

    private init(
      ground: Int, surface: Int, text: Int, muted: Int, line: Int, error: Int, troubleGround: Int, troubleText: Int
    ) {
      func colour(_ value: Int) -> Colour {
        Colour(red: value >> 16 & 0xFF, green: value >> 8 & 0xFF, blue: value & 0xFF)
      }
      (self.ground, self.surface, self.text) = (colour(ground), colour(surface), colour(text))
      (self.muted, self.line, self.error) = (colour(muted), colour(line), colour(error))
      (self.troubleGround, self.troubleText) = (colour(troubleGround), colour(troubleText))
    }
  }

  /// What the theme's colour becomes on this ground: buttons stand out by 3, text by 4.5 (WCAG 2.2, 1.4.11 and 1.4.3).
  func accents(on palette: Palette) -> (button: Colour, label: Colour, link: Colour) {
    let colour = Colour(theme.primary) ?? Colour(red: 0x1F, green: 0x4E, blue: 0x8C)
    let button = colour.standingOut(from: palette.surface, by: 3)
    return (button, button.onTop, colour.standingOut(from: palette.surface, by: 4.5))
  }

  /// `light dark`, as the meta element wants it.
  var scheme: String {
    switch theme.darkMode {
    case .auto: "light dark"
    case .always: "dark"
    case .never: "light"
    }
  }

  var sheet: HTML {
    let ground: HTML =
      switch theme.darkMode {
      case .never: ":root{\(variables(.light))}"
      case .always: ":root{\(variables(.dark))}"
      case .auto:
        ":root{\(variables(.light))}@media (prefers-color-scheme:dark){:root{\(variables(.dark))}}"
      }
    return "\(ground)\n:root{color-scheme:\(scheme)}\n\(PageRules.all)"
  }

  private func variables(_ palette: Palette) -> HTML {
    let accents = accents(on: palette)
    return """
      --ground:\(palette.ground.text);--surface:\(palette.surface.text);--text:\(palette.text.text);\
      --muted:\(palette.muted.text);--line:\(palette.line.text);--error:\(palette.error.text);\
      --trouble-ground:\(palette.troubleGround.text);--trouble-text:\(palette.troubleText.text);\
      --button:\(accents.button.text);--label:\(accents.label.text);--link:\(accents.link.text)
      """
  }
}
