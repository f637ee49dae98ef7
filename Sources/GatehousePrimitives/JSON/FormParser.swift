/// A strict parser for `application/x-www-form-urlencoded` bodies and query strings (WHATWG URL section 5, read
/// strictly): duplicate names, empty names, broken percent signs, bad UTF-8 and U+0000 are refused.
package enum FormParser {
  /// The bounds of a form.
  package struct Limits: Sendable {
    /// Bytes.
    package var size: Int
    /// Fields.
    package var fields: Int

    package init(size: Int = 64 * 1024, fields: Int = 200) {
      self.size = size
      self.fields = fields
    }
  }

  /// The fields as an object of strings, in the order they were written; no bytes give an empty object.
  /// - Parameter nesting: when true, `profile.name=…` is the member `name` of the object `profile`, so that a form can
  ///   carry what a JSON body carries; one dot at most.
  /// - Throws: one `JSONProblem`; never holds a value.
  package static func parse(
    _ bytes: [UInt8], nesting: Bool = false, limits: Limits = Limits()
  ) throws(JSONProblem) -> JSONValue {
    guard bytes.count <= limits.size else {
      throw JSONProblem(pointer: "", reason: "larger than \(limits.size) bytes")
    }
    var form = DistinctMembers()
    var nested: [(name: String, members: DistinctMembers)] = []
    var indices: [String: Int] = [:]
    guard !bytes.isEmpty else { return .object(JSONObject()) }
    let fields = bytes.split(
      separator: UInt8(ascii: "&"), maxSplits: limits.fields, omittingEmptySubsequences: false)
    guard fields.count <= limits.fields else {
      throw JSONProblem(pointer: "", reason: "more than \(limits.fields) fields")
    }
    for field in fields {
      let member = try self.member(field)
      let parts = nesting ? member.key.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false) : []
      if parts.count == 2, let outer = String(parts[0]), let inner = String(parts[1]), !outer.isEmpty, !inner.isEmpty {
        noteComparison()
        // GUARD: form: an object is found in one step
        var index = indices[outer]
        if index == nil {
          guard !form.contains(outer) else { throw twice(outer) }
          index = nested.count
          indices[outer] = index
          nested.append((outer, DistinctMembers()))
        }
        guard let index, !nested[index].members.contains(inner) else { throw twice(member.key) }
        nested[index].members.append(JSONObject.Member(key: inner, value: member.value))
      } else {
        guard !form.contains(member.key), indices[member.key] == nil else { throw twice(member.key) }
        form.append(member)
      }
    }
    for part in nested {
      form.append(JSONObject.Member(key: part.name, value: .object(JSONObject(distinct: part.members.list))))
    }
    return .object(JSONObject(distinct: form.list))
  }

  static func twice(_ name: String) -> JSONProblem {
    JSONProblem(pointer: JSONPath(steps: [.key(name)]).pointer, reason: "the same name twice")
  }

  static func member(_ field: ArraySlice<UInt8>) throws(JSONProblem) -> JSONObject.Member {
    guard let equals = field.firstIndex(of: UInt8(ascii: "=")) else {
      throw JSONProblem(pointer: "", reason: "a field without an equals sign")
    }
    guard let key = text(field[..<equals]), !key.isEmpty else {
      throw JSONProblem(pointer: "", reason: "a field whose name is empty or not well encoded")
    }
    guard let value = text(field[(equals + 1)...]) else {
      throw JSONProblem(pointer: JSONPath(steps: [.key(key)]).pointer, reason: "not well encoded")
    }
    return JSONObject.Member(key: key, value: .string(value))
  }

  /// Plus signs and percent signs undone; `nil` for a broken percent sign, a byte that had to be encoded, bad UTF-8, or
  /// U+0000.
  static func text(_ encoded: ArraySlice<UInt8>) -> String? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(encoded.count)
    var at = encoded.startIndex
    while at < encoded.endIndex {
      switch encoded[at] {
      case UInt8(ascii: "+"): bytes.append(0x20)
      case UInt8(ascii: "%"):
        guard encoded.endIndex - at > 2, let high = Hex.value(of: encoded[at + 1]),
          let low = Hex.value(of: encoded[at + 2]), high | low != 0
        else { return nil }
        bytes.append(high << 4 | low)
        at += 2
      case 0x21...0x7E: bytes.append(encoded[at])
      default: return nil  // white space, control characters and raw UTF-8 are never written unencoded
      }
      at += 1
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
