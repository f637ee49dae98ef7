/// Addresses with parameters (RFC 3986 section 3.4).
package enum QueryText {
  /// Everything but unreserved characters as percent-encoded bytes.
  package static func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if isUnreserved(byte) {
        bytes.append(byte)
      } else {
        let digits = Array("0123456789ABCDEF".utf8)
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// `address` with more parameters behind those it has.
  package static func address(_ address: String, adding parameters: [(name: String, value: String)]) -> String {
    let query = parameters.map { "\(escaped($0.name))=\(escaped($0.value))" }.joined(separator: "&")
    guard !query.isEmpty else { return address }
    return address + (address.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + query
  }

  /// RFC 3986 section 2.3; also all that a code verifier consists of (RFC 7636 section 4.1).
  package static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: true
    default: false
    }
  }
}
