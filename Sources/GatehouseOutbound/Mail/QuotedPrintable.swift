/// RFC 2045 section 6.7.
enum QuotedPrintable {
  /// `text` in quoted-printable: all line ends as CRLF, at most 76 characters a line, no white space before a line end,
  /// and no line that begins with "." or "From " (some relays change those).
  static func encode(_ text: String) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(text.utf8.count + text.utf8.count / 8)
    for (index, line) in lines(Array(text.utf8)).enumerated() {
      if index > 0 { output += [0x0d, 0x0a] }
      encode(line, into: &output)
    }
    return output
  }

  private static func encode(_ line: ArraySlice<UInt8>, into output: inout [UInt8]) {
    var column = 0
    for index in line.indices {
      let last = index == line.endIndex - 1
      var escaped = mustEscape(line[index...], column: column)
      if column + (escaped ? 3 : 1) > (last ? 76 : 75) {
        output += [UInt8(ascii: "="), 0x0d, 0x0a]
        column = 0
        escaped = mustEscape(line[index...], column: 0)
      }
      let byte = line[index]
      output += escaped ? [UInt8(ascii: "="), hex[Int(byte >> 4)], hex[Int(byte & 15)]] : [byte]
      column += escaped ? 3 : 1
    }
  }

  /// Whether the first byte of `rest` can not stand as it is at `column`.
  private static func mustEscape(_ rest: ArraySlice<UInt8>, column: Int) -> Bool {
    switch rest.first {
    case 0x20, 0x09: rest.count == 1
    case UInt8(ascii: "="): true
    case UInt8(ascii: "."): column == 0
    case UInt8(ascii: "F"): column == 0 && rest.starts(with: "From ".utf8)
    case .some(let byte): !(0x21...0x7e).contains(byte)
    case nil: false
    }
  }

  /// Decodes what `encode` writes, and any other correct quoted-printable; nil if it is not. Lines end with CRLF or LF,
  /// and `\n` comes out.
  static func decode(_ bytes: [UInt8]) -> [UInt8]? {
    var output: [UInt8] = []
    var continued = true
    for line in lines(bytes) {
      if !continued { output.append(0x0a) }
      guard let soft = decode(line, into: &output) else { return nil }
      continued = soft
    }
    return output
  }

  /// Whether the line ends in a soft break; nil if it is broken.
  private static func decode(_ line: ArraySlice<UInt8>, into output: inout [UInt8]) -> Bool? {
    var index = line.startIndex
    while index < line.endIndex {
      guard line[index] == UInt8(ascii: "=") else {
        output.append(line[index])
        index += 1
        continue
      }
      if index + 1 == line.endIndex { return true }
      guard index + 2 < line.endIndex, let high = value(line[index + 1]), let low = value(line[index + 2]) else {
        return nil
      }
      output.append(high << 4 | low)
      index += 3
    }
    return false
  }

  /// The lines of `bytes`, ended by CRLF, CR or LF.
  static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var start = 0
    var index = 0
    while index < bytes.count {
      if bytes[index] == 0x0d || bytes[index] == 0x0a {
        lines.append(bytes[start..<index])
        if bytes[index] == 0x0d, index + 1 < bytes.count, bytes[index + 1] == 0x0a { index += 1 }
        start = index + 1
      }
      index += 1
    }
    lines.append(bytes[start...])
    return lines
  }

  private static let hex = Array("0123456789ABCDEF".utf8)

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x41 + 10
    case 0x61...0x66: digit - 0x61 + 10
    default: nil
    }
  }
}
