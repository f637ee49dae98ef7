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
      String(repeating: "a", count: 64) + ".example", String(repeating: "a.", count: 127) + "ab",
    ])
  func refused(text: String) { #expect(HostName(text) == nil) }
}
