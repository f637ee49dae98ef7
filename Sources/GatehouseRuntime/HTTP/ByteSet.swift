/// A set of ASCII bytes as two words: membership is a shift and a mask.
struct ByteSet {
  let low: UInt64
  let high: UInt64

  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    guard byte < 128 else { return false }
    let word = byte < 64 ? low : high
    return (word &>> UInt64(byte & 63)) & 1 != 0
  }

  /// `tchar` of RFC 9110, section 5.6.2.
  static let token = ByteSet(low: 0x03ff_6cfa_0000_0000, high: 0x57ff_ffff_c7ff_fffe)
  /// Visible ASCII without `"`, `#`, `<`, `>` and `\`, which no client may send in a target unescaped.
  static let target = ByteSet(low: 0xafff_fff2_0000_0000, high: 0x7fff_ffff_efff_ffff)
  /// The bytes of a host with an optional port: letters, digits and `-._~:[]`.
  static let authority = ByteSet(low: 0x07ff_6000_0000_0000, high: 0x47ff_fffe_afff_fffe)
  /// Hexadecimal digits of both cases.
  static let hexadecimal = ByteSet(low: 0x03ff_0000_0000_0000, high: 0x0000_007e_0000_007e)
}

/// Whether `byte` may stand in a field value: tab, space, visible ASCII or obs-text (RFC 9110, section 5.5).
@inline(__always)
func isFieldValueByte(_ byte: UInt8) -> Bool { byte >= 0x20 ? byte != 0x7F : byte == 0x09 }

/// The byte in lower case when it is an ASCII letter.
@inline(__always)
func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

/// The value of a hexadecimal digit, or nil.
@inline(__always)
func hexadecimalValue(_ byte: UInt8) -> Int? {
  switch byte {
  case 0x30...0x39: Int(byte) - 0x30
  case 0x61...0x66: Int(byte) - 0x57
  case 0x41...0x46: Int(byte) - 0x37
  default: nil
  }
}
