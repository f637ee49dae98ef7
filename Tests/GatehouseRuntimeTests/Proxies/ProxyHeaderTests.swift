import Testing

@testable import GatehouseRuntime

/// Builds headers of the PROXY protocol, right and wrong ones.
enum ProxyBytes {
  static let signature: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A, 0, 0x0D, 0x0A] + Array("QUIT\n".utf8)

  static func header(command: UInt8 = 0x21, family: UInt8, block: [UInt8], length: Int? = nil) -> [UInt8] {
    let length = length ?? block.count
    return signature + [command, family, UInt8(length >> 8), UInt8(length & 255)] + block
  }

  static func block(_ source: [UInt8], _ target: [UInt8], port: UInt16 = 4711) -> [UInt8] {
    source + target + [UInt8(port >> 8), UInt8(port & 255), 0x01, 0xBB]
  }

  /// `192.0.2.7:4711` speaks to `198.51.100.1:443`.
  static let four = block([192, 0, 2, 7], [198, 51, 100, 1])
  static let six = block(
    [0x20, 1, 0xD, 0xB8] + [UInt8](repeating: 0, count: 11) + [9], [UInt8](repeating: 1, count: 16))
  static let mapped = block(
    [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, 203, 0, 113, 5], [UInt8](repeating: 1, count: 16))
}

@Suite("The header of the PROXY protocol")
struct ProxyHeaderTests {
  /// Reads as a connection does: exactly as many bytes as are missing, each time, and at most `piece` of them.
  private func read(_ bytes: [UInt8], piece: Int = .max) -> (step: ProxyHeader.Step, used: Int) {
    var used = 0
    while true {
      let step = bytes[..<used].withUnsafeBufferPointer(ProxyHeader.read)
      guard case .more(let missing) = step, used < bytes.count else { return (step, used) }
      used += min(missing, piece, bytes.count - used)
    }
  }

  @Test(
    "every form says who the client is, in any pieces, and what follows is left alone",
    arguments: [
      (ProxyBytes.header(family: 0x11, block: ProxyBytes.four), "192.0.2.7:4711"),
      (ProxyBytes.header(family: 0x12, block: ProxyBytes.four), "192.0.2.7:4711"),
      (ProxyBytes.header(family: 0x21, block: ProxyBytes.six), "[2001:db8::9]:4711"),
      (ProxyBytes.header(family: 0x21, block: ProxyBytes.mapped), "203.0.113.5:4711"),
      (ProxyBytes.header(family: 0x11, block: ProxyBytes.four + [4, 0, 1, 0]), "192.0.2.7:4711"),
      (ProxyBytes.header(family: 0x11, block: ProxyBytes.four + [UInt8](repeating: 7, count: 508)), "192.0.2.7:4711"),
      (ProxyBytes.header(family: 0x00, block: []), "proxy"),
      (ProxyBytes.header(family: 0x00, block: [1, 2, 3]), "proxy"),
      (ProxyBytes.header(family: 0x31, block: [UInt8](repeating: 0x61, count: 216)), "proxy"),
      (ProxyBytes.header(command: 0x20, family: 0x00, block: []), "proxy"),
      (ProxyBytes.header(command: 0x20, family: 0x11, block: ProxyBytes.four), "proxy"),
      (ProxyBytes.header(command: 0x20, family: 0xFF, block: [1]), "proxy"),
    ])
  func valid(_ bytes: [UInt8], _ client: String) {
    for piece in [1, 3, 16, .max] {
      let (step, used) = read(bytes + Array("GET / HTTP/1.1\r\n".utf8), piece: piece)
      guard case .header(let header) = step else { return #expect(Bool(false), "\(step)") }
      #expect((header.client?.description ?? "proxy") == client)
      #expect(used == bytes.count)
    }
  }

  static let malformed: [(name: String, bytes: [UInt8])] = [
    ("version 1", Array("PROXY TCP4 192.0.2.7 198.51.100.1 4711 443\r\n".utf8)),
    ("version 1, unknown", Array("PROXY UNKNOWN\r\n".utf8)),
    ("a request", Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)),
    ("a TLS greeting", [0x16, 3, 1, 2, 0, 1]),
    ("a signature with another end", Array(ProxyBytes.signature.dropLast()) + [0x0D]),
    ("version 3", ProxyBytes.header(command: 0x31, family: 0x11, block: ProxyBytes.four)),
    ("version 0", ProxyBytes.header(command: 0x01, family: 0x11, block: ProxyBytes.four)),
    ("an unknown command", ProxyBytes.header(command: 0x22, family: 0x11, block: ProxyBytes.four)),
    ("an unknown family", ProxyBytes.header(family: 0x41, block: ProxyBytes.four)),
    ("IPv4 without a transport", ProxyBytes.header(family: 0x10, block: ProxyBytes.four)),
    ("a transport without a family", ProxyBytes.header(family: 0x01, block: ProxyBytes.four)),
    ("an IPv4 block cut short", ProxyBytes.header(family: 0x11, block: Array(ProxyBytes.four.dropLast()))),
    ("an IPv6 block cut short", ProxyBytes.header(family: 0x21, block: Array(ProxyBytes.six.dropLast()))),
    ("IPv6 said, IPv4 given", ProxyBytes.header(family: 0x21, block: ProxyBytes.four)),
    ("a unix block cut short", ProxyBytes.header(family: 0x31, block: [UInt8](repeating: 0x61, count: 215))),
    ("no block for IPv4", ProxyBytes.header(family: 0x11, block: [])),
    ("521 bytes behind the fixed part", ProxyBytes.header(family: 0x11, block: [UInt8](repeating: 0, count: 521))),
    ("a length of 65535", ProxyBytes.header(family: 0x11, block: ProxyBytes.four, length: 65_535)),
  ]

  @Test("a malformed header is refused in any pieces, as soon as it shows", arguments: malformed.map(\.name))
  func refused(_ name: String) throws {
    let bytes = try #require(Self.malformed.first { $0.name == name }).bytes
    for piece in [1, 5, .max] { #expect(read(bytes, piece: piece).step == .refused) }
  }

  @Test("a header that has not come whole is never taken for one")
  func cutShort() {
    let bytes = ProxyBytes.header(family: 0x21, block: ProxyBytes.six)
    for count in 0..<bytes.count {
      let step = bytes[..<count].withUnsafeBufferPointer(ProxyHeader.read)
      #expect(step == .more(count < 16 ? 16 - count : bytes.count - count))
    }
    #expect((bytes + [0]).withUnsafeBufferPointer(ProxyHeader.read) == .refused)
  }
}
