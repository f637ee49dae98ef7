/// A password as a user typed it, normalised to NFC (NIST SP 800-63B-4 section 3.1.1.2) and bounded, and otherwise kept
/// byte for byte: spaces and control characters count. Compatibility forms stay different (no NFKC).
package struct Password: Sendable {
  /// More bytes than this, after normalisation, are refused before any hashing.
  package static let maximumBytes = 1024

  /// The UTF-8 of the normalised password.
  package let bytes: Secret<[UInt8]>
  /// How many Unicode code points it has after normalisation.
  package let codePoints: Int

  /// - Throws: `PasswordError.tooLong`.
  package init(_ text: String) throws(PasswordError) {
    // Composition never makes a text four times shorter, so anything this long is too long in any form; checked first,
    // so that normalising has a bounded cost.
    guard text.utf8.count <= 4 * Password.maximumBytes else { throw .tooLong }
    let normalised = nfc(text)
    guard normalised.utf8.count <= Password.maximumBytes else { throw .tooLong }
    bytes = Secret(Array(normalised.utf8))
    codePoints = normalised.unicodeScalars.count
  }
}

/// Why a password cannot be looked at.
package enum PasswordError: Error, Equatable, Sendable {
  /// Over `Password.maximumBytes`.
  case tooLong
}
