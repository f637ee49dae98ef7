import GatehousePrimitives
import Testing

@testable import GatehouseOutbound

@Suite("URLs that requests go to")
struct OutboundURLTests {
  private let dev = ReachableAddresses(allowsLoopback: true)

  @Test(
    "a URL is parsed and written in normal form",
    arguments: [
      ("https://example.com", "https://example.com/"),
      ("HTTPS://Example.COM:443/A?b=%20#".dropLast().description, "https://example.com/A?b=%20"),
      ("https://example.com:8443?x", "https://example.com:8443/?x"),
      ("https://8.8.8.8/x/../y", "https://8.8.8.8/x/../y"),
      ("https://[2606:4700:0::1111]:1/", "https://[2606:4700::1111]:1/"),
      ("https://xn--mnchen-3ya.de/", "https://xn--mnchen-3ya.de/"),
    ])
  func read(_ text: String, _ written: String) throws {
    #expect(try OutboundURL(text).description == written)
  }

  @Test(
    "T102 what two readers could read differently is refused",
    arguments: [
      ("https://user@example.com/", OutboundURL.Problem.syntax), ("https://good.example@evil.example/", .syntax),
      ("https://good.example\\@evil.example/", .syntax), ("https://example.com/#f", .syntax), ("example.com", .syntax),
      ("//example.com/", .syntax), ("https:/example.com", .syntax), ("https://exa mple.com/", .syntax),
      ("https://example.com/\u{e9}", .syntax), ("https://example.com/\r\nX: y", .syntax),
      ("https://ex\tample.com", .syntax),
      ("https://münchen.de/", .syntax), ("http://example.com/", .scheme), ("ftp://example.com/", .scheme),
      ("file:///etc/passwd", .scheme), ("gopher://example.com/", .scheme), ("https://", .host), ("https:///x", .host),
      ("https://example..com/", .host), ("https://example.com./", .host), ("https://-a.com/", .host),
      ("https://127.1/", .host), ("https://0x7f.0.0.1/", .host), ("https://2130706433/", .host),
      ("https://0177.0.0.1/", .host), ("https://1.2.3.4.5/", .host), ("https://example.0x1/", .host),
      ("https://[::1", .host), ("https://[::1%25eth0]/", .host), ("https://[127.0.0.1]/", .host),
      ("https://a%2eb.com/", .host),
      ("https://[2606:4700::1111]x/", .syntax), ("https://example.com:/", .port), ("https://example.com:0/", .port),
      ("https://example.com:65536/", .port), ("https://example.com:+1/", .port), ("https://example.com:1:2/", .port),
      ("https://127.0.0.1/", .address), ("https://[::1]/", .address), ("https://[::ffff:127.0.0.1]/", .address),
      ("https://169.254.169.254/latest/meta-data", .address), ("https://10.0.0.1/", .address),
    ])
  func refused(_ text: String, _ problem: OutboundURL.Problem) {
    #expect(throws: problem) { try OutboundURL(text) }
  }

  @Test("T102 in development plain http goes to this machine only")
  func development() throws {
    for text in [
      "http://localhost:8080/", "http://127.0.0.1/", "http://[::1]:1/", "https://127.0.0.1/", "http://a.localhost:1/",
    ] {
      #expect(try OutboundURL(text, addresses: dev).description == text)
      if text.hasPrefix("http:") { #expect(throws: OutboundURL.Problem.self) { try OutboundURL(text) } }
    }
    for text in ["http://example.com/", "http://localhost.example.com/", "http://alocalhost/", "http://8.8.8.8/"] {
      #expect(throws: OutboundURL.Problem.scheme) { try OutboundURL(text, addresses: dev) }
    }
    #expect(throws: OutboundURL.Problem.address) { try OutboundURL("http://10.0.0.1/", addresses: dev) }
  }

  @Test("a URL over 2048 bytes is refused")
  func long() throws {
    let prefix = "https://example.com/"
    _ = try OutboundURL(prefix + String(repeating: "a", count: 2048 - prefix.utf8.count))
    #expect(throws: OutboundURL.Problem.syntax) {
      try OutboundURL(prefix + String(repeating: "a", count: 2049 - prefix.utf8.count))
    }
  }
}
