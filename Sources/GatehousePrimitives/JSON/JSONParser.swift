/// A strict JSON parser (RFC 8259). Refused beyond what the grammar refuses: duplicate names (also ones that are only
/// canonically equivalent), bad UTF-8, lone surrogates, U+0000, depth over the limit, size over the limit, an object
/// with more members than the limit, a byte order mark, and anything after the value. Time is linear in the size;
/// nothing is interpreted that could overflow.
package enum JSONParser {
  /// The bounds of a document.
  package struct Limits: Sendable {
    /// Bytes.
    package var size: Int
    /// Arrays and objects inside one another.
    package var depth: Int
    /// Members of one object.
    package var members: Int

    package init(size: Int = 64 * 1024, depth: Int = 32, members: Int = 256) {
      self.size = size
      self.depth = min(depth, 512)  // the parser recurses: the stack is not to be chosen by a caller
      self.members = members
    }

    /// For documents that this server wrote: what is in them was bounded when it came in.
    package static let stored = Limits(size: 1 << 20, members: .max)
  }

  /// The value that `bytes` hold.
  /// - Throws: one `JSONProblem` with the pointer of the value that was being read and the byte offset in its reason.
  package static func parse(_ bytes: [UInt8], limits: Limits = Limits()) throws(JSONProblem) -> JSONValue {
    guard bytes.count <= limits.size else {
      throw JSONProblem(pointer: "", reason: "larger than \(limits.size) bytes")
    }
    return try bytes.withUnsafeBufferPointer { buffer throws(JSONProblem) in
      var scanner = JSONScanner(bytes: buffer, limits: limits)
      return try scanner.document()
    }
  }
}

/// The state of one parse.
struct JSONScanner {
  // SAFETY: the scanner lives inside `withUnsafeBufferPointer`; every read is guarded by `at < bytes.count`.
  let bytes: UnsafeBufferPointer<UInt8>
  let limits: JSONParser.Limits
  var at = 0
  var path = JSONPath()

  init(bytes: UnsafeBufferPointer<UInt8>, limits: JSONParser.Limits) {
    self.bytes = bytes
    self.limits = limits
  }

  var current: UInt8? { at < bytes.count ? bytes[at] : nil }

  func problem(_ reason: String) -> JSONProblem {
    JSONProblem(pointer: path.pointer, reason: "\(reason) at byte \(at)")
  }

  mutating func document() throws(JSONProblem) -> JSONValue {
    skipSpace()
    let value = try self.value()
    skipSpace()
    guard at == bytes.count else { throw problem("something after the value") }
    return value
  }

  mutating func skipSpace() {
    while at < bytes.count {
      switch bytes[at] {
      case 0x20, 0x09, 0x0A, 0x0D: at += 1
      default: return
      }
    }
  }

  mutating func value() throws(JSONProblem) -> JSONValue {
    switch current {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case let byte? where byte == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte):
      return try number()
    case nil: throw problem("the document ends where a value is expected")
    default: throw problem("no value starts like this")
    }
  }

  mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONProblem) -> JSONValue {
    let length = word.utf8CodeUnitCount
    guard bytes.count - at >= length else { throw problem("no value starts like this") }
    for index in 0..<length where bytes[at + index] != word.utf8Start[index] {
      throw problem("no value starts like this")
    }
    at += length
    return value
  }

  mutating func array() throws(JSONProblem) -> JSONValue {
    try enter()
    var items: [JSONValue] = []
    skipSpace()
    if current == UInt8(ascii: "]") {
      at += 1
      return .array(items)
    }
    while true {
      path.steps.append(.index(items.count))
      skipSpace()
      items.append(try value())
      path.steps.removeLast()
      skipSpace()
      switch current {
      case UInt8(ascii: ","): at += 1
      case UInt8(ascii: "]"):
        at += 1
        return .array(items)
      default: throw problem("expected a comma or the end of the array")
      }
    }
  }

  mutating func object() throws(JSONProblem) -> JSONValue {
    try enter()
    var members = DistinctMembers()
    skipSpace()
    if current == UInt8(ascii: "}") {
      at += 1
      return .object(JSONObject())
    }
    while true {
      skipSpace()
      guard current == UInt8(ascii: "\"") else { throw problem("expected a name in quotes") }
      // GUARD: json: members of an object
      guard members.list.count < limits.members else { throw problem("more than \(limits.members) members") }
      let key = try string()
      path.steps.append(.key(key))
      guard !members.contains(key) else { throw problem("the same name twice") }
      skipSpace()
      guard current == UInt8(ascii: ":") else { throw problem("expected a colon") }
      at += 1
      skipSpace()
      members.append(JSONObject.Member(key: key, value: try value()))
      path.steps.removeLast()
      skipSpace()
      switch current {
      case UInt8(ascii: ","): at += 1
      case UInt8(ascii: "}"):
        at += 1
        return .object(JSONObject(distinct: members.list))
      default: throw problem("expected a comma or the end of the object")
      }
    }
  }

  /// Steps over the opening bracket. The path has one step for each bracket that is open.
  mutating func enter() throws(JSONProblem) {
    guard path.steps.count < limits.depth else { throw problem("deeper than \(limits.depth) levels") }
    at += 1
  }

  /// Checks the grammar of RFC 8259 section 6; only a number that fits `Int64` is interpreted.
  mutating func number() throws(JSONProblem) -> JSONValue {
    let start = at
    if current == UInt8(ascii: "-") { at += 1 }
    let leadingZero = current == UInt8(ascii: "0")
    let whole = skipDigits()
    guard whole > 0, !(leadingZero && whole > 1) else { throw problem("not a number") }
    var isInteger = true
    if current == UInt8(ascii: ".") {
      isInteger = false
      at += 1
      guard skipDigits() > 0 else { throw problem("digits are missing after the point") }
    }
    if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
      isInteger = false
      at += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { at += 1 }
      guard skipDigits() > 0 else { throw problem("digits are missing in the exponent") }
    }
    let text = String(decoding: bytes[start..<at], as: UTF8.self)
    // `Int64(text)` gives nil on overflow; it does not trap.
    if isInteger, let number = Int64(text) { return .integer(number) }
    return .number(text)
  }

  mutating func skipDigits() -> Int {
    let start = at
    while let digit = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) { at += 1 }
    return at - start
  }
}
