import GatehouseIdentity
import Testing

@Suite("Host names of tenants")
struct HostNameTests {
  @Test(
    "these are host names, byte for byte",
    arguments: ["auth.example.com", "a.b", "xn--bcher-kva.example", "auth.example.com:8443", "1.example", "a-b.c1"])
  func taken(text: String) { #expect(HostName(text)?.description == text) }

  @Test(
    "these are none",
    arguments: [
      "", "localhost", "Auth.example.com", "auth.example.com.", ".example.com", "a..b", "-a.example", "a-.example",
      "a_b.example", "bücher.example", "\u{212A}elvin.example", "127.0.0.1", "[::1]", "auth.example.com:", "a.b:0",
      "a.b:080", "a.b:65536", "a.b:1:2", "a.b/c", "user@a.b", "a.b ", "a.b\r\nX: y", "*.example.com",
      "auth.example.com:443", "auth.example.com:80",
      String(repeating: "a", count: 64) + ".example", String(repeating: "a.", count: 127) + "ab",
    ])
  func refused(text: String) { #expect(HostName(text) == nil) }

  @Test("T207 a port that an origin has anyway makes no second name of a host", arguments: [443, 80])
  func defaultPort(port: Int) { #expect(HostName("auth.example.com:\(port)") == nil) }

  @Test(
    "T207 a name is found in whatever spelling an origin has",
    arguments: [
      ("auth.example.com", "auth.example.com"), ("AUTH.Example.COM", "auth.example.com"),
      ("auth.example.com.", "auth.example.com"), ("auth.example.com:443", "auth.example.com"),
      ("Bücher.example", "xn--bcher-kva.example"), ("auth.example.com:8443", "auth.example.com:8443"),
    ])
  func spelled(text: String, name: String) { #expect(HostName(spelled: text)?.description == name) }

  @Test(
    "T207 what is no host is none in any spelling",
    arguments: [
      "", "a b.example", "a.b/c", "user@a.b", "a.b:0", "a.b:99999", "[::1]", "127.0.0.1", "localhost", "a.b..",
    ])
  func unspelled(text: String) { #expect(HostName(spelled: text) == nil) }
}
