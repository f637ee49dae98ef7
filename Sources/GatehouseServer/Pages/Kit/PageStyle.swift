import GatehousePrimitives

/// The looks of a page: one colour on light or dark ground, moved as far as it takes to be read. The card that holds
/// all text keeps its own surface over every ground.
struct PageStyle: Sendable {
  /// The ground of a page.
  enum Ground: Sendable {
    /// The one that the device asks for.
    case ofDevice
    case light, dark
  }

  /// The ground behind the card.
  enum Behind: Sendable {
    case plain, tint
    /// A picture, by its address, over a tint.
    case picture(String)
  }

  let colour: Colour
  let ground: Ground
  var behind = Behind.plain
  /// Pixels.
  var radius = 8
  /// The height of the logo in pixels.
  var logoSize = 32
  var font = PageFont.system

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

  /// The ground behind the card, and the colour of the text on it.
  func behind(on palette: Palette) -> (ground: Colour, text: Colour) {
    switch behind {
    case .plain: (palette.ground, palette.muted)
    case .tint, .picture:
      tinted(palette)
    }
  }

  /// A tenth of the colour. Text moves as far as it takes to be read on it.
  private func tinted(_ palette: Palette) -> (ground: Colour, text: Colour) {
    let ground = palette.ground.mixed(with: colour, 2)
    return (ground, palette.muted.standingOut(from: ground, by: 4.5))
  }

  /// `light dark`, as the meta element wants it.
  var scheme: String {
    switch ground {
    case .ofDevice: "light dark"
    case .dark: "dark"
    case .light: "light"
    }
  }

  /// The style sheet of a page with this body.
  func sheet(for body: HTML) -> HTML {
    let colours: HTML =
      switch ground {
      case .light: ":root{\(variables(.light))}"
      case .dark: ":root{\(variables(.dark))}"
      case .ofDevice:
        ":root{\(variables(.light))}@media (prefers-color-scheme:dark){:root{\(variables(.dark))}}"
      }
    let (picture, above): (HTML, HTML) =
      if case .picture(let address) = behind { (";--picture:url(\(address))", PageRules.abovePicture) } else {
        ("", "")
      }
    return """
      \(colours)
      :root{color-scheme:\(scheme);--font:\(font.stack);--r:\(String(radius))px;--logo:calc(\(String(logoSize))rem/16)\(picture)}
      \(PageRules.needed(by: body))\(above)
      """
  }

  private func variables(_ palette: Palette) -> HTML {
    let accents = accents(on: palette)
    let behind = behind(on: palette)
    return """
      --behind:\(behind.ground.text);--foot:\(behind.text.text);\
      --ground:\(palette.ground.text);--surface:\(palette.surface.text);--text:\(palette.text.text);\
      --muted:\(palette.muted.text);--line:\(palette.line.text);--error:\(palette.error.text);\
      --trouble-ground:\(palette.troubleGround.text);--trouble-text:\(palette.troubleText.text);\
      --button:\(accents.button.text);--label:\(accents.label.text);--link:\(accents.link.text)
      """
  }
}

/// Fonts that devices have: pages load none.
enum PageFont: Sendable, CaseIterable {
  case system, serif, rounded, mono

  var stack: HTML {
    switch self {
    case .system: "system-ui,-apple-system,\"Segoe UI\",Roboto,sans-serif"
    case .serif: "ui-serif,Georgia,Cambria,\"Times New Roman\",serif"
    case .rounded: "ui-rounded,\"SF Pro Rounded\",\"Hiragino Maru Gothic ProN\",Nunito,Quicksand,system-ui,sans-serif"
    case .mono: "ui-monospace,SFMono-Regular,Menlo,Consolas,monospace"
    }
  }
}
