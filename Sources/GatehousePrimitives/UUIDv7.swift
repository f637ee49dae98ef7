package import Foundation

extension UUID {
  /// A version 7 UUID (RFC 9562 section 5.7): 48 bits of Unix time, then 74 random bits.
  /// - Parameter milliseconds: Unix time in milliseconds, from the caller's clock; clamped to what 48 bits hold.
  package static func v7(milliseconds: Int64) -> UUID {
    let time = UInt64(min(max(milliseconds, 0), (1 << 48) - 1))
    var bytes = SecureRandom.bytes(16)
    for index in 0..<6 { bytes[index] = UInt8(truncatingIfNeeded: time >> UInt64(8 * (5 - index))) }
    bytes[6] = 0x70 | (bytes[6] & 0x0F)
    bytes[8] = 0x80 | (bytes[8] & 0x3F)
    return UUID(bigEndian: bytes[...]) ?? UUID()  // sixteen bytes always make one
  }

  /// The UUID with these 16 bytes, or `nil` for another number of bytes.
  package init?(bigEndian bytes: ArraySlice<UInt8>) {
    guard bytes.count == 16 else { return nil }
    var raw: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &raw) { $0.copyBytes(from: bytes) }
    self.init(uuid: raw)
  }

  /// The 16 bytes, most significant first.
  package var bytes: [UInt8] { withUnsafeBytes(of: uuid) { Array($0) } }
}
