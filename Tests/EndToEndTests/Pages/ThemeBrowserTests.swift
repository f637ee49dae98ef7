import GatehouseIdentity
import GatehousePrimitives
import GatehouseTesting
import GatehouseAdminWire
import GatehouseWire
import Testing

@Suite("Themes, in a real browser")
struct ThemeBrowserTests {
  private static let documents =
    #"terms_url: "https://example.com/terms", privacy_url: "https://example.com/privacy""#

  /// Each key away from its default, with colours that are hard to read.
  private static let themes = [
    ##"primary: "#FFFF00", ground: picture, radius: 0, font: serif, logo_size: 64, logo_place: center, wordmark: true"##,
    ##"primary: "#111111", ground: tint, radius: 24, font: rounded, logo_size: 24, provider_buttons: black"##,
    ##"primary: "#808080", ground: picture, font: mono, provider_buttons: neutral"##,
  ]

  private static let scenes: Set<String> = ["sign-in-provider", "sign-up", "account-devices-several", "connect"]

  /// A photograph's worth of light and dark.
  private static let picture = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="4" height="8" fill="#000"/>\
    <rect x="4" width="4" height="8" fill="#fff"/></svg>
    """

  @Test(
    "axe finds nothing and nothing is cut in any theme, narrow or wide, light or dark", arguments: themes)
  func axe(_ theme: String) async throws {
    func policy(_ app: App, _ text: String) -> String {
      PageScene.policy(app, text).replacing(/theme: \{[^}]*\}/, with: "theme: {\(theme), \(Self.documents)}")
    }
    try await PageStage.run({ Self.scenes.contains($0.name) }, policy: policy) { stage in
      let mark = Base64URL.encode(try LogoTests.file("vibes"))
      for app in ["messai", "dd-ride", "vibes"] {
        let uses = ["logo": mark, "logo_dark": mark, "ground": Base64URL.encode(Array(Self.picture.utf8))]
        for (use, content) in uses {
          _ = try await SetLogo.run(.init(tenant: app, use: use, base64url: content), stage.apps.asOperator)
        }
      }
      for provider in ["google", "spotify"] {
        let input = SetLogoOperation.Input(tenant: "vibes", use: "provider:\(provider)", base64url: mark)
        _ = try await SetLogo.run(input, stage.apps.asOperator)
      }
      try await stage.apps.reload()
      var steps: [Browser.Step] = []
      var names: [String] = []
      for place in stage.places {
        steps += PageStage.enter(place)
        for (width, dark) in [(1280, false), (1280, true), (360, true), (360, false)] {
          let name = "\(place.scene.name)-\(theme.prefix(18).suffix(7).filter(\.isHexDigit))-\(width)-\(dark)"
          steps += [.size(width, 800), .dark(dark), .axe, .overflow, .picture("themes/\(name)")] as [Browser.Step]
          names.append(name)
        }
      }
      let visit = try Browser().visit(steps)
      try #require(visit.audits.count == names.count && visit.fits.count == names.count)
      for (name, (audit, fit)) in zip(names, zip(visit.audits, visit.fits)) {
        #expect(audit.violations == [], "\(name)")
        #expect(fit.found == [], "\(name)")
      }
      #expect(visit.faults == [])
    }
  }
}
