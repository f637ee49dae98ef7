// Proof Key for Code Exchange (RFC 7636), by the method S256: the client that redeems a code is the one that began.

import GatehousePrimitives

/// The secret of the client that begins, which it shows when it redeems the code.
package struct CodeVerifier: RawRepresentable, Sendable, Hashable, Codable {
  package let rawValue: String

  /// Returns nil for anything but 43 to 128 unreserved characters (RFC 7636 section 4.1).
  package init?(rawValue: String) {
    guard (43...128).contains(rawValue.utf8.count),  // GUARD: pkce: length of a verifier
      // GUARD: pkce: characters of a verifier
      rawValue.utf8.allSatisfy({ QueryText.isUnreserved($0) })
    else { return nil }
    self.rawValue = rawValue
  }

  private init(random: [UInt8]) { rawValue = Base64URL.encode(random) }

  /// Returns a new one, of 256 random bits.
  package static func generate() -> CodeVerifier { CodeVerifier(random: SecureRandom.bytes(32)) }

  /// The challenge that the client begins with (RFC 7636 section 4.2).
  package var challenge: CodeChallenge { CodeChallenge(of: self) }
}

/// The SHA-256 of a verifier, in base64url.
package struct CodeChallenge: RawRepresentable, Sendable, Hashable, Codable {
  package let rawValue: String

  /// Returns nil for anything but the base64url text of 32 bytes.
  package init?(rawValue: String) {
    guard rawValue.utf8.count == 43, Base64URL.decode(rawValue)?.count == 32 else { return nil }
    self.rawValue = rawValue
  }

  fileprivate init(of verifier: CodeVerifier) { rawValue = Base64URL.encode(SHA256.digest(verifier.rawValue)) }

  /// The hash by which the holder of the verifier is recognised.
  var holderHash: [UInt8] { SHA256.digest(rawValue) }
}
