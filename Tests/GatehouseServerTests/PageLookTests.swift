import GatehousePolicy
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@testable import GatehouseServer

@Suite("How pages look and speak")
struct PageLookTests {
  @Test("whatever colour a theme has, buttons stand out by 3 and text by 4.5, in light and dark")
  func contrast() {
    var random = SeededGenerator()
    func part() -> Int { Int.random(in: 0...255, using: &random) }
    let fixed = [Colour.black, .white, Colour("#512888"), Colour("#1DB954"), Colour("#2563EB"), Colour("#808080")]
    let colours = fixed.compactMap(\.self) + (0..<500).map { _ in Colour(red: part(), green: part(), blue: part()) }
    for colour in colours {
      var theme = Theme()
      theme.primary = colour.text
      for palette in [PageStyle.Palette.light, .dark] {
        let (button, label, link) = PageStyle(theme: theme).accents(on: palette)
        #expect(button.contrast(with: palette.surface) >= 3, "\(colour.text)")
        #expect(label.contrast(with: button) >= 4.5, "\(colour.text)")
        #expect(link.contrast(with: palette.surface) >= 4.5, "\(colour.text)")
        for ground in Theme.Ground.allCases {
          theme.ground = ground
          let behind = PageStyle(theme: theme, picture: "x.svg").behind(on: palette)
          #expect(behind.text.contrast(with: behind.ground) >= 4.5, "\(colour.text) \(ground)")
          #expect(palette.text.contrast(with: behind.ground) >= 3, "\(colour.text) \(ground): the focus")
        }
      }
    }
  }

  @Test("the palettes themselves can be read")
  func palettes() {
    for palette in [PageStyle.Palette.light, .dark] {
      for ground in [palette.ground, palette.surface] {
        for text in [palette.text, palette.muted, palette.error] { #expect(text.contrast(with: ground) >= 4.5) }
      }
      #expect(palette.troubleText.contrast(with: palette.troubleGround) >= 4.5)
      #expect(palette.line.contrast(with: palette.surface) >= 3, "WCAG 2.2, 1.4.11: the edge of a field")
    }
    // Negative control, and the two ends of the scale.
    #expect(Colour.white.contrast(with: Colour(red: 200, green: 200, blue: 200)) < 3)
    #expect(Colour.black.contrast(with: .white) == 21 && Colour.white.contrast(with: .white) == 1)
  }

  @Test("a theme's colour is one, or the house's", arguments: ["#12345", "#1234567", "red", "#12 456", "#+12345", ""])
  func colours(_ text: String) {
    #expect(Colour(text) == nil)
    #expect(Colour("#1DB954")?.text == "#1db954")
  }

  @Test("every page and every refusal speaks each language, and none says what another says")
  func words() {
    #expect(HostedWords.of("es-MX").language == "es" && HostedWords.of("de-CH").language == "de")
    #expect(HostedWords.of("ar-EG").language == "ar" && HostedWords.of("fr").language == "en")
    let all = Language.allCases.map { HostedWords.of($0) }
    for page in LinkPage.allCases {
      let texts = all.map { $0.links.forms(page, "a@example.com", "App") }
      #expect(Set(texts.map(\.title)).count == all.count && Set(texts.map(\.lead)).count == all.count, "\(page)")
    }
    for code in ErrorCode.allCases {
      for titles in [
        all.map { $0.links.refusals(code).title }, all.map { $0.landings.refusals(code).title },
        all.map { $0.errors.page(code, reference: "r").title },
      ] { #expect(Set(titles).count == all.count && !titles.contains(""), "\(code): \(titles)") }
    }
  }

  @Test("text put into HTML is escaped")
  func escaping() {
    let nasty = #"<script>"'&"#
    let html: HTML = "<p title=\"\(nasty)\">\(nasty)</p>"
    #expect(html.text == "<p title=\"&lt;script&gt;&quot;&#39;&amp;\">&lt;script&gt;&quot;&#39;&amp;</p>")
  }
}
