import CCrypto

/// AES-256 in Galois/Counter mode (NIST SP 800-38D): 96-bit nonce, 128-bit tag.
enum AES256GCM {
  static let nonceSize = 12
  static let tagSize = 16

  // SAFETY: fetched once, never freed, and immutable; OpenSSL shares an EVP_CIPHER between threads.
  nonisolated(unsafe) private static let cipher: OpaquePointer? = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)

  /// The ciphertext followed by its tag.
  static func seal(
    _ plaintext: [UInt8], key: [UInt8], nonce: [UInt8], authenticating context: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    let run = try Run(key: key, nonce: nonce, encrypting: true)
    try run.authenticate(context)
    var output = try run.transform(plaintext[...])
    var tag = [UInt8](repeating: 0, count: tagSize)
    // SAFETY: GCM writes nothing at the end, so a one-byte place is enough; the tag has the 16 bytes asked for.
    var none: UInt8 = 0
    var written: Int32 = 0
    guard EVP_EncryptFinal_ex(run.context, &none, &written) == 1,
      EVP_CIPHER_CTX_ctrl(run.context, EVP_CTRL_AEAD_GET_TAG, Int32(tagSize), &tag) == 1
    else { throw .libraryFailure }
    output += tag
    return output
  }

  /// The plaintext of ciphertext and tag.
  /// - Throws: `notAuthentic` when anything was changed.
  static func open(
    _ sealed: ArraySlice<UInt8>, key: [UInt8], nonce: [UInt8], authenticating context: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    guard sealed.count >= tagSize else { throw .notAuthentic }
    let run = try Run(key: key, nonce: nonce, encrypting: false)
    try run.authenticate(context)
    let plaintext = try run.transform(sealed.dropLast(tagSize))
    var tag = Array(sealed.suffix(tagSize))
    var none: UInt8 = 0
    var written: Int32 = 0
    // SAFETY: the tag has 16 bytes; the end writes nothing in GCM.
    guard EVP_CIPHER_CTX_ctrl(run.context, EVP_CTRL_AEAD_SET_TAG, Int32(tagSize), &tag) == 1,
      EVP_DecryptFinal_ex(run.context, &none, &written) == 1
    else { throw .notAuthentic }
    return plaintext
  }

  /// Owner of one EVP_CIPHER_CTX; used by one call on one thread.
  private final class Run {
    let context: OpaquePointer

    init(key: [UInt8], nonce: [UInt8], encrypting: Bool) throws(CryptoError) {
      guard key.count == 32, nonce.count == nonceSize else { throw .invalidKey }
      guard let context = EVP_CIPHER_CTX_new() else { throw .libraryFailure }
      self.context = context
      // SAFETY: key and nonce have the sizes the cipher reads (12 bytes is GCM's default nonce size).
      guard EVP_CipherInit_ex2(context, cipher, key, nonce, encrypting ? 1 : 0, nil) == 1 else {
        throw .libraryFailure
      }
    }

    deinit { EVP_CIPHER_CTX_free(context) }

    func authenticate(_ bytes: [UInt8]) throws(CryptoError) {
      guard !bytes.isEmpty else { return }
      var written: Int32 = 0
      // SAFETY: a nil output marks additional data; the input has the count given.
      guard let size = Int32(exactly: bytes.count), EVP_CipherUpdate(context, nil, &written, bytes, size) == 1 else {
        throw .libraryFailure
      }
    }

    func transform(_ input: ArraySlice<UInt8>) throws(CryptoError) -> [UInt8] {
      guard !input.isEmpty else { return [] }
      guard let size = Int32(exactly: input.count) else { throw .libraryFailure }
      var output = [UInt8](repeating: 0, count: input.count)
      var written: Int32 = 0
      let done = input.withUnsafeBufferPointer { bytes in
        // SAFETY: GCM is a stream: as many bytes come out as go in.
        EVP_CipherUpdate(context, &output, &written, bytes.baseAddress, size)
      }
      guard done == 1, written == size else { throw .libraryFailure }
      return output
    }
  }
}
