import GatehousePolicy
@testable import GatehousePolicyFile
import Testing

@Suite("Addresses of the web in policies")
struct WebAddressTests {
  private func file(_ app: String) -> String {
    """
    schema: gatehouse/policy.v1
    tenant: acme
    app: {name: Acme, \(app)}
    password: {rules: [{id: min8, min_length: 8}]}

    """
  }

  private func read(_ app: String, as reading: PolicyReading = .candidate) -> Policy? {
    try? PolicyFile.read(file(app), name: "acme", as: reading).get().policy
  }

  /// Spellings, and the one of browsers (RFC 3986 section 6.2).
  private static let spellings = [
    ("https://APP.example.com", "https://app.example.com"), ("HTTPS://app.example.com", "https://app.example.com"),
    ("https://one.example.com:443", "https://one.example.com"), ("https://a.example:8443", "https://a.example:8443"),
    ("https://a.example:80", "https://a.example:80"), ("http://LOCALHOST:80", "http://localhost"),
    ("http://127.0.0.1:8080", "http://127.0.0.1:8080"), ("https://[2001:DB8::1]:443", "https://[2001:db8::1]"),
  ]

  @Test("every spelling is read as that of browsers, in a candidate and in a stored revision", arguments: spellings)
  func spelling(text: String, canonical: String) throws {
    for reading in [PolicyReading.candidate, .stored(.first)] {
      let app = try #require(
        read(
          "base_url: \"\(text)\", origins: [\"\(text)\"], continue: [\"\(text)/Back?A=B\"], open_app: \"\(text)/Open\"",
          as: reading)
      ).app
      #expect(app.baseURL == canonical && app.origins == [canonical])
      #expect(app.continueTargets == [canonical + "/Back?A=B"] && app.openApp == canonical + "/Open")
    }
  }

  @Test("an app's own scheme has no case, and what stands behind it stays")
  func ownScheme() throws {
    let app = try #require(read("continue: [\"MyApp://Signed-In/X\"], open_app: myapp://Open")).app
    #expect(app.continueTargets == ["myapp://Signed-In/X"] && app.openApp == "myapp://Open")
  }

  @Test("spellings of one address are no change of trust")
  func diff() throws {
    let one = try #require(read("origins: [\"https://APP.example.com:443\"]"))
    let other = try #require(read("origins: [\"https://app.example.com\"]"))
    #expect(one.canonicalJSON == other.canonicalJSON)
  }

  @Test(
    "a wildcard is refused in a candidate, and a stored revision with it goes on loading",
    arguments: [
      "origins: [\"https://*.star.example.com\"]", "base_url: \"https://*.example.com\"",
      "continue: [\"https://*.example.com/back\"]", "open_app: \"https://*.example.com/open\"",
    ])
  func wildcard(app: String) {
    guard case .failure(let refusal) = PolicyFile.read(file(app), name: "acme") else {
      Issue.record("taken")
      return
    }
    #expect(refusal.diagnostics.map(\.code) == [.wildcardAddress])
    #expect(read(app, as: .stored(.first)) != nil)
  }

  @Test(
    "two texts are the same address where only scheme, host and port are spelled otherwise",
    arguments: [
      ("https://app.example.com/cb", "HTTPS://App.Example.COM:443/cb", true),
      ("https://a.example", "https://a.example/", true),
      ("https://a.example?x", "https://a.example/?x", true), ("https://a.example/cb", "https://a.example/Cb", false),
      ("https://a.example/cb", "https://a.example/cb/", false), ("https://a.example/cb", "http://a.example/cb", false),
      ("https://a.example/cb", "https://a.example:8443/cb", false),
      ("https://a.example/cb", "https://u@a.example/cb", false),
      ("https://a.example/cb", "https://a.example/cb#x", false),
      ("https://a.example/%62", "https://a.example/b", false),
      ("myapp://Back", "MYAPP://Back", true), ("myapp://Back", "myapp://back", false),
      ("myapp://back", "myapp://back/", false),
      ("https://a.example/cb", "https://a.example.evil.example/cb", false), ("", "", true), ("x", "X", false),
    ])
  func same(one: String, other: String, isSame: Bool) {
    #expect(WrittenURL.same(one, other) == isSame)
    #expect(WrittenURL.same(other, one) == isSame)
  }
}
