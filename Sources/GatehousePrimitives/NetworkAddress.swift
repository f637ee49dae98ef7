import Foundation

/// An IPv4 or IPv6 address. IPv4 written inside IPv6 (`::ffff:192.0.2.1`) is the IPv4 address.
package struct NetworkAddress: Sendable, Hashable {
  /// 4 or 16 bytes, most significant first.
  package let bytes: [UInt8]

  /// Reads the text form of one address, without port, brackets or zone; `nil` for anything else.
  package init?(_ text: String) {
    guard text.utf8.count <= 45, !text.utf8.contains(0) else { return nil }
    var four = [UInt8](repeating: 0, count: 4)
    var sixteen = [UInt8](repeating: 0, count: 16)
    // SAFETY: the text ends with NUL, and the places have the 4 and 16 bytes that are written.
    if inet_pton(AF_INET, text, &four) == 1 {
      self.init(bytes: four)
    } else if inet_pton(AF_INET6, text, &sixteen) == 1 {
      self.init(bytes: sixteen)
    } else {
      return nil
    }
  }

  /// The address with these 4 or 16 bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
    // GUARD: mapped IPv4 is IPv4: as it is counted
    self.bytes = bytes.count == 16 && bytes.starts(with: mapped) ? Array(bytes[12...]) : bytes
  }

  /// Whether this is IPv4.
  package var isIPv4: Bool { bytes.count == 4 }

  /// The key under which attempts are counted: the whole IPv4 address, the first 64 bits of an IPv6 one, since one
  /// subscriber usually holds all the rest. The first byte tells the two apart.
  package var countingKey: [UInt8] {
    let network = 8  // GUARD: counting: by /64
    return isIPv4 ? [4] + bytes : [6] + bytes[..<network]
  }

  /// Calls `body` with the form that sockets and libraries of C know, without a port.
  func withSocketAddress<Answer>(_ body: (UnsafePointer<sockaddr>) -> Answer) -> Answer {
    func pass<Form>(_ form: Form) -> Answer {
      // SAFETY: every form of an address begins as sockaddr does; a reader looks at the family first.
      withUnsafePointer(to: form) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body) }
    }
    if isIPv4 {
      var form = sockaddr_in()
      form.sin_family = sa_family_t(AF_INET)
      withUnsafeMutableBytes(of: &form.sin_addr) { $0.copyBytes(from: bytes) }
      return pass(form)
    }
    var form = sockaddr_in6()
    form.sin6_family = sa_family_t(AF_INET6)
    withUnsafeMutableBytes(of: &form.sin6_addr) { $0.copyBytes(from: bytes) }
    return pass(form)
  }

  /// The usual text form (RFC 5952 for IPv6).
  package var text: String {
    var output = [CChar](repeating: 0, count: 64)
    // SAFETY: the bytes are 4 or 16 as the family says, and the output has room for the longest form.
    _ = inet_ntop(isIPv4 ? AF_INET : AF_INET6, bytes, &output, socklen_t(output.count))
    return String(decoding: output.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

/// A block of addresses in CIDR form: `10.0.0.0/8`, `2001:db8::/32`, or a single address.
package struct NetworkBlock: Sendable, Hashable {
  private let base: NetworkAddress
  /// How many leading bits all addresses of the block share; 0 means every address of the family.
  package let prefix: Int

  /// Reads the text form; `nil` when it is none, or has bits set behind the prefix.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let base = NetworkAddress(String(first)) else { return nil }
    var prefix = base.bytes.count * 8
    if parts.count == 2 {
      let digits = parts[1].utf8
      guard (1...3).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
        digits.count == 1 || digits.first != 0x30, let stated = Int(parts[1]), stated <= prefix
      else { return nil }
      prefix = stated
    }
    self.base = base
    self.prefix = prefix
    guard NetworkBlock.masked(base.bytes, to: prefix) == base.bytes else { return nil }
  }

  /// The text form, always with its prefix.
  package var text: String { "\(base.text)/\(prefix)" }

  /// Whether `address` lies in the block.
  package func contains(_ address: NetworkAddress) -> Bool {
    address.isIPv4 == base.isIPv4 && NetworkBlock.masked(address.bytes, to: prefix) == base.bytes
  }

  private static func masked(_ bytes: [UInt8], to prefix: Int) -> [UInt8] {
    bytes.enumerated().map { index, byte in
      let kept = min(max(prefix - index * 8, 0), 8)
      return byte & UInt8(truncatingIfNeeded: 0xFF00 >> kept)
    }
  }
}
