import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseTesting
import Testing

@testable import GatehouseServer

@Suite("What a theme makes of pages")
struct PageThemeTests {
  /// The page of an empty screen with this theme and these pictures.
  private func page(_ pictures: [PictureUse: String] = [.logo: "l.svg"], _ change: (inout Theme) -> Void = { _ in })
    throws -> String
  {
    var policy = Policy(
      tenant: "acme", app: App(name: "Acme"), identifiers: Identifiers(email: EmailPolicy(rules: [])),
      password: PasswordPolicy(rules: []))
    change(&policy.theme)
    let frame = PageFrame(brand: Brand(policy) { pictures[$0] }, words: .english, root: "../")
    return String(decoding: frame.answer(Screen("Heading", [])).body?.bytes ?? [], as: UTF8.self)
  }

  private static let both: [PictureUse: String] = [.logo: "l.svg", .logoDark: "d.svg"]

  @Test("a logo stands on a plate on dark ground, unless there is one for dark ground")
  func plate() throws {
    #expect(try page().contains(#"<span class="plate"><img class="logo" src="l.svg" alt="" width="32" height="32">"#))
    let both = try page(Self.both)
    #expect(both.contains(#"<source srcset="d.svg" media="(prefers-color-scheme:dark)"><img class="logo" src="l.svg""#))
    #expect(!both.contains("class=\"plate\""))
  }

  @Test(
    "pages of one light show the logo for it",
    arguments: [(Theme.DarkMode.always, "d.svg", "l.svg"), (.never, "l.svg", "d.svg")])
  func oneLight(_ mode: Theme.DarkMode, _ shown: String, _ other: String) throws {
    let page = try page(Self.both) { $0.darkMode = mode }
    #expect(page.contains("<img class=\"logo\" src=\"\(shown)\"") && !page.contains("src=\"\(other)\""))
  }

  @Test("a wordmark stands for the name, and says it to readers who do not see it")
  func wordmark() throws {
    let page = try page { $0.wordmark = true }
    #expect(page.contains(#"<img class="logo word" src="l.svg" alt="Acme" height="32"></span></div>"#))
    let none = try self.page([:]) { $0.wordmark = true }
    #expect(none.contains(#"<span class="mark" aria-hidden="true">A</span> <span>Acme</span></div>"#))
  }

  @Test("size and place of the logo are those of the theme")
  func logo() throws {
    let page = try page {
      $0.logoSize = 64
      $0.logoPlace = .center
    }
    #expect(page.contains("width=\"64\" height=\"64\"") && page.contains("--logo:calc(64rem/16)"))
    #expect(page.contains("<div class=\"app center\">"))
  }

  @Test("corners have the radius of the theme", arguments: [0, 24] as [Int64])
  func radius(_ radius: Int64) throws {
    #expect(try page { $0.radius = radius }.contains("--r:\(radius)px"))
  }

  @Test("each font is a list of what devices have, and no two are the same")
  func fonts() throws {
    let stacks = try Theme.Font.allCases.map { font in
      try #require(try page { $0.font = font }.firstMatch(of: /--font:([^;]+);/)).output.1
    }
    #expect(Set(stacks).count == 4)
    for stack in stacks { #expect(stack.firstMatch(of: /(sans-serif|serif|monospace)$/) != nil) }
  }

  @Test("a picture is behind the card, whose text never stands on it; without one there is a tint")
  func picture() throws {
    let page = try page([.ground: "g.svg"]) { $0.ground = .picture }
    #expect(page.contains("--picture:url(g.svg)") && page.contains("footer{margin-top:1rem"))
    let none = try self.page([:]) { $0.ground = .picture }
    #expect(!none.contains("--picture:url") && !none.contains("footer{margin-top:1rem"))
    let plain = try self.page([.ground: "g.svg"])
    #expect(!plain.contains("g.svg"))
  }

  @Test("a tint is of the colour, and the card keeps its surface")
  func tint() throws {
    let (plain, tint) = (try page(), try page { $0.ground = .tint })
    func value(_ name: String, _ page: String) throws -> String {
      let start = try #require(page.range(of: name + ":")).upperBound
      return String(page[start...].prefix(7))
    }
    #expect(try value("--behind", plain) != value("--behind", tint))
    for name in ["--surface", "--ground", "--text"] { #expect(try value(name, plain) == value(name, tint)) }
  }

  @Test("terms and privacy policy are at the foot of every page, where the policy names them")
  func papers() throws {
    let page = try page {
      $0.termsURL = "https://acme.example/terms?a=1&b=2"
      $0.privacyURL = "https://acme.example/privacy"
    }
    let foot = try #require(page.firstMatch(of: /(?s)<footer>(.*)<\/footer>/)).output.1
    #expect(foot.contains(#"<a href="https://acme.example/terms?a=1&amp;b=2" target="_blank" rel="noopener">Terms of"#))
    #expect(foot.contains("https://acme.example/privacy"))
    #expect(try !self.page().contains("<footer>"))
  }

  @Test("pages fade in less than 300 ms, and not for readers who ask for less motion")
  func motion() throws {
    let page = try page()
    let motion = try #require(page.firstMatch(of: /@media \(prefers-reduced-motion:no-preference\)\{(.*)\}/)).output.1
    #expect(motion.contains("@view-transition{navigation:auto}"))
    let seconds = try #require(motion.firstMatch(of: /animation-duration:(\.[0-9]+)s/)).output.1
    #expect(try #require(Double("0\(seconds)")) < 0.3)
    #expect(page.matches(of: /@view-transition/).count == 1)
  }

  @Test(
    "the drawing of a device is that of its name",
    arguments: [
      ("Safari on iPhone", Icon.phone), ("Chrome on Android", .phone), ("Pixel 9", .phone), ("Safari on iPad", .tablet),
      ("Pat's Galaxy Tab", .tablet), ("Firefox on Windows", .computer), ("Safari on Mac", .computer),
      ("The computer at the library", .computer), ("", .computer), ("Teléfono de Ana", .phone),
    ])
  func devices(_ name: String, _ icon: Icon) {
    #expect(Icon(device: name) == icon)
  }

  @Test("drawings are for the eye alone", arguments: Icon.allCases)
  func icons(_ icon: Icon) {
    #expect(icon.html.text.contains("<svg class=\"icon\" viewBox=\"0 0 24 24\" aria-hidden=\"true\"><path d=\"M"))
  }
}
