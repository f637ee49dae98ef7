/// The scripts of domain labels. A table of this file: Swift does not tell the script of a character.
enum Script {
  /// Whether all letters of a label are of one script, with those of Chinese, Japanese and Korean as their languages
  /// write them. Digits, hyphens and marks belong to each script. A letter of no script in the table is of none.
  static func isOne(_ label: String) -> Bool {
    let letters = label.unicodeScalars.map(\.value).filter { !isCommon($0) }
    return all.contains { ranges in letters.allSatisfy { letter in ranges.contains { $0.contains(letter) } } }
  }

  /// Digits and the hyphen of ASCII; combining marks.
  private static func isCommon(_ value: UInt32) -> Bool {
    (0x30...0x39).contains(value) || value == 0x2D || (0x300...0x36F).contains(value)
  }

  private static let han: [ClosedRange<UInt32>] = [
    0x3005...0x3007, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0x20000...0x323AF,
  ]

  private static let all: [[ClosedRange<UInt32>]] = [
    // Latin, Greek, Cyrillic, Armenian, Georgian.
    [0x61...0x7A, 0xDF...0xF6, 0xF8...0x24F, 0x1E00...0x1EFF], [0x370...0x3FF, 0x1F00...0x1FFF],
    [0x400...0x52F, 0xA640...0xA69F], [0x530...0x58F], [0x10A0...0x10FF, 0x1C90...0x1CBF, 0x2D00...0x2D2F],
    // Hebrew, Arabic, Syriac, Thaana.
    [0x590...0x5FF], [0x600...0x6FF, 0x750...0x77F, 0x8A0...0x8FF], [0x700...0x74F], [0x780...0x7BF],
    // Devanagari to Sinhala.
    [0x900...0x97F], [0x980...0x9FF], [0xA00...0xA7F], [0xA80...0xAFF], [0xB00...0xB7F], [0xB80...0xBFF],
    [0xC00...0xC7F], [0xC80...0xCFF], [0xD00...0xD7F], [0xD80...0xDFF],
    // Thai, Lao, Tibetan, Myanmar, Khmer, Mongolian, Ethiopic.
    [0xE00...0xE7F], [0xE80...0xEFF], [0xF00...0xFFF], [0x1000...0x109F], [0x1780...0x17FF], [0x1800...0x18AF],
    [0x1200...0x139F],
    // Chinese with Bopomofo, Japanese, Korean.
    han + [0x3100...0x312F], han + [0x3041...0x309F, 0x30A0...0x30FF], han + [0xAC00...0xD7A3],
  ]
}
