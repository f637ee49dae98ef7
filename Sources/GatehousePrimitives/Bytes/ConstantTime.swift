import CCrypto

/// Comparison of secrets.
package enum ConstantTime {
  /// Whether both hold the same bytes. The time depends on the lengths only, which are taken to be public.
  package static func equal(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    // SAFETY: both arrays are alive for the call and hold `one.count` bytes.
    return CRYPTO_memcmp(one, other, one.count) == 0
  }
}
