import CCrypto

/// Owner of one EVP_PKEY and of a digest context already set up for it (SHA-256 with this key).
///
/// `@unchecked Sendable`: the key is never changed after `init`, and OpenSSL allows many threads to use one EVP_PKEY.
/// The prepared context is only ever copied, and copying is done under a lock.
final class KeyHandle: @unchecked Sendable {
  enum Use { case signing, verifying }

  let key: OpaquePointer
  private let template: LockBox<PreparedContext>

  /// Takes ownership of `key`, also when it throws.
  init(owning key: OpaquePointer, for use: Use) throws(CryptoError) {
    guard let template = EVP_MD_CTX_new() else {
      EVP_PKEY_free(key)
      throw .libraryFailure
    }
    self.key = key
    self.template = LockBox(PreparedContext(context: template))
    // SAFETY: the context holds its own reference to the key. "SHA256" is a static C string for the call.
    let done =
      switch use {
      case .signing: EVP_DigestSignInit_ex(template, nil, "SHA256", nil, nil, key, nil)
      case .verifying: EVP_DigestVerifyInit_ex(template, nil, "SHA256", nil, nil, key, nil)
      }
    guard done == 1 else { throw .invalidKey }
  }

  deinit {
    template.withLock { EVP_MD_CTX_free($0.context) }
    EVP_PKEY_free(key)
  }

  /// Runs `body` with a fresh copy of the prepared context; cheaper than setting one up for each signature.
  func withContext<Answer>(_ body: (OpaquePointer) -> Answer) -> Answer? {
    guard let context = EVP_MD_CTX_new() else { return nil }
    defer { EVP_MD_CTX_free(context) }
    // SAFETY: both contexts are owned here; the lock keeps two copies of the template apart.
    guard template.withLock({ EVP_MD_CTX_copy_ex(context, $0.context) }) == 1 else { return nil }
    return body(context)
  }

  /// Whether `signature`, in the form OpenSSL reads (DER for ECDSA), is one of `message`.
  func verifies(_ signature: [UInt8], of message: ArraySlice<UInt8>) -> Bool {
    let verdict = withContext { context in
      message.withUnsafeBufferPointer { bytes in
        // SAFETY: both inputs are alive for the call with the counts given.
        EVP_DigestVerify(context, signature, signature.count, bytes.baseAddress, bytes.count)
      }
    }
    // A refused signature leaves entries in this thread's error queue, which others would misread.
    if verdict != 1 { ERR_clear_error() }
    return verdict == 1
  }

  /// A 32-byte coordinate of the public point.
  func coordinate(_ name: String) throws(CryptoError) -> [UInt8] {
    var number: OpaquePointer?
    // SAFETY: OpenSSL allocates the number; freed below.
    guard EVP_PKEY_get_bn_param(key, name, &number) == 1, let number else { throw .invalidKey }
    defer { BN_free(number) }
    var bytes = [UInt8](repeating: 0, count: 32)
    guard BN_bn2binpad(number, &bytes, 32) == 32 else { throw .invalidKey }
    return bytes
  }

  /// Whether the key is on P-256 and its parts belong together.
  static func isSoundP256(_ key: OpaquePointer, private isPrivate: Bool) -> Bool {
    var name = [CChar](repeating: 0, count: 32)
    var size = 0
    guard EVP_PKEY_get_group_name(key, &name, name.count, &size) == 1,
      name.prefix(size).elementsEqual("prime256v1".utf8.map { CChar($0) }),
      let context = EVP_PKEY_CTX_new_from_pkey(nil, key, nil)
    else { return false }
    defer { EVP_PKEY_CTX_free(context) }
    return (isPrivate ? EVP_PKEY_check(context) : EVP_PKEY_public_check(context)) == 1
  }
}

/// `@unchecked`: the pointer is used only inside the box that holds it.
private struct PreparedContext: @unchecked Sendable {
  let context: OpaquePointer
}
