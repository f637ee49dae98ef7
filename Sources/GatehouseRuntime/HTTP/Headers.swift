/// A case-insensitive multi-map of header fields in the order they came: one array of bytes, and ranges into it.
package struct Headers: Sendable {
  struct Field: Sendable {
    var name: Range<UInt32>
    var value: Range<UInt32>
  }

  /// Of a received request this is the whole head, request line included; else each field as it is sent, led by the end
  /// of the line before it. Names are in lower case.
  private(set) var bytes: [UInt8]
  private(set) var fields: [Field]
  /// Whether `bytes` are the fields as they are sent, and nothing else: none of them is the server's own business.
  private(set) var areLines: Bool

  package init() {
    bytes = []
    fields = []
    areLines = true
  }

  /// Fields in the given order, as by `add`.
  package init(_ pairs: [(name: String, value: String)]) {
    self.init()
    for pair in pairs { add(pair.name, pair.value) }
  }

  /// Takes over a scanned head.
  init(bytes: [UInt8], fields: [Field]) {
    self.bytes = bytes
    self.fields = fields
    areLines = false
  }

  /// How many fields there are.
  package var count: Int { fields.count }

  /// The first value of the field, or nil. Bytes that are not UTF-8 come out as U+FFFD.
  package subscript(_ name: String) -> String? { bytes(of: name).map { String(decoding: $0, as: UTF8.self) } }

  /// The first value of the field as it came, or nil.
  package func bytes(of name: String) -> ArraySlice<UInt8>? {
    for field in fields where matches(field, name) { return slice(field.value) }
    return nil
  }

  /// Every value of the field, one for each time it was sent.
  package func values(of name: String) -> [String] {
    fields.filter { matches($0, name) }.map { String(decoding: slice($0.value), as: UTF8.self) }
  }

  /// The value of a field that was sent exactly once; nil if it is absent or repeated.
  package func single(_ name: String) -> String? {
    var found: Field?
    for field in fields where matches(field, name) {
      guard found == nil else { return nil }
      found = field
    }
    return found.map { String(decoding: slice($0.value), as: UTF8.self) }
  }

  package func contains(_ name: String) -> Bool { fields.contains { matches($0, name) } }

  /// Appends a field. A name that is no token is dropped (a mistake of the program); bytes a value may not hold (CR,
  /// LF, NUL, other controls) become spaces, so that no value ever ends its line.
  package mutating func add(_ name: String, _ value: String) {
    guard !name.isEmpty, name.utf8.allSatisfy(ByteSet.token.contains) else {
      return assertionFailure("not a field name: \(name)")
    }
    bytes.append(contentsOf: ("\r\n" as StaticString).bytes)
    let nameStart = bytes.count
    bytes.append(contentsOf: name.utf8)
    for index in nameStart..<bytes.count { bytes[index] = lowercased(bytes[index]) }
    let nameEnd = bytes.count
    bytes.append(contentsOf: (": " as StaticString).bytes)
    let valueStart = bytes.count
    Headers.append(value, to: &bytes)
    let field = Field(name: Headers.range(nameStart, nameEnd), value: Headers.range(valueStart, bytes.count))
    fields.append(field)
    if ResponseWriter.isOurs(self, field) { areLines = false }
  }

  /// Appends the bytes of a value; those that a value may not hold become spaces.
  static func append(_ value: String, to bytes: inout [UInt8]) {
    let start = bytes.count
    bytes.append(contentsOf: value.utf8)
    // GUARD: request's name: never ends its line
    for index in start..<bytes.count where !isFieldValueByte(bytes[index]) { bytes[index] = 0x20 }
  }

  private static func range(_ start: Int, _ end: Int) -> Range<UInt32> {
    UInt32(truncatingIfNeeded: start)..<UInt32(truncatingIfNeeded: end)
  }

  /// Replaces every field of that name by one.
  package mutating func set(_ name: String, _ value: String) {
    remove(name)
    add(name, value)
  }

  package mutating func remove(_ name: String) {
    guard contains(name) else { return }
    fields = fields.filter { !matches($0, name) }
    areLines = false
  }

  /// All fields, names in lower case.
  package var pairs: [(name: String, value: String)] {
    fields.map {
      (String(decoding: slice($0.name), as: UTF8.self), String(decoding: slice($0.value), as: UTF8.self))
    }
  }

  func slice(_ range: Range<UInt32>) -> ArraySlice<UInt8> { bytes[Int(range.lowerBound)..<Int(range.upperBound)] }

  private func matches(_ field: Field, _ name: String) -> Bool {
    noteComparison()
    let utf8 = name.utf8
    guard utf8.count == field.name.count else { return false }
    var index = Int(field.name.lowerBound)
    for byte in utf8 {
      guard bytes[index] == lowercased(byte) else { return false }
      index += 1
    }
    return true
  }
}
