/// The looks of a page: one colour on light or dark ground, moved as far as it takes to be read.
struct PageStyle: Sendable {
  /// The ground of a page.
  enum Ground: Sendable {
    /// The one that the device asks for.
    case ofDevice
    case light, dark
  }

  let colour: Colour
  let ground: Ground

  init(colour: Colour? = nil, ground: Ground = .ofDevice) {
    self.colour = colour ?? 0x1F4E8C
    self.ground = ground
  }

  /// The ground and everything on it, in one of two lights.
  struct Palette: Sendable {
    let ground, surface, text, muted, line, error, troubleGround, troubleText: Colour

    static let light = Palette(
      ground: 0xF3F4F6, surface: 0xFFFFFF, text: 0x1B1D21, muted: 0x565C66, line: 0x767B85, error: 0xB3261E,
      troubleGround: 0xFCEEED, troubleText: 0x601410)
    static let dark = Palette(
      ground: 0x111215, surface: 0x1C1E23, text: 0xECEDF0, muted: 0xABB0BA, line: 0x8D929C, error: 0xFFB4AB,
      troubleGround: 0x3A1715, troubleText: 0xF9DEDC)
  }

  /// The colour as it is used on this ground: buttons stand out by 3, text by 4.5 (WCAG 2.2, 1.4.11 and 1.4.3).
  func accents(on palette: Palette) -> (button: Colour, label: Colour, link: Colour) {
    let button = colour.standingOut(from: palette.surface, by: 3)
    return (button, button.onTop, colour.standingOut(from: palette.surface, by: 4.5))
  }

  /// `light dark`, as the meta element wants it.
  var scheme: String {
    switch ground {
    case .ofDevice: "light dark"
    case .dark: "dark"
    case .light: "light"
    }
  }

  var sheet: HTML {
    let colours: HTML =
      switch ground {
      case .light: ":root{\(variables(.light))}"
      case .dark: ":root{\(variables(.dark))}"
      case .ofDevice:
        ":root{\(variables(.light))}@media (prefers-color-scheme:dark){:root{\(variables(.dark))}}"
      }
    return "\(colours)\n:root{color-scheme:\(scheme)}\n\(PageRules.all)"
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
