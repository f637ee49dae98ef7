import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseTesting
import Testing

@testable import GatehouseOutbound

@Suite("How mails look")
struct MailLookTests {
  private static let fixed = [
    "#000000", "#ffffff", "#ffff00", "#0000ff", "#00ff00", "#ff0000", "#808080", "#512888", "#1DB954", "#2563EB",
  ]

  /// Fixed colours, and many others.
  private static let colours: [String] = {
    var random = SeededGenerator()
    func part() -> Int { Int.random(in: 0...255, using: &random) }
    return fixed + (0..<500).map { _ in Colour(red: part(), green: part(), blue: part()).text }
  }()

  private static let documents = MessageBrand(
    appName: "DD Ride", primaryColor: "#512888", termsURL: "https://ddride.example/terms?a=1&b=2",
    privacyURL: "https://ddride.example/privacy")

  private func mail(_ kind: MessageKind = .verifyEmail, _ brand: MessageBrand = kState) throws -> RenderedMail {
    try MailTemplates().render(.sample(kind, language: "en", brand: brand), tenant: "x")
  }

  @Test("of any brand colour the button stands out from the card by 3 and its text by 4.5, in light and dark")
  func contrast() {
    for text in Self.colours {
      let colors = MailColors(text)
      for (button, card) in [(colors.light, MailColors.lightCard), (colors.dark, MailColors.darkCard)] {
        #expect(button.ground.contrast(with: card) >= 3, "\(text)")
        #expect(button.label.contrast(with: button.ground) >= 4.5, "\(text)")
      }
    }
  }

  @Test("where a program inverts the light colours by itself the button is readable, and stands out from its card")
  func inversion() {
    for text in Self.colours {
      let light = MailColors(text).light
      #expect(light.label.inverted.contrast(with: light.ground.inverted) >= 4.5, "\(text)")
      #expect(light.ground.inverted.contrast(with: MailColors.lightCard.inverted) >= 3, "\(text)")
    }
  }

  @Test("the palettes can be read, as they are and inverted")
  func palettes() {
    for palette in [MailContent.Palette.light, .dark] {
      let pairs = [
        (palette.text, palette.page), (palette.text, palette.card), (palette.soft, palette.page),
        (palette.soft, palette.card), (palette.code, palette.page), (palette.link, palette.card),
      ]
      for (text, ground) in pairs {
        #expect(text.contrast(with: ground) >= 4.5)
        #expect(text.inverted.contrast(with: ground.inverted) >= 4.5)
      }
    }
  }

  @Test(
    "a colour is one, or the house's",
    arguments: ["red;background:url(x)", "#12345", "#+12345", "#gggggg", ""])
  func noColour(_ text: String) {
    #expect(MailColors(text) == MailColors("#1f4e8c") && MailColors("#512888").primary.text == "#512888")
  }

  @Test("each text has its ground in the same style, so that a program that inverts one inverts both")
  func pairs() throws {
    let styles = try mail(.verifyEmail, Self.documents).html.matches(of: /style="([^"]*)"/).map { $0.output.1 }
    let coloured = styles.filter { $0.split(separator: ";").contains { $0.hasPrefix("color:") } }
    #expect(coloured.count >= 7)
    for style in coloured { #expect(style.contains("background-color:"), "\(style)") }
  }

  @Test("the name of the app is on top, before the heading")
  func name() throws {
    let html = try mail().html
    let name = try #require(html.range(of: ">DD Ride</p>"))
    #expect(name.upperBound < (try #require(html.range(of: "<h1 "))).lowerBound)
  }

  @Test("every kind has words for the list of mails, which are not the greeting", arguments: MessageKind.allCases)
  func preheader(_ kind: MessageKind) throws {
    let found = try mail(kind).html.firstMatch(of: /<div style="display:none[^"]*">([^<]+)<\/div>/)
    let preheader = try #require(found).output.1
    #expect(preheader.count > 10 && !preheader.hasPrefix("Hello"))
  }

  @Test("terms and privacy policy are at the end of both parts, where the policy names them")
  func papers() throws {
    let mail = try mail(.newDevice, Self.documents)
    #expect(mail.text.hasSuffix("Privacy policy: https://ddride.example/privacy\n"))
    #expect(mail.text.contains("\nTerms of service: https://ddride.example/terms?a=1&b=2\n"))
    #expect(mail.html.contains("<a href=\"https://ddride.example/terms?a=1&amp;b=2\""))
    let none = try self.mail(.newDevice)
    #expect(!none.text.contains("Terms") && !none.html.contains("Privacy"))
  }
}
