import GatehousePrimitives
import GatehouseRuntime
import Testing

@testable import GatehouseServer

@Suite("The origins that a request may come from")
struct WelcomeOriginsTests {
  private static let own = "https://auth.example.com/t/messai"

  @Test(
    "T117 the origin of our pages is known in every spelling",
    arguments: ["https://auth.example.com", "https://auth.example.com:443", "HTTPS://Auth.Example.COM"])
  func same(_ field: String) {
    #expect(WebOrigin(field) != nil && WebOrigin(field) == WebOrigin(of: Self.own))
  }

  @Test(
    "T117 an origin that is a part of ours, or more than it, is another one",
    arguments: [
      "", "null", "https:", "https:/", "https://", "https://auth.example.com/", "https://auth.example.com/t",
      "https://auth.example.com/t/messai", "http://auth.example.com", "https://auth.example.com:444",
      "https://auth.example.com:", "https://auth.example.com:443x", "https://auth.example.com:+443",
      "https://auth.example.com.evil.example", "https://evil.example", "https://evil.example@auth.example.com",
      "https://auth.example.com#", "https://auth.example.com?", "https://auth.example.com\\", "auth.example.com",
      "https://auth.example.com https://evil.example", "https://xn--auth.example.com", "ftp://auth.example.com",
    ])
  func other(_ field: String) {
    #expect(WebOrigin(field) == nil || WebOrigin(field) != WebOrigin(of: Self.own))
  }

  @Test("T117 ports and IPv6 hosts are told apart", arguments: ["http://[::1]:8080", "http://127.0.0.1:8080"])
  func ports(_ base: String) {
    #expect(WebOrigin(base) == WebOrigin(of: base + "/t/x"))
    #expect(WebOrigin(base.dropLast() + "1") != WebOrigin(of: base + "/t/x"))
  }

  private static func request(_ fields: [(String, String)]) throws -> Request {
    try #require(Request(method: .post, target: "/", headers: Headers(fields)))
  }

  private static let pages = WelcomeOrigins(own: [own])
  private static let programs = WelcomeOrigins(
    own: [own], others: ["https://app.example.com"], admitsPrograms: true)

  @Test(
    "T117 a form comes from our pages, by its origin or by its site",
    arguments: [
      ([("origin", "https://auth.example.com")], true), ([("origin", "https://app.example.com")], false),
      ([("sec-fetch-site", "same-origin")], true), ([("origin", "null"), ("sec-fetch-site", "same-origin")], true),
      ([("origin", "null")], false), ([("sec-fetch-site", "none")], false), ([], false),
      ([("origin", "https://evil.example"), ("sec-fetch-site", "same-origin")], false),
    ] as [([(String, String)], Bool)])
  func form(_ fields: [(String, String)], _ isWelcome: Bool) throws {
    #expect(try Self.pages.admit(Self.request(fields)) == isWelcome)
  }

  @Test(
    "T117 what binds a browser takes the policy's origins and programs, and no other page",
    arguments: [
      ([("origin", "https://auth.example.com")], true), ([("origin", "https://app.example.com")], true),
      ([("origin", "https://evil.example")], false), ([("sec-fetch-site", "same-origin")], true),
      ([("sec-fetch-site", "none")], true), ([("sec-fetch-site", "cross-site")], false), ([], true),
      ([("origin", "null")], false),
    ] as [([(String, String)], Bool)])
  func programs(_ fields: [(String, String)], _ isWelcome: Bool) throws {
    #expect(try Self.programs.admit(Self.request(fields)) == isWelcome)
  }
}
