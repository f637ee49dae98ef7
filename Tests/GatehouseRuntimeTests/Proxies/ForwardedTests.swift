import GatehouseTesting
import Testing

@testable import GatehouseRuntime

@Suite("Header fields in which proxies name the client")
struct ForwardedTests {
  /// 10.0.0.0/8 and 2001:db8:ffff::/48 are proxies.
  private func isProxy(_ peer: PeerAddress) -> Bool {
    switch peer {
    case .ipv4(let address, _): address >> 24 == 10
    case .ipv6(let high, _, _): high >> 16 == 0x2001_0DB8_FFFF
    case .unix: false
    }
  }

  private func client(
    _ announcement: ProxyTrust.Announcement, _ field: String, _ lines: [String], peer: String = "10.0.0.1"
  ) throws -> String {
    let trust = ProxyTrust(announcement) { isProxy($0) }
    let peer = try #require(PeerAddress(peer, port: 7))
    return trust.client(peer: peer, Headers(lines.map { (field, $0) })).address
  }

  @Test(
    "X-Forwarded-For is walked from the right, over proxies, to the first address that is not a proxy",
    arguments: [
      (["203.0.113.7"], "203.0.113.7"), (["203.0.113.7, 10.0.0.2"], "203.0.113.7"),
      (["198.51.100.1, 203.0.113.7, 10.0.0.2,10.0.0.3"], "203.0.113.7"),
      (["198.51.100.1", "203.0.113.7", "10.0.0.2"], "203.0.113.7"),
      (["rubbish, 203.0.113.7"], "203.0.113.7"), (["\"", "203.0.113.7 "], "203.0.113.7"),
      (["203.0.113.7:4711"], "203.0.113.7"), (["[2001:db8::1]:4711"], "2001:db8::1"),
      (["2001:db8::1, 2001:db8:ffff::1"], "2001:db8::1"), (["::ffff:203.0.113.7"], "203.0.113.7"),
      (["203.0.113.7, ::ffff:10.0.0.9"], "203.0.113.7"),
      // Only proxies: the farthest of them.
      (["10.0.0.5, 10.0.0.2"], "10.0.0.5"),
    ])
  func list(_ lines: [String], _ expected: String) throws {
    #expect(try client(.xForwardedFor, "X-Forwarded-For", lines) == expected)
  }

  @Test(
    "T030 what names no address, or nothing at all, leaves the peer",
    arguments: [
      [], [""], [" "], ["unknown"], ["203.0.113.7,"], ["203.0.113.7, rubbish"], ["203.0.113.7, , 10.0.0.2"],
      ["rubbish, 10.0.0.2"], ["203.0.113.300"], ["203.0.113.7:"], ["203.0.113.7:80a"], ["203.0.113"], ["[2001:db8::1"],
      ["[203.0.113.7]"], ["2001:db8::1%eth0"], ["\"203.0.113.7\""], ["203.0.113.7 198.51.100.1"], ["0x7f.1"],
      ["for=203.0.113.7"], ["localhost"],
    ])
  func malformedList(_ lines: [String]) throws {
    #expect(try client(.xForwardedFor, "X-Forwarded-For", lines) == "10.0.0.1")
  }

  @Test(
    "Forwarded is read as RFC 7239 says, from the right",
    arguments: [
      (["for=203.0.113.7"], "203.0.113.7"), (["For=\"203.0.113.7:4711\";proto=https;by=10.0.0.1"], "203.0.113.7"),
      (["proto=https; for=\"[2001:db8::1]:4711\""], "2001:db8::1"), (["for=\"[2001:DB8::1]\""], "2001:db8::1"),
      (["for=198.51.100.1, for=203.0.113.7;by=10.0.0.9, for=10.0.0.2"], "203.0.113.7"),
      (["for=198.51.100.1", "for=203.0.113.7"], "203.0.113.7"),
      // A client's open quotation mark, comma and backslash swallow nothing of what the proxy wrote.
      (["for=\", for=203.0.113.7"], "203.0.113.7"), (["for=\"\\\", for=203.0.113.7"], "203.0.113.7"),
      (["for=\"a,b\\\"\", for=203.0.113.7"], "203.0.113.7"), (["\\\\\"\\, for=203.0.113.7"], "203.0.113.7"),
      (["host=\"a,b\";for=203.0.113.7"], "203.0.113.7"), (["host=\"a\\\",b\";for=203.0.113.7"], "203.0.113.7"),
      (["for=\"203.0.113\\.7\""], "203.0.113.7"),
    ])
  func forwarded(_ lines: [String], _ expected: String) throws {
    #expect(try client(.forwarded, "Forwarded", lines) == expected)
  }

  @Test(
    "T030 a malformed or missing element leaves the peer",
    arguments: [
      [], [""], ["for="], ["for"], ["203.0.113.7"], ["by=203.0.113.7"], ["for=unknown"], ["for=_hidden"],
      ["for=203.0.113.7;for=203.0.113.8"], ["for=203.0.113.7:80"], ["for=\"2001:db8::1\""], ["for=[2001:db8::1]"],
      ["for=203.0.113.7;"], ["for = 203.0.113.7"], ["for=\"203.0.113.7"], ["for=\"203.0.113.7\"x"],
      ["for=203.0.113.7,"],
      ["for=203.0.113.7, for=unknown"], [";for=203.0.113.7"], ["for=\"203.0.113.7\\"], ["for=203.0.113.7 proto=http"],
    ])
  func malformedForwarded(_ lines: [String]) throws {
    #expect(try client(.forwarded, "Forwarded", lines) == "10.0.0.1")
  }

  @Test("T030 from a peer that is no proxy, and without configuration, the fields change nothing")
  func spoofed() throws {
    for peer in ["203.0.113.9", "2001:db8::9"] {
      #expect(try client(.xForwardedFor, "X-Forwarded-For", ["198.51.100.1"], peer: peer) == peer)
      #expect(try client(.forwarded, "Forwarded", ["for=198.51.100.1"], peer: peer) == peer)
    }
    #expect(try client(.none, "X-Forwarded-For", ["198.51.100.1"]) == "10.0.0.1")
    #expect(try client(.proxyV2, "X-Forwarded-For", ["198.51.100.1"]) == "10.0.0.1")
    // Only the configured field is read.
    #expect(try client(.forwarded, "X-Forwarded-For", ["198.51.100.1"]) == "10.0.0.1")
    #expect(try client(.xForwardedFor, "Forwarded", ["for=198.51.100.1"]) == "10.0.0.1")
    // The negative control: the same field from a proxy is believed.
    #expect(try client(.xForwardedFor, "X-Forwarded-For", ["198.51.100.1"]) == "198.51.100.1")
  }

  @Test("whatever a client writes before what the proxy appends, the proxy's word counts")
  func prefixes() throws {
    var random = SeededGenerator()
    let pieces = ["\"", "\\", ",", ";", "for=", "203.0.113.1", " ", "\t", "[", "]", ":", "10.0.0.2", "é", "x"]
    for _ in 0..<3000 {
      let count = Int.random(in: 0...12, using: &random)
      let prefix = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      #expect(
        try client(.forwarded, "Forwarded", ["\(prefix), for=198.51.100.1"]) == "198.51.100.1",
        "\(prefix) seed \(SeededGenerator.seed)"
      )
      #expect(
        try client(.xForwardedFor, "X-Forwarded-For", ["\(prefix), 198.51.100.1"]) == "198.51.100.1",
        "seed \(SeededGenerator.seed)")
    }
  }
}
