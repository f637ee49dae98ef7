import GatehousePrimitives
import Testing

@testable import GatehouseServer

@Suite("The origin of our own pages")
struct OwnOriginTests {
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
}
