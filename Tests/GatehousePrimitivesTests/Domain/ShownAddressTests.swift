import GatehousePrimitives
import Testing

@Suite("Domains as people read them")
struct ShownAddressTests {
  @Test(
    "a label of one script is shown in Unicode",
    arguments: [
      "müller.de", "bücher.example", "пример.рф", "παράδειγμα.ελ", "مثال.مصر", "例え.テスト", "한국.kr", "दिल्ली.भारत",
      "שלום.example", "ไทย.example", "straße.de", "a.müller.example",
    ])
  func shown(domain: String) throws {
    let ascii = try #require(DomainName.ascii(domain))
    #expect(DomainName.shown(ascii) == domain)
    #expect(DomainName.shown(inAddress: "max@" + ascii) == "max@" + domain)
    #expect(DomainName.ascii(DomainName.shown(ascii)) == ascii)
  }

  @Test(
    "a label of two scripts, of symbols, or of what IDNA 2008 refuses, is shown as it is stored",
    arguments: [
      "xn--pypal-4ve.com", "xn--bc1z-43d.com", "xn--muller-xyd.com", "xn--i-7iq.ws", "xn--a.com", "xn--.com",
      "xn--zzzzzz999999.com",
    ])
  func kept(domain: String) { #expect(DomainName.shown(domain) == domain) }

  @Test(
    "ASCII domains, and texts that are none, are the same", arguments: ["ksu.edu", "", "a@b@c", "@", "max@ksu.edu"])
  func ascii(text: String) { #expect(DomainName.shown(inAddress: text) == text) }
}
