import GatehousePrimitives
@testable import GatehousePolicyFile
import Testing

@testable import gatehouse

@Suite("The address at which people reach a server")
struct PublicURLTests {
  private func read(_ text: String) -> (url: String?, problems: [String]) {
    let (config, reader) = ConfigTests().read("", ["GATEHOUSE_PUBLIC_URL": text])
    return (config.publicURL, reader.problems.filter { $0.contains("PUBLIC_URL") || $0.contains("public_url") })
  }

  @Test(
    "every spelling is read as that of browsers",
    arguments: [
      ("https://auth.example.com", "https://auth.example.com"),
      ("https://AUTH.Example.com", "https://auth.example.com"),
      ("HTTPS://auth.example.com:443/", "https://auth.example.com"),
      ("https://auth.example.com:8443", "https://auth.example.com:8443"),
      ("https://auth.example.com/Sign-In/", "https://auth.example.com/Sign-In"),
      ("https://auth.m\u{fc}ller.example", "https://auth.xn--mller-kva.example"),
      ("https://[2001:DB8::1]:443", "https://[2001:db8::1]"), ("https://auth.example.com.", "https://auth.example.com"),
    ])
  func spelling(text: String, url: String) {
    #expect(read(text).url == url)
    #expect(read(text).problems.isEmpty, "\(read(text).problems)")
  }

  @Test(
    "an address with a user, a query, a fragment or a wildcard is refused, and so is what is none",
    arguments: [
      "https://user@auth.example.com", "https://auth.example.com?x=1", "https://auth.example.com/#x",
      "https://*.example.com", "https://", "auth.example.com", "ftp://auth.example.com", "https://auth.example.com:0",
      "https://auth.example.com:99999", "https://auth..example.com", "https://auth example.com",
    ])
  func refused(text: String) {
    #expect(read(text).url == nil && !read(text).problems.isEmpty)
  }

  @Test(
    "a policy and the configuration spell an address alike",
    arguments: ["https://A.Example:443", "http://LOCALHOST:80"])
  func alike(text: String) {
    #expect(WrittenURL(text)?.canonical == WebOrigin(text)?.text)
  }
}
