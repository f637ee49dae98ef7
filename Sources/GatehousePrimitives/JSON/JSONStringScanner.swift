extension JSONScanner {
  /// Reads a string with its quotes (RFC 8259 section 7).
  mutating func string() throws(JSONProblem) -> String {
    at += 1
    let start = at
    while let byte = current {
      switch byte {
      case UInt8(ascii: "\""):
        let text = try text(of: bytes[start..<at])
        at += 1
        return text
      case UInt8(ascii: "\\"): return try escapedString(from: start)
      case 0..<0x20: throw problem("a control character in a string")
      default: at += 1
      }
    }
    throw problem("the string does not end")
  }

  /// The rest of a string in which `at` stands on the first backslash.
  private mutating func escapedString(from start: Int) throws(JSONProblem) -> String {
    var collected = Array(bytes[start..<at])
    while let byte = current {
      switch byte {
      case UInt8(ascii: "\""):
        let text = try collected.withUnsafeBufferPointer { buffer throws(JSONProblem) -> String in
          try self.text(of: buffer[...])
        }
        at += 1
        return text
      case UInt8(ascii: "\\"):
        at += 1
        try escape(into: &collected)
      case 0..<0x20: throw problem("a control character in a string")
      default:
        collected.append(byte)
        at += 1
      }
    }
    throw problem("the string does not end")
  }

  private func text(of slice: Slice<UnsafeBufferPointer<UInt8>>) throws(JSONProblem) -> String {
    guard let text = String(validating: UnsafeBufferPointer(rebasing: slice), as: UTF8.self) else {
      throw problem("bad UTF-8 in a string")
    }
    return text
  }

  private mutating func escape(into collected: inout [UInt8]) throws(JSONProblem) {
    guard let byte = current else { throw problem("the string does not end") }
    at += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): collected.append(byte)
    case UInt8(ascii: "b"): collected.append(0x08)
    case UInt8(ascii: "f"): collected.append(0x0C)
    case UInt8(ascii: "n"): collected.append(0x0A)
    case UInt8(ascii: "r"): collected.append(0x0D)
    case UInt8(ascii: "t"): collected.append(0x09)
    case UInt8(ascii: "u"): collected += Array(String(Character(try scalar())).utf8)
    default: throw problem("an unknown escape")
    }
  }

  /// The scalar of one `\uXXXX`, or of a pair of surrogates; `at` stands behind the `u`.
  private mutating func scalar() throws(JSONProblem) -> Unicode.Scalar {
    let first = try codeUnit()
    var value = UInt32(first)
    if (0xD800...0xDBFF).contains(first) {
      guard current == UInt8(ascii: "\\") else { throw problem("a lone surrogate") }
      at += 1
      guard current == UInt8(ascii: "u") else { throw problem("a lone surrogate") }
      at += 1
      let second = try codeUnit()
      guard (0xDC00...0xDFFF).contains(second) else { throw problem("a lone surrogate") }
      value = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
    }
    guard value != 0 else { throw problem("U+0000 in a string") }
    guard let scalar = Unicode.Scalar(value) else { throw problem("a lone surrogate") }
    return scalar
  }

  private mutating func codeUnit() throws(JSONProblem) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = current, let digit = Hex.value(of: byte) else { throw problem("four hex digits are expected") }
      value = value << 4 | UInt16(digit)
      at += 1
    }
    return value
  }
}
