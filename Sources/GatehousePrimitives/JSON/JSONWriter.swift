/// Writes JSON text (RFC 8259) step by step: compact, commas set by itself, members in the order they are written.
/// For hot paths; everything else goes through `JSONEncoding`.
package struct JSONWriter {
  /// The bytes written so far.
  package private(set) var bytes: [UInt8] = []
  private var needsComma = false

  package init(capacity: Int = 256) { bytes.reserveCapacity(capacity) }

  /// An opening brace.
  package mutating func beginObject() { open(UInt8(ascii: "{")) }
  /// A closing brace.
  package mutating func endObject() { close(UInt8(ascii: "}")) }
  /// An opening bracket.
  package mutating func beginArray() { open(UInt8(ascii: "[")) }
  /// A closing bracket.
  package mutating func endArray() { close(UInt8(ascii: "]")) }

  /// Where in `bytes` the next member or item will begin, behind its comma.
  var next: Int { bytes.count + (needsComma ? 1 : 0) }

  /// Puts the members of the object that is open, which are these from first to last, into the order of their keys'
  /// UTF-8.
  mutating func sortMembers(_ members: [(key: String, start: Int)]) {
    let sorted = members.indices.sorted {
      members[$0].key.utf8.lexicographicallyPrecedes(members[$1].key.utf8)
    }
    guard let first = members.first?.start, sorted != Array(members.indices) else { return }
    var ordered: [UInt8] = []
    ordered.reserveCapacity(bytes.count - first)
    for index in sorted {
      if !ordered.isEmpty { ordered.append(UInt8(ascii: ",")) }
      let end = index + 1 < members.count ? members[index + 1].start - 1 : bytes.count
      ordered += bytes[members[index].start..<end]
    }
    bytes.replaceSubrange(first..., with: ordered)
  }

  /// The name of a member; its value must follow.
  package mutating func key(_ name: String) {
    separate()
    quote(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// A string.
  package mutating func string(_ text: String) {
    separate()
    quote(text)
  }

  /// A whole number.
  package mutating func integer(_ number: Int64) { word(String(number)) }
  /// `true` or `false`.
  package mutating func bool(_ value: Bool) { word(value ? "true" : "false") }
  /// `null`.
  package mutating func null() { word("null") }

  /// A number or word that is valid JSON already.
  mutating func word(_ text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
  }

  /// Any value.
  package mutating func value(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .bool(let value): bool(value)
    case .integer(let number): integer(number)
    case .number(let text): word(text)
    case .string(let text): string(text)
    case .array(let items):
      beginArray()
      for item in items { self.value(item) }
      endArray()
    case .object(let object):
      beginObject()
      for member in object.members {
        key(member.key)
        self.value(member.value)
      }
      endObject()
    }
  }

  private mutating func open(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func quote(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    // Most texts have nothing to escape, and go as a whole.
    let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    if isPlain { bytes.append(contentsOf: text.utf8) } else { escape(text) }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func escape(_ text: String) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x0A: bytes.append(contentsOf: "\\n".utf8)
      case 0x0D: bytes.append(contentsOf: "\\r".utf8)
      case 0x09: bytes.append(contentsOf: "\\t".utf8)
      case 0..<0x20: bytes.append(contentsOf: ("\\u00" + Hex.encode([byte])).utf8)
      default: bytes.append(byte)
      }
    }
  }
}

extension JSONValue {
  /// The compact JSON text of this value.
  package var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.value(self)
    return writer.bytes
  }
}
