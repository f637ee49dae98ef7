/// Telephone numbers that need no library.
public enum PhoneText {
  /// A US number by its length alone: after removing spaces and `().-`, an optional `+1` or `1`, exactly ten ASCII
  /// digits. Letters, extensions, other countries and other digits are refused.
  /// - Returns: E.164, `+17855550123`; nil when it is none.
  public static func unitedStates(_ raw: String) -> String? {
    var kept: [UInt8] = []
    kept.reserveCapacity(13)
    for scalar in raw.unicodeScalars {
      switch scalar.value {
      case 0x20, 0xA0, 0x28, 0x29, 0x2D, 0x2E: continue
      case 0x30...0x39, 0x2B:
        guard kept.count < 12 else { return nil }
        kept.append(UInt8(scalar.value))
      default: return nil
      }
    }
    let prefix: ArraySlice<UInt8>
    switch kept.count {
    case 12: prefix = [UInt8(ascii: "+"), UInt8(ascii: "1")]
    case 11: prefix = [UInt8(ascii: "1")]
    default: prefix = []
    }
    let national = kept.dropFirst(prefix.count)
    guard kept.starts(with: prefix), national.count == 10, !national.contains(UInt8(ascii: "+")) else { return nil }
    return "+1" + String(decoding: national, as: UTF8.self)
  }
}
