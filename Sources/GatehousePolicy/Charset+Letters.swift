// The letters of `charset: letters` as a table of this file: what is a letter is the same on each platform and in each
// version.

extension Charset {
  /// Combining Diacritical Marks (U+0300 to U+036F) without U+034F, which is invisible.
  static let marks: (low: ClosedRange<UInt32>, high: ClosedRange<UInt32>) = (0x300...0x34E, 0x350...0x36F)

  /// Letters of the Latin script that stand in names, in order. Left out are digraphs and other compatibility
  /// characters (`ǆ`, `ĳ`, `ŉ`, `ſ`), letters that look like another one or like punctuation (`ǀ`, `ĸ`, `ƿ`), and those
  /// of phonetics and of manuscripts. With each letter its other case is in the set.
  static let latinLetters: [ClosedRange<UInt32>] = [
    0x41...0x5A, 0x61...0x7A,
    // Latin-1, without multiplication and division.
    0xC0...0xD6, 0xD8...0xF6, 0xF8...0xFF,
    // Extended-A.
    0x100...0x131, 0x134...0x137, 0x139...0x13E, 0x141...0x148, 0x14A...0x17E,
    // Extended-B: letters of African languages and of Azerbaijani, …
    0x181...0x181, 0x186...0x186, 0x189...0x18A, 0x18F...0x194, 0x197...0x199, 0x19D...0x19D,
    // … of Vietnamese, …
    0x1A0...0x1A1, 0x1A4...0x1A5, 0x1AC...0x1AD, 0x1AF...0x1B4, 0x1B7...0x1B7,
    // … and those with marks, among them of Pinyin and Romanian.
    0x1CD...0x1DC, 0x1DE...0x1F0, 0x1F4...0x1F5, 0x1F8...0x21B, 0x21E...0x21F, 0x226...0x233, 0x244...0x244,
    // IPA Extensions: the lower case of those above.
    0x253...0x254, 0x256...0x257, 0x259...0x259, 0x25B...0x25B, 0x260...0x260, 0x263...0x263, 0x268...0x268,
    0x272...0x272, 0x289...0x28B, 0x292...0x292,
    // Extended Additional: letters with marks, and the capital sharp s.
    0x1E00...0x1E99, 0x1E9E...0x1E9E, 0x1EA0...0x1EF9,
  ]
}
