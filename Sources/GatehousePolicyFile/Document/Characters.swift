/// Which characters a text may have. Checked before YAML sees it, so that the parser's idea of a line is ours.
enum Characters {
  /// Refuses tabs, control characters, line separators other than LF and CRLF, and characters that reorder what an
  /// editor shows (CVE-2021-42574): a policy is reviewed by eye.
  static func check(_ text: String, into sink: Diagnostics) {
    var line = 1
    var column = 1
    var tabLine = 0
    var previous: Unicode.Scalar = "\n"
    for scalar in text.unicodeScalars {
      let here = SourceRange(Mark(line: line, column: column), Mark(line: line, column: column + 1))
      if previous == "\r", scalar != "\n" {
        sink.error(.character, "a carriage return without a line feed", at: here)
      }
      if scalar == "\t" {
        if tabLine != line { sink.error(.tab, "a tab; indent and separate with spaces", at: here) }
        tabLine = line
      } else if let problem = problem(scalar) {
        sink.error(.character, "\(problem) (U+\(hex(scalar)))", at: here)
      }
      if scalar == "\n" { (line, column) = (line + 1, 1) } else { column += 1 }
      previous = scalar
    }
  }

  /// Why a character may not stand in a text; nil where it may.
  static func problem(_ scalar: Unicode.Scalar) -> String? {
    switch scalar.value {
    case 0x0A, 0x0D, 0x20...0x7E: nil
    case 0x00...0x1F, 0x7F...0x9F: "a control character"
    case 0x2028, 0x2029: "a line separator"
    case 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069: "a character that changes the direction of text"
    case 0xFEFF: "a byte order mark"
    case 0xFFFE, 0xFFFF: "a character that does not exist"
    default: nil
    }
  }

  /// The code point in hexadecimal, at least four digits.
  static func hex(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  /// Lines as an editor counts them, without LF or CRLF.
  static func lines(_ text: String) -> [String] {
    text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
      String(Substring(line.last == 0x0D ? line.dropLast() : line))
    }
  }

  /// The place of the first bytes that are not UTF-8.
  static func firstInvalid(_ bytes: [UInt8]) -> SourceRange {
    var line = 1
    var column = 1
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    while case .scalarValue(let scalar) = decoder.decode(&iterator) {
      if scalar == "\n" { (line, column) = (line + 1, 1) } else { column += 1 }
    }
    return SourceRange(Mark(line: line, column: column), Mark(line: line, column: column + 1))
  }
}
