/// A strict reader of the part of CBOR (RFC 8949) that attestations of Apple and of WebAuthn use: integers, byte and
/// text strings, arrays and maps, each of a definite length, and truth values. Refused beyond what the grammar refuses:
/// tags, other simple values, floating-point numbers, integers and lengths that are not in their shortest form (section
/// 4.2.1), map keys that are neither integers nor texts, a key twice, bad UTF-8, size and depth over the limit, and
/// anything after the value. Time and memory are linear in the size.
package enum CBORParser {
  /// The bounds of a document.
  package struct Limits: Sendable {
    /// Bytes.
    package var size: Int
    /// Arrays and maps inside one another.
    package var depth: Int

    package init(size: Int = 64 * 1024, depth: Int = 8) {
      self.size = size
      self.depth = min(depth, 64)  // the reader recurses: the stack is not to be chosen by a caller
    }
  }

  /// The value that `bytes` hold.
  package static func parse(_ bytes: [UInt8], limits: Limits = Limits()) throws(CBORProblem) -> CBORValue {
    let (value, end) = try first(of: bytes, from: 0, limits: limits)
    guard end == bytes.count else { throw CBORProblem(at: end, reason: .trailing) }
    return value
  }

  /// The value that begins at an offset, and the offset behind it: WebAuthn puts several in a row.
  static func first(
    of bytes: [UInt8], from start: Int, limits: Limits = Limits()
  ) throws(CBORProblem) -> (value: CBORValue, end: Int) {
    guard bytes.count <= limits.size else { throw CBORProblem(at: 0, reason: .tooLarge) }
    var reader = CBORReader(bytes: bytes, at: start)
    return (try reader.value(depth: limits.depth), reader.at)
  }
}

/// The state of one reading.
private struct CBORReader {
  let bytes: [UInt8]
  var at: Int

  private enum Major: UInt8 {
    case unsigned, negative, bytes, text, array, map, tag, other
  }

  private var left: Int { bytes.count - at }

  private func problem(_ reason: CBORProblem.Reason) -> CBORProblem { CBORProblem(at: at, reason: reason) }

  /// A value with at most `depth` arrays and maps inside one another.
  mutating func value(depth: Int) throws(CBORProblem) -> CBORValue {
    let (major, argument) = try head()
    switch major {
    case .unsigned: return .unsigned(argument)
    case .negative: return .negative(argument)
    case .bytes: return .bytes(Array(try string(argument)))
    case .text:
      guard let text = String(validating: try string(argument), as: UTF8.self) else { throw problem(.badText) }
      return .text(text)
    case .array: return .array(try items(argument, depth))
    case .map: return .map(try members(argument, depth))
    case .other where argument == Self.no || argument == Self.yes: return .boolean(argument == Self.yes)
    case .tag, .other: throw problem(.unsupported)
    }
  }

  /// The simple values `false` and `true` (RFC 8949 section 3.3).
  private static let (no, yes): (UInt64, UInt64) = (20, 21)

  /// The first byte of a value and the number in it or behind it.
  private mutating func head() throws(CBORProblem) -> (Major, UInt64) {
    guard left > 0 else { throw problem(.truncated) }
    let first = bytes[at]
    guard let major = Major(rawValue: first >> 5), major != .tag else { throw problem(.unsupported) }
    let size: Int
    switch first & 31 {
    case let small where small < 24:
      at += 1
      return (major, UInt64(small))
    case _ where major == .other: throw problem(.unsupported)
    case 24: size = 1
    case 25: size = 2
    case 26: size = 4
    case 27: size = 8
    case 31: throw problem(.indefinite)
    default: throw problem(.unsupported)
    }
    guard left > size else { throw problem(.truncated) }
    let number = bytes[(at + 1)...(at + size)].reduce(0) { $0 << 8 | UInt64($1) }
    // A value that fits into the head itself, or into half as many bytes, must be written there.
    guard size == 1 ? number >= 24 : number >> (UInt64(size) * 4) > 0 else { throw problem(.notShortest) }
    at += 1 + size
    return (major, number)
  }

  private mutating func string(_ count: UInt64) throws(CBORProblem) -> ArraySlice<UInt8> {
    guard let count = Int(exactly: count), count <= left else { throw problem(.truncated) }
    defer { at += count }
    return bytes[at..<(at + count)]
  }

  /// How many items follow, each of at least `size` bytes.
  private func count(_ announced: UInt64, of size: Int) throws(CBORProblem) -> Int {
    guard let count = Int(exactly: announced), count <= left / size else { throw problem(.truncated) }
    return count
  }

  private mutating func items(_ announced: UInt64, _ depth: Int) throws(CBORProblem) -> [CBORValue] {
    guard depth > 0 else { throw problem(.tooDeep) }
    var items: [CBORValue] = []
    for _ in 0..<(try count(announced, of: 1)) { items.append(try value(depth: depth - 1)) }
    return items
  }

  private mutating func members(_ announced: UInt64, _ depth: Int) throws(CBORProblem) -> [CBORMember] {
    guard depth > 0 else { throw problem(.tooDeep) }
    var members: [CBORMember] = []
    // One writing for each value: two keys are equal where their bytes are.
    var seen: Set<ArraySlice<UInt8>> = []
    for _ in 0..<(try count(announced, of: 2)) {
      let start = at
      let key = try value(depth: 0)
      switch key {
      case .unsigned, .negative, .text: break
      case .bytes, .array, .map, .boolean: throw problem(.badKey)
      }
      guard seen.insert(bytes[start..<at]).inserted else { throw problem(.duplicate) }
      members.append(CBORMember(key: key, value: try value(depth: depth - 1)))
    }
    return members
  }
}
