import GatehousePolicy
import GatehousePrimitives
import Testing

@testable import GatehouseServer

@Suite("Buttons of providers")
struct ProviderBrandTests {
  private static let paints = ProviderBrand.all.flatMap { brand in
    Theme.ProviderButtons.allCases.map { (brand.name, $0, brand.paint($0)) }
  }

  @Test("the words can be read, and the button is seen on the card in light and dark")
  func contrast() {
    for (name, buttons, paint) in Self.paints {
      #expect(paint.text.contrast(with: paint.ground) >= 4.5, "\(name) \(buttons)")
      for surface in [PageStyle.Palette.light.surface, PageStyle.Palette.dark.surface] {
        let most = max(paint.ground.contrast(with: surface), paint.edge.contrast(with: surface))
        #expect(most >= 3, "\(name) \(buttons)")
      }
    }
  }

  @Test("Google's colours are those of its guide")
  func google() throws {
    let google = try #require(ProviderBrand.all.first { $0.name == "google" })
    #expect(google.white.ground == 0xFFFFFF && google.white.edge == 0x747775 && google.white.text == 0x1F1F1F)
    #expect(google.black.ground == 0x131314 && google.black.edge == 0x8E918F && google.black.text == 0xE3E3E3)
    #expect(google.neutral?.ground == 0xF2F2F2)
  }

  @Test("a page has the rules of the policy's providers alone, in the theme's look")
  func rules() throws {
    var policy = Policy(
      tenant: "acme", app: App(name: "Acme"), identifiers: Identifiers(email: EmailPolicy(rules: [])),
      password: PasswordPolicy(rules: []))
    #expect(ProviderBrand.rules(of: policy).text.isEmpty)
    policy.providers = [Provider(name: "google", use: .signIn), Provider(name: "own", use: .signIn)]
    policy.theme.providerButtons = .black
    let rules = ProviderBrand.rules(of: policy).text
    #expect(rules.contains(".google>") && rules.contains("background:#131314"))
    #expect(!rules.contains(".apple") && !rules.contains(".own"))
  }
}
