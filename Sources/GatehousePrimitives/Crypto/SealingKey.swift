package import Foundation

/// Where a sealed value lives. It is authenticated with the value, so that bytes moved to another column, tenant or row
/// do not open.
package struct AssociatedData: Sendable {
  let bytes: [UInt8]

  /// The place of one value in the database. `row` is the primary key inside the tenant, in any fixed encoding.
  package init(table: String, column: String, tenant: UUID, row: [UInt8]) {
    var bytes: [UInt8] = []
    // Each part is preceded by its length: no two places give the same bytes.
    for part in [Array(table.utf8), Array(column.utf8), tenant.bytes, row] {
      bytes += UInt32(truncatingIfNeeded: part.count).bigEndianBytes + part
    }
    self.bytes = bytes
  }

  /// A place outside the database, by name: `key-encryption-key/self-test`.
  package init(purpose: String) { bytes = Array(purpose.utf8) }
}

/// A versioned AES-256-GCM key for secrets at rest. A sealed value is, in bytes:
/// format (1, always 1) ‖ key version (4, big-endian) ‖ nonce (12, random) ‖ ciphertext ‖ tag (16).
/// The first five bytes and the context are authenticated too. Seal fewer than 2^32 values with one key
/// (SP 800-38D section 8.3).
package struct SealingKey: Sendable {
  private static let format: UInt8 = 1
  private static let headerSize = 5

  /// The version written in front of what this key seals.
  package let version: UInt32
  private let key: Secret<[UInt8]>

  /// - Throws: `CryptoError.invalidKey` unless `key` has 32 bytes.
  package init(version: UInt32, key: [UInt8]) throws(CryptoError) {
    guard key.count == 32 else { throw .invalidKey }
    self.version = version
    self.key = Secret(key)
  }

  /// A new random key.
  package static func random(version: UInt32) throws(CryptoError) -> SealingKey {
    try SealingKey(version: version, key: SecureRandom.bytes(32))
  }

  /// `plaintext`, sealed for this place.
  package func seal(_ plaintext: [UInt8], in context: AssociatedData) throws(CryptoError) -> [UInt8] {
    let header = [SealingKey.format] + version.bigEndianBytes
    let nonce = SecureRandom.bytes(AES256GCM.nonceSize)
    let sealed = try key.expose { key throws(CryptoError) in
      try AES256GCM.seal(plaintext, key: key, nonce: nonce, authenticating: header + context.bytes)
    }
    return header + nonce + sealed
  }

  /// Opens a value that this key sealed for this place.
  /// - Throws: `CryptoError.notAuthentic` for anything else, without saying what differs.
  package func open(_ sealed: [UInt8], in context: AssociatedData) throws(CryptoError) -> Secret<[UInt8]> {
    guard SealingKey.version(of: sealed) == version else { throw .notAuthentic }
    let header = Array(sealed[..<SealingKey.headerSize])
    let body = SealingKey.headerSize + AES256GCM.nonceSize
    let nonce = Array(sealed[SealingKey.headerSize..<body])
    return Secret(
      try key.expose { key throws(CryptoError) in
        try AES256GCM.open(sealed[body...], key: key, nonce: nonce, authenticating: header + context.bytes)
      })
  }

  /// The version of the key that sealed these bytes, to pick the key by; `nil` when they are no sealed value.
  /// Not authenticated before `open` succeeds.
  package static func version(of sealed: [UInt8]) -> UInt32? {
    guard sealed.count >= headerSize + AES256GCM.nonceSize + AES256GCM.tagSize, sealed[0] == format else { return nil }
    return sealed[1..<headerSize].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// A key for HMACs that is derived from this one (HKDF, RFC 5869), another one for each purpose.
  package func derivedMACKey(for purpose: String) throws(CryptoError) -> MACKey {
    let derived = key.expose { HKDF.derive(32, from: $0, info: Array(purpose.utf8)) }
    guard let derived else { throw .libraryFailure }
    return try MACKey(derived)
  }

  /// This key's own bytes sealed under `other` (a data key wrapped by the key-encryption key).
  package func wrapped(by other: SealingKey, in context: AssociatedData) throws(CryptoError) -> [UInt8] {
    try key.expose { key throws(CryptoError) in try other.seal(key, in: context) }
  }

  /// The key that `wrapped(by:in:)` sealed.
  package static func unwrap(
    _ sealed: [UInt8], version: UInt32, by other: SealingKey, in context: AssociatedData
  ) throws(CryptoError) -> SealingKey {
    try other.open(sealed, in: context).expose { key throws(CryptoError) in
      try SealingKey(version: version, key: key)
    }
  }
}

extension UInt32 {
  /// Four bytes, most significant first.
  var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
