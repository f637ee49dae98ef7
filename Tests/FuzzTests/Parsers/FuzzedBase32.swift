@testable import GatehousePrimitives

extension FuzzTarget {
  /// Base32: what is read is the same text when it is written out; in Crockford's alphabet it is the same bytes when
  /// they are read again, and a recovery code is no longer than it says.
  static let base32 = FuzzTarget(name: "base32") { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    if let read = Base32.decode(text), Base32.encode(read) != text { return "two texts for the same bytes" }
    if let read = Base32.crockfordDecode(text), Base32.crockfordDecode(Base32.crockfordEncode(read)) != read {
      return "other bytes when they are written out"
    }
    guard let code = RecoveryCode(characters: text) else { return nil }
    return code.shown.utf8.count == 29 && code.bytes.count == 15 ? nil : "a recovery code of another length"
  }
}
