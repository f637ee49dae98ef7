import Foundation
import GatehouseClient
import Testing

@Suite("The look that a policy gives an app's own screens")
struct ThemeTests {
  private func theme(_ json: String) throws -> AuthPolicy.Theme {
    let policy = """
      {"tenant":"acme","revision":1,"digest":"","app":{"name":"Acme"},"fields":[],"rules":[],
      "password":{"passwordrules":""},"providers":[],
      "verification":{"method":"code","resend_after":60,"on_sign_up":false},"access":{"full":[]},
      "theme":\(json),"languages":["en"]}
      """
    return try AuthPolicy(json: Data(policy.utf8)).theme
  }

  @Test("every member of the theme reaches the app")
  func whole() throws {
    let theme = try theme(
      """
      {"primary":"#512888","dark_mode":"always","logo":"https://a.example/l.svg","logo_dark":"https://a.example/d.svg",
      "logo_size":48,"logo_place":"center","wordmark":true,"ground":"picture","ground_picture":"https://a.example/g.png",
      "radius":16,"font":"rounded","provider_buttons":"black","terms_url":"https://a.example/t",
      "privacy_url":"https://a.example/p"}
      """)
    #expect(theme.primary == "#512888" && theme.darkMode == "always")
    #expect(theme.logo?.path == "/l.svg" && theme.darkLogo?.path == "/d.svg" && theme.groundPicture?.path == "/g.png")
    #expect(theme.logoSize == 48 && theme.logoPlace == "center" && theme.hasWordmark)
    #expect(theme.ground == "picture" && theme.radius == 16 && theme.font == "rounded")
    #expect(theme.providerButtons == "black")
    #expect(theme.terms?.path == "/t" && theme.privacy?.path == "/p")
  }

  @Test(
    "a colour of the web is read, and any other text is none",
    arguments: ["#51288", "512888", "#51288g", "#-12345", ""])
  func colours(text: String) throws {
    #expect(ThemeColor(hex: text) == nil)
    let colour = try #require(ThemeColor(hex: "#ff8000"))
    #expect(colour == ThemeColor(red: 1, green: 128.0 / 255, blue: 0))
    #expect(try theme(##"{"dark_mode":"auto","primary":"#ff8000"}"##).primaryColor == colour)
    #expect(try theme(#"{"dark_mode":"auto"}"#).primaryColor == nil)
  }

  @Test(
    "a colour is moved until text in it can be read on either ground, and no further",
    arguments: [
      "#512888", "#1db954", "#2563eb", "#ffff00", "#000000", "#ffffff",
    ])
  func contrast(text: String) throws {
    let colour = try #require(ThemeColor(hex: text))
    for (isDark, ground) in [(false, ThemeColor.white), (true, .black)] {
      let readable = colour.readable(onDark: isDark)
      #expect(readable.contrast(to: ground) >= 4.5)
      #expect((readable == colour) == (colour.contrast(to: ground) >= 4.5))
      #expect(readable.contrast(to: readable.label) >= 4.5)
    }
    #expect(abs(ThemeColor.white.contrast(to: .black) - 21) < 0.1)
  }

  @Test("a server of an earlier release leaves the defaults of the pages")
  func older() throws {
    let theme = try theme(#"{"dark_mode":"auto"}"#)
    #expect(theme.logo == nil && theme.logoSize == 32 && theme.logoPlace == "start" && !theme.hasWordmark)
    #expect(theme.ground == "plain" && theme.radius == 8 && theme.font == "system" && theme.providerButtons == "white")
  }

  @Test(
    "an address that is none of the web is left out", arguments: ["javascript:alert(1)", "file:///etc/passwd", "", "x"])
  func address(_ text: String) throws {
    #expect(try theme(#"{"dark_mode":"auto","terms_url":"\#(text)"}"#).terms == nil)
  }
}
