import Foundation
import GatehouseClientTesting
import Testing

@testable import GatehouseClient

@Suite("The address of the hosted pages")
struct HostedAddressTests {
  private static let state = "state-of-this-way"
  private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

  private func configuration(
    _ server: String = "https://auth.example.com", tenant: String? = "vibes", languages: [String] = []
  ) throws -> AuthConfiguration {
    AuthConfiguration(
      server: try #require(URL(string: server)), tenant: tenant, store: MemoryStore(), languages: languages)
  }

  private func address(
    _ configuration: AuthConfiguration, _ target: String = "vibes://signed-in", screen: HostedScreen = .signIn,
    hint: String? = nil, prompts: Bool = false
  ) throws -> String {
    let target = try #require(URL(string: target))
    return HostedWish(returnTo: target, screen: screen, loginHint: hint, promptsAgain: prompts)
      .address(configuration, state: Self.state, challenge: Self.challenge)
  }

  private static let always =
    "continue=vibes%3A%2F%2Fsigned-in&state=\(state)&code_challenge=\(challenge)&code_challenge_method=S256"

  @Test("with nothing wished for it has the four parameters of every way")
  func least() throws {
    #expect(try address(configuration()) == "https://auth.example.com/t/vibes/ui/sign-in?" + Self.always)
  }

  @Test("every wish is a parameter, percent-encoded, in this order")
  func most() throws {
    let found = try address(
      configuration(languages: ["es-MX", "en"]), screen: .signUp, hint: "zoë+1@example.com", prompts: true)
    #expect(
      found == "https://auth.example.com/t/vibes/ui/sign-in?" + Self.always
        + "&screen=sign-up&login_hint=zo%C3%AB%2B1%40example.com&ui_locales=es-MX%20en&prompt=login")
  }

  @Test("a tenant with a host of its own has no path before the pages")
  func ownHost() throws {
    let found = try address(configuration("https://id.vibes.example/", tenant: nil))
    #expect(found == "https://id.vibes.example/ui/sign-in?" + Self.always)
  }

  @Test("a web address to return to keeps each of its characters")
  func webTarget() throws {
    let found = try address(configuration(), "https://app.vibes.example/back?a=b&c=%20d")
    #expect(found.contains("continue=https%3A%2F%2Fapp.vibes.example%2Fback%3Fa%3Db%26c%3D%2520d&state="))
  }

  @Test("what is no language is left out")
  func languages() throws {
    let found = try address(configuration(languages: ["", "es&prompt=login", String(repeating: "a", count: 36), "en"]))
    #expect(found.hasSuffix("&ui_locales=en"))
  }

  @Test("a way has a verifier and a state of its own, which the address shows as challenge and state alone")
  func secrets() throws {
    let wish = HostedWish(
      returnTo: ClientStage.target, screen: .signIn, loginHint: nil, promptsAgain: false)
    let (one, two) = (PendingHostedSignIn(wish, try configuration()), PendingHostedSignIn(wish, try configuration()))
    #expect(Set([one.state, one.verifier, two.state, two.verifier]).count == 4)
    #expect(one.url.contains("state=\(one.state)&code_challenge=\(PKCE.challenge(of: one.verifier))&"))
    #expect(!one.url.contains(one.verifier))
  }

  @Test(
    "the issuer is the base in the server's spelling",
    arguments: [
      ("https://Auth.Example.com:443/", "https://auth.example.com/t/vibes"),
      ("HTTP://localhost:80", "http://localhost/t/vibes"), ("http://localhost:8080", "http://localhost:8080/t/vibes"),
      ("https://auth.example.com:80", "https://auth.example.com:80/t/vibes"),
      ("https://example.com/Auth/", "https://example.com/Auth/t/vibes"),
    ])
  func issuer(server: String, issuer: String) throws {
    #expect(try configuration(server).issuer == issuer)
  }
}
