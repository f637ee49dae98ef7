@testable import GatehouseRuntime

extension FuzzTarget {
  /// The first bytes of a proxy's connection, taken as the server takes them: never more than the header, the same
  /// client when the header is made anew.
  static let proxyHeader = FuzzTarget(name: "proxy-header") { bytes in
    var taken = 0
    while true {
      let step = bytes[..<taken].withUnsafeBufferPointer(ProxyHeader.read)
      switch step {
      case .refused: return nil
      case .more(let missing):
        if missing <= 0 { return "asks for nothing" }
        if taken + missing > ProxyHeader.maximumBytes { return "asks for more than the longest header" }
        guard taken + missing <= bytes.count else { return nil }
        taken += missing
      case .header(let header):
        guard let client = header.client else { return nil }
        let anew = bytes[..<12] + written(client)
        let again = Array(anew).withUnsafeBufferPointer(ProxyHeader.read)
        return again == .header(header) ? nil : "another client when it is repeated"
      }
    }
  }

  /// Version, family, length and addresses of a header for `client`.
  private static func written(_ client: PeerAddress) -> [UInt8] {
    let address = client.bytes
    let port = client.port ?? 0
    let ports = [UInt8(port >> 8), UInt8(port & 255), 0, 0]
    let block = address + [UInt8](repeating: 0, count: address.count) + ports
    return [0x21, address.count == 4 ? 0x11 : 0x21, 0, UInt8(block.count)] + block
  }

  /// `Forwarded` and `X-Forwarded-For`: as many hops as there are elements at most, each address the same when it is
  /// written out, and nothing on the left changes what is read on the right.
  static let forwarded = FuzzTarget(name: "forwarded") { bytes in
    guard bytes.count <= 16_384 else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    for syntax in [ForwardedHops.Syntax.forwarded, .list] {
      let read = hops(text, syntax)
      if read.count > text.utf8.count + 1 { return "more hops than bytes" }
      for case let hop? in read where PeerAddress(hop.address)?.network != hop.network { return "not the same address" }
      guard let nearest = hops(text + ", " + (syntax == .list ? "192.0.2.7" : "for=192.0.2.7"), syntax).first,
        nearest == PeerAddress("192.0.2.7")
      else { return "what a client wrote hides what the proxy wrote" }
    }
    return nil
  }

  private static func hops(_ text: String, _ syntax: ForwardedHops.Syntax) -> [PeerAddress?] {
    var hops = ForwardedHops([text], syntax)
    var all: [PeerAddress?] = []
    while let hop = hops.next() { all.append(hop) }
    return all
  }
}
