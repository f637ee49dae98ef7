/// The addresses a request came through as proxies noted them, from the nearest to the farthest. Read from the right:
/// what a client wrote stands on the left and can not change how the rest is read.
struct ForwardedHops {
  enum Syntax: Sendable {
    /// `Forwarded` (RFC 7239).
    case forwarded
    /// `X-Forwarded-For`: a plain list of addresses.
    case list

    var field: String {
      switch self {
      case .forwarded: "forwarded"
      case .list: "x-forwarded-for"
      }
    }
  }

  private let syntax: Syntax
  private var lines: [String]
  private var rest: ArraySlice<UInt8>?

  /// - Parameter lines: the field's values, one for each time it was sent, in their order.
  init(_ lines: [String], _ syntax: Syntax) {
    self.lines = lines
    self.syntax = syntax
  }

  /// The next hop; `.some(nil)` for one that names no address, nil after the last.
  mutating func next() -> PeerAddress?? {
    if rest == nil { rest = lines.popLast().map { Array($0.utf8)[...] } }
    guard let line = rest else { return nil }
    let comma = syntax == .list ? line.lastIndex(of: UInt8(ascii: ",")) : ForwardedHops.lastComma(line)
    rest = comma.map { line[..<$0] }
    let element = ForwardedHops.trimmed(comma.map { line[($0 + 1)...] } ?? line)
    switch syntax {
    case .list: return .some(ForwardedHops.address(element, allowsBareIPv6: true))
    case .forwarded: return .some(ForwardedHops.forNode(element).flatMap { ForwardedHops.address($0[...]) })
    }
  }

  /// The last comma that is not inside a quoted string, searched from the right: an unclosed quotation mark on the left
  /// hides no comma.
  private static func lastComma(_ line: ArraySlice<UInt8>) -> Int? {
    var isQuoted = false
    var index = line.endIndex
    while index > line.startIndex {
      index -= 1
      switch line[index] {
      case UInt8(ascii: ",") where !isQuoted: return index
      case UInt8(ascii: "\""):
        guard isQuoted else {
          isQuoted = true
          continue
        }
        let slashes = line[..<index].reversed().prefix { $0 == UInt8(ascii: "\\") }.count
        isQuoted = slashes % 2 == 1
        index -= slashes
      default: break
      }
    }
    return nil
  }

  /// The value of `for` in one `forwarded-element`; nil unless the element is well-formed and has exactly one.
  private static func forNode(_ element: ArraySlice<UInt8>) -> [UInt8]? {
    var node: [UInt8]?
    var rest = element
    while true {
      rest = rest.drop { isBlank($0) }
      let name = rest.prefix { ByteSet.token.contains($0) }
      rest = rest[name.endIndex...]
      guard !name.isEmpty, rest.popFirst() == UInt8(ascii: "="), let value = value(&rest) else { return nil }
      if name.lazy.map(lowercased).elementsEqual(("for" as StaticString).bytes) {
        guard node == nil else { return nil }
        node = value
      }
      rest = rest.drop { isBlank($0) }
      guard let separator = rest.popFirst() else { return node }
      guard separator == UInt8(ascii: ";") else { return nil }
    }
  }

  /// A token or a quoted string, unquoted.
  private static func value(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    guard rest.first == UInt8(ascii: "\"") else {
      let token = rest.prefix { ByteSet.token.contains($0) }
      rest = rest[token.endIndex...]
      return token.isEmpty ? nil : Array(token)
    }
    rest.removeFirst()
    var text: [UInt8] = []
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""): return text
      case UInt8(ascii: "\\"):
        guard let escaped = rest.popFirst() else { return nil }
        text.append(escaped)
      default: text.append(byte)
      }
    }
    return nil
  }

  /// An address with an optional port: `192.0.2.1`, `192.0.2.1:80`, `[2001:db8::1]`, `[2001:db8::1]:80`. The port is
  /// checked and left away. `unknown` and made-up names (RFC 7239, section 6) are no addresses.
  static func address(_ node: ArraySlice<UInt8>, allowsBareIPv6: Bool = false) -> PeerAddress? {
    let colon = UInt8(ascii: ":")
    if node.first == UInt8(ascii: "[") {
      guard let end = node.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      let inside = node[(node.startIndex + 1)..<end]
      let after = node[(end + 1)...]
      guard inside.contains(colon), after.isEmpty || isPort(after) else { return nil }
      return numeric(inside)
    }
    let colons = node.count { $0 == colon }
    if colons > 1 { return allowsBareIPv6 ? numeric(node) : nil }
    guard let first = node.firstIndex(of: colon) else { return numeric(node) }
    return isPort(node[first...]) ? numeric(node[..<first]) : nil
  }

  private static func isPort(_ text: ArraySlice<UInt8>) -> Bool {
    text.first == UInt8(ascii: ":") && (2...6).contains(text.count)
      && text.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
  }

  private static func numeric(_ text: ArraySlice<UInt8>) -> PeerAddress? {
    guard (2...45).contains(text.count),
      text.allSatisfy({ ByteSet.hexadecimal.contains($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") })
    else { return nil }
    return PeerAddress(String(decoding: text, as: UTF8.self))
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = text.drop { isBlank($0) }
    while let last = text.last, isBlank(last) { text.removeLast() }
    return text
  }
}
