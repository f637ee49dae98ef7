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
    return "\(ground)\n:root{color-scheme:\(scheme)}\n\(PageStyle.rules)"
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

  private static let rules: HTML = """
    *{box-sizing:border-box}
    html{-webkit-text-size-adjust:100%}
    body{margin:0;min-height:100vh;display:flex;flex-direction:column;align-items:center;padding:10vh 1rem 2rem;font:1.0625rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;background:var(--ground);color:var(--text)}
    main{width:100%;max-width:27rem;padding:2rem;background:var(--surface);border-radius:1rem;box-shadow:0 1px 2px rgba(0,0,0,.08),0 8px 24px rgba(0,0,0,.06)}
    .app{display:flex;align-items:center;gap:.625rem;margin:0 0 1.5rem;font-weight:600}
    .mark{flex:none;width:2rem;height:2rem;border-radius:.5rem;line-height:2rem;text-align:center;font-size:1rem;background:var(--button);color:var(--label)}
    h1{margin:0 0 .75rem;font-size:1.5rem;line-height:1.25;letter-spacing:-.01em;overflow-wrap:anywhere}
    h2{margin:0;font-size:1rem}
    p{margin:0 0 1rem;overflow-wrap:anywhere}
    a{color:var(--link)}
    label{display:block;margin:1.25rem 0 .375rem;font-weight:600}
    input{width:100%;padding:.75rem;font:inherit;border:1px solid var(--line);border-radius:.5rem;background:var(--surface);color:var(--text)}
    input[aria-invalid]{border:2px solid var(--error)}
    button,.button{display:block;width:100%;margin:1.5rem 0 0;padding:.8125rem 1rem;font:inherit;font-weight:600;text-align:center;text-decoration:none;border:1px solid transparent;border-radius:.5rem;background:var(--button);color:var(--label);cursor:pointer}
    button:hover,.button:hover{box-shadow:inset 0 0 0 2px var(--label)}
    :focus-visible{outline:3px solid var(--text);outline-offset:2px}
    .trouble{margin:0 0 1.25rem;padding:.875rem 1rem;border-left:4px solid var(--error);border-radius:.25rem;background:var(--trouble-ground);color:var(--trouble-text)}
    .trouble a{color:inherit}
    .trouble ul{margin:.25rem 0 0;padding-left:1.25rem}
    .error{margin:.25rem 0 .375rem;font-weight:600;color:var(--error)}
    .rules{margin:0 0 .5rem;color:var(--muted);font-size:.9375rem}
    dl{margin:0 0 1rem;padding:.75rem 1rem;border:1px solid var(--line);border-radius:.5rem}
    dt{font-size:.9375rem;color:var(--muted)}
    dd{margin:0 0 .5rem;overflow-wrap:anywhere}
    form+h2{margin:2rem 0 .5rem}
    .rules ul{margin:.25rem 0 0;padding-left:1.25rem}
    .sign{display:block;width:3rem;height:3rem;margin:0 0 1rem;padding:.75rem;border-radius:50%;background:var(--button);fill:none;stroke:var(--label);stroke-width:3;stroke-linecap:round;stroke-linejoin:round}
    .login{position:absolute;width:1px;height:1px;padding:0;border:0;overflow:hidden;clip-path:inset(50%)}
    footer{max-width:27rem;padding:1.25rem 1rem 0;font-size:.9375rem;text-align:center;color:var(--muted)}
    footer p{margin:0}
    footer a{color:inherit}
    @media (max-width:30rem){body{padding:0;background:var(--surface)}main{padding:1.5rem 1.25rem 1rem;border-radius:0;box-shadow:none}footer{width:100%;padding:.5rem 1.25rem 0;text-align:left}}
    @media (forced-colors:active){button,.button,.trouble{border:1px solid}}
    """
}
