import GatehouseIdentity
import GatehousePrimitives
import Testing

@Suite struct ProviderCallbackTests {
  private static let state = OpaqueToken.generate(.linkState).text.expose { $0 }
  private static let redirect = "vibes://spotify-callback"

  @Test("an address is taken only if it is the redirect address and a query behind it")
  func addresses() {
    let good = "\(Self.redirect)?code=c&state=\(Self.state)"
    #expect(ProviderCallback(address: good, redirectURI: Self.redirect)?.outcome == .code("c"))
    #expect(ProviderCallback(address: good + "#x&error=y", redirectURI: Self.redirect)?.outcome == .code("c"))
    for bad in [
      "", Self.redirect, "\(Self.redirect)/?code=c&state=\(Self.state)", "\(Self.redirect)x?code=c&state=\(Self.state)",
      "Vibes://spotify-callback?code=c&state=\(Self.state)", "\(Self.redirect)&code=c&state=\(Self.state)",
      "\(Self.redirect)?code=c", "\(Self.redirect)?state=\(Self.state)", "\(Self.redirect)?code=c&state=short",
      "\(Self.redirect)?code=c&code=d&state=\(Self.state)", "\(Self.redirect)?code=&state=\(Self.state)",
      "\(Self.redirect)?code=c&error=x&state=\(Self.state)", "\(Self.redirect)?code=%zz&state=\(Self.state)",
      "\(Self.redirect)?code=a%0Ab&state=\(Self.state)",
      "\(Self.redirect)?code=\(String(repeating: "c", count: 5000))&state=\(Self.state)",
      "\(Self.redirect)?x=\(String(repeating: "c", count: 20_000))&code=c&state=\(Self.state)",
    ] {
      #expect(ProviderCallback(address: bad, redirectURI: Self.redirect) == nil, "\(bad.prefix(80))")
    }
    let query = "https://a.example/?x=1"
    #expect(ProviderCallback(address: "\(query)&code=c&state=\(Self.state)", redirectURI: query) != nil)
    #expect(ProviderCallback(address: "\(query)?code=c&state=\(Self.state)", redirectURI: query) == nil)
  }

  @Test("a no is told from an error, and no error is repeated that is not a plain word")
  func errors() throws {
    func outcome(_ error: String) -> ProviderCallback.Outcome? {
      ProviderCallback(["state": .string(Self.state), "error": .string(error)])?.outcome
    }
    #expect(outcome("access_denied") == .denied)
    #expect(outcome("user_cancelled_authorize") == .denied)
    #expect(outcome("server_error") == .failed("server_error"))
    #expect(outcome("<b>") == .failed("unreadable"))
    #expect(outcome(String(repeating: "e", count: 65)) == .failed("unreadable"))
    let callback = try #require(ProviderCallback(["state": .string(Self.state), "code": .string("secret")]))
    #expect(!"\(callback) \(String(reflecting: callback))".contains("secret"))
  }

  @Test("Apple's name is read where it is one")
  func names() {
    func name(_ user: String) -> String? {
      ProviderCallback(["state": .string(Self.state), "code": .string("c"), "user": .string(user)])?.name
    }
    #expect(name(#"{"name":{"firstName":"Al","lastName":"Apple"},"email":"x@y.z"}"#) == "Al Apple")
    #expect(name(#"{"name":{"firstName":"Al","lastName":""}}"#) == "Al")
    for bad in ["", "{}", "x", #"{"name":"Al"}"#, #"{"name":{"firstName":1}}"#, #"{"name":{"firstName":"a\nb"}}"#] {
      #expect(name(bad) == nil, "\(bad)")
    }
  }

  @Test("parameters are added with everything escaped that could end one")
  func addresses2() {
    #expect(QueryText.address("a://b", adding: [("x", "1&2=ä #")]) == "a://b?x=1%262%3D%C3%A4%20%23")
    #expect(QueryText.address("https://a/?q=1", adding: [("x", "y")]) == "https://a/?q=1&x=y")
    #expect(QueryText.address("a://b", adding: []) == "a://b")
  }
}
