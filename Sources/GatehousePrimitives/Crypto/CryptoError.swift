/// Why a cryptographic operation gave no result. Never holds key material or OpenSSL's own text.
package enum CryptoError: Error, Equatable, Sendable {
  /// A key has the wrong size, kind or curve, or its parts do not fit together.
  case invalidKey
  /// A key is too short to be safe: under 256 bits for HMAC, under 2048 bits for RSA.
  case weakKey
  /// Sealed bytes are not what this key and context sealed: wrong key, wrong place, or changed.
  case notAuthentic
  /// The library refused an operation that only fails when memory is out or the installation is broken.
  case libraryFailure
}
