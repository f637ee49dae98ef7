/// HKDF with SHA-256 (RFC 5869).
package enum HKDF {
  /// `length` bytes derived from `secret`; `nil` above the 8160 bytes that RFC 5869 section 2.3 allows, or below one.
  /// - Parameters:
  ///   - salt: may be empty, which counts as 32 zero bytes.
  ///   - info: names the use, so that two uses never share a key.
  package static func derive(_ length: Int, from secret: [UInt8], salt: [UInt8] = [], info: [UInt8]) -> [UInt8]? {
    guard (1...255 * 32).contains(length) else { return nil }
    let extracted = HMACSHA256.code(secret, key: salt.isEmpty ? [UInt8](repeating: 0, count: 32) : salt)
    var output: [UInt8] = []
    var block: [UInt8] = []
    var counter: UInt8 = 0
    while output.count < length {
      counter += 1
      block = HMACSHA256.code(block + info + [counter], key: extracted)
      output += block
    }
    return Array(output[..<length])
  }
}
