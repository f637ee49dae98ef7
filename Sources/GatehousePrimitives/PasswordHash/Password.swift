/// A password, normalised to NFC (NIST SP 800-63B-4 section 3.1.1.2) and bounded, and otherwise kept byte for byte. Its
/// caller has made it an OpaqueString of RFC 8265. Compatibility forms stay different (no NFKC).
package struct Password: Sendable {
  /// More bytes than this, after normalisation, are refused before any hashing.
  package static let maximumBytes = 1024

  /// The UTF-8 of the normalised password.
  package let bytes: Secret<[UInt8]>
  /// How many Unicode code points it has after normalisation.
  package let codePoints: Int
  /// The UTF-8 of the password as it was typed, in NFC: what hashes were made of before RFC 8265. Nil where it is the
  /// same.
  package let earlier: Secret<[UInt8]>?

  /// More bytes than this are too many in any form: composition never makes a text four times shorter. The caller
  /// that cleans a password asks first, so that cleaning has a bounded cost.
  package static func isTooLong(_ typed: String) -> Bool { typed.utf8.count > 4 * maximumBytes }

  /// - Parameter typed: the text that `text` was made of; nil where nothing was made of it.
  /// - Throws: `PasswordError.tooLong`.
  package init(_ text: String, typed: String? = nil) throws(PasswordError) {
    guard !Password.isTooLong(text) else { throw .tooLong }
    let normalised = nfc(text)
    guard normalised.utf8.count <= Password.maximumBytes else { throw .tooLong }
    bytes = Secret(Array(normalised.utf8))
    codePoints = normalised.unicodeScalars.count
    let earlier = typed.map { Array(nfc($0).utf8) }
    let isHashed = earlier.map { !$0.elementsEqual(normalised.utf8) && $0.count <= Password.maximumBytes }
    self.earlier = isHashed == true ? earlier.map { Secret($0) } : nil
  }
}

/// Why a password cannot be looked at.
package enum PasswordError: Error, Equatable, Sendable {
  /// Over `Password.maximumBytes`.
  case tooLong
}
