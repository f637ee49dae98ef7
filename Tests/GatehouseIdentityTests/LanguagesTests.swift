import GatehouseIdentity
import Testing

@Suite("Languages")
struct LanguagesTests {
  @Test(
    "Accept-Language is read by weight, and what is not well formed is passed over",
    arguments: [
      ("es-MX,es;q=0.9,en;q=0.8", ["es-MX", "es", "en"]), ("en;q=0.1, es", ["es", "en"]), ("*;q=0.5, es", ["es"]),
      ("en;q=0, es;q=0.001", ["es"]), ("en;q=2, es;q=x, de", ["de"]), ("", []), ("é, en", ["en"]),
    ] as [(String, [String])])
  func parse(header: String, tags: [String]) { #expect(Languages.parse(header) == tags) }

  @Test("a header of any length costs little: a long one is not read")
  func long() { #expect(Languages.parse(String(repeating: "en,", count: 100)) == []) }

  @Test(
    "the first language that the app speaks is taken, else the app's first",
    arguments: [
      (["en", "es"], ["es-MX"], "es"), (["en", "es"], ["fr", "EN"], "en"), (["es", "en"], ["fr"], "es"),
      ([], ["es"], "en"),
    ] as [([String], [String], String)])
  func choose(available: [String], preferring: [String], chosen: String) {
    #expect(Languages.choose(from: available, preferring: preferring) == chosen)
  }

  @Test(
    "a tenant's name is a DNS label",
    arguments: ["", "-a", "a-", "A", "a_b", "a.b", "é", String(repeating: "a", count: 64)])
  func names(text: String) {
    #expect(TenantName(text) == nil)
    #expect(TenantName("dd-ride") != nil)
  }
}
