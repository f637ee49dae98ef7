import GatehousePrimitives
import Testing

@Suite("Origins of the web")
struct WebOriginTests {
  @Test(
    "T207 two spellings of one origin are one",
    arguments: [
      ("https://app.example.com", "https://app.example.com:443"),
      ("https://app.example.com", "HTTPS://APP.example.com"),
      ("https://app.example.com", "https://app.example.com."), ("http://app.example.com", "http://app.example.com:80"),
      ("https://bücher.example", "https://xn--bcher-kva.example"), ("http://[::1]:8080", "http://[0:0::1]:8080"),
      ("http://localhost:8080", "http://LOCALHOST:8080"), ("https://[2001:DB8::1]", "https://[2001:db8:0::1]:443"),
    ])
  func same(one: String, other: String) throws {
    let origin = try #require(WebOrigin(one))
    #expect(origin == WebOrigin(other))
  }

  @Test(
    "T207 another scheme, host or port is another origin",
    arguments: [
      "http://app.example.com", "https://app.example.com:80", "https://app.example.com:8443", "https://example.com",
      "https://app.example.co", "https://app.example.com.evil.example", "https://xapp.example.com",
    ])
  func other(text: String) throws {
    let origin = try #require(WebOrigin(text))
    #expect(origin != WebOrigin("https://app.example.com"))
  }

  @Test(
    "T207 what is no origin is none",
    arguments: [
      "", "null", "app.example.com", "https://", "https:///", "https://app.example.com/", "https://a@app.example.com",
      "https://app.example.com?x", "https://app.example.com#x", "https://app.example.com:",
      "https://app.example.com:0x1",
      "https://app.example.com:65536", "https://app.example.com:+1", "ftp://app.example.com", "https://a..b",
      "https://app.example.com\\@evil.example", "https://[::1", "https://[::g]", "https://[127.0.0.1]", "https://a b",
      "https://app.example.com:443:443", "javascript://app.example.com",
    ])
  func none(text: String) { #expect(WebOrigin(text) == nil) }

  @Test("T207 an authority names a port only where the scheme has another")
  func authority() {
    #expect(WebOrigin("https://App.example.com:443")?.authority == "app.example.com")
    #expect(WebOrigin("https://app.example.com:80")?.authority == "app.example.com:80")
    #expect(WebOrigin("http://[::1]:8080")?.authority == "[::1]:8080")
  }
}
