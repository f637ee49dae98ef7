import GatehousePolicy
@testable import GatehousePolicyFile
import Testing

@Suite("The looks in a policy file")
struct ThemeFileTests {
  private func read(_ theme: String) -> Result<PolicyFile, PolicyFileRefusal> {
    PolicyFile.read(ReadingTests.base + "theme: {\(theme)}\n", name: "acme.yaml")
  }

  @Test("a silent file has the defaults, and every key is read")
  func keys() throws {
    #expect(try read("dark_mode: auto").get().policy.theme == Theme())
    let theme = try read(
      "logo_size: 64, logo_place: center, wordmark: true, ground: tint, radius: 0, font: serif, "
        + "provider_buttons: black, terms_url: \"https://acme.example/terms?a=b#c\", "
        + "privacy_url: \"https://acme.example/privacy\""
    ).get().policy.theme
    #expect(
      theme
        == Theme(
          logoSize: 64, logoPlace: .center, wordmark: true, ground: .tint, radius: 0, font: .serif,
          providerButtons: .black, termsURL: "https://acme.example/terms?a=b#c",
          privacyURL: "https://acme.example/privacy"))
  }

  @Test(
    "values that no page could show are refused",
    arguments: [
      "logo_size: 23", "logo_size: 65", "radius: 25", "radius: -1", "font: Papyrus", "ground: \"url(x)\"",
      "logo_place: end", "provider_buttons: red",
    ])
  func refused(_ key: String) {
    #expect(throws: PolicyFileRefusal.self) { try read(key).get() }
  }

  @Test(
    "terms and privacy policy are pages over HTTPS",
    arguments: [
      "http://acme.example/terms", "javascript:alert(1)", "data:text/html,x", "acme.example/terms", "https://",
      "https:///terms", "https://*.acme.example/terms", "https://acme.example/a b", "https://a@acme.example/",
    ])
  func pages(_ address: String) {
    for key in ["terms_url", "privacy_url"] {
      #expect(throws: PolicyFileRefusal.self) { try read("\(key): \"\(address)\"").get() }
    }
  }
}
