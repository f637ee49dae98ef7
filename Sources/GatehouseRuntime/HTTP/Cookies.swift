/// The cookies that a request brought (RFC 6265, section 5.4). Names are compared as bytes. Any site that may set
/// cookies for this host can have set them, a sibling under the same domain included: nothing in them is trusted here.
package struct Cookies {
  private let fields: [String]

  /// `fields`: the values of every `Cookie` field of one request.
  package init(_ fields: [String]) { self.fields = fields }

  package init(_ request: Request) { self.init(request.headers.values(of: "cookie")) }

  /// The value of the cookie of this name; nil if there is none, or if there are several that differ: their order tells
  /// nothing about who set which.
  package subscript(name: String) -> String? {
    var found: Substring.UTF8View?
    for field in fields {
      for pair in field.utf8.split(separator: Self.semicolon) {
        guard let value = Self.value(of: name, in: pair) else { continue }
        // GUARD: cookies: of two that differ none is believed
        if let found, !found.elementsEqual(value) { return nil }
        found = value
      }
    }
    return found.map { String(Substring($0)) }
  }

  private static let semicolon = UInt8(ascii: ";")
  private static let equals = UInt8(ascii: "=")

  private static func value(of name: String, in pair: Substring.UTF8View) -> Substring.UTF8View? {
    noteComparison()
    let pair = trimmed(pair)
    guard let end = pair.firstIndex(of: equals), trimmed(pair[..<end]).elementsEqual(name.utf8) else { return nil }
    return trimmed(pair[pair.index(after: end)...])
  }

  /// Without the spaces and tabs at both ends.
  private static func trimmed(_ bytes: Substring.UTF8View) -> Substring.UTF8View {
    var bytes = bytes
    while let first = bytes.first, first == 0x20 || first == 0x09 { bytes.removeFirst() }
    while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
    return bytes
  }
}
