import CCrypto

/// The SHA-256 digest of bytes that arrive in pieces.
package final class RunningSHA256 {
  private let context: OpaquePointer

  package init() throws(CryptoError) {
    guard let context = EVP_MD_CTX_new() else { throw .libraryFailure }
    self.context = context
    // SAFETY: the context is fresh, and the algorithm is never freed.
    guard EVP_DigestInit_ex2(context, SHA256.algorithm, nil) == 1 else { throw .libraryFailure }
  }

  deinit { EVP_MD_CTX_free(context) }

  package func add(_ bytes: [UInt8]) throws(CryptoError) {
    // SAFETY: the array is alive for the call.
    guard EVP_DigestUpdate(context, bytes, bytes.count) == 1 else { throw .libraryFailure }
  }

  /// The 32-byte digest of all that was added. Nothing may be added behind it.
  package func digest() throws(CryptoError) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: 32)
    // SAFETY: the output has the 32 bytes that SHA-256 writes.
    guard EVP_DigestFinal_ex(context, &output, nil) == 1 else { throw .libraryFailure }
    return output
  }
}
