import CCrypto

/// Why a chain of certificates is not believed. Holds no text of a certificate.
package enum CertificateError: Error, Equatable, Sendable {
  /// No certificate, too many, too large, or bytes that are none.
  case unreadable
  /// No root of this set vouches for the chain: another root, a signature that is wrong, a certificate that may not
  /// sign.
  case untrusted
  /// A certificate of the chain is not valid at this time.
  case notValidNow
  /// The certificate's key is not on P-256.
  case wrongKey
}

/// Root certificates that an operator trusts for one purpose. Usable from many threads at once.
///
/// `@unchecked Sendable`: the store is never changed after `init`, and OpenSSL locks it itself.
package final class CertificateRoots: @unchecked Sendable {
  /// At most so many certificates are in a file of roots, and in a chain.
  package static let mostCertificates = 8
  /// At most so many bytes are in one certificate of a chain.
  static let mostBytes = 16 * 1024

  private let store: OpaquePointer

  /// The certificates of a PEM text; other blocks, and text around them, are not looked at.
  /// - Throws: `CertificateError.unreadable` without a certificate, with more than eight, or with one that cannot be
  ///   read.
  package init(pem: [UInt8]) throws(CertificateError) {
    guard let size = Int32(exactly: pem.count), let store = X509_STORE_new() else { throw .unreadable }
    // SAFETY: the text is alive for the call with the count given; the store takes references of its own.
    let count = gh_store_add_pem(store, pem, size, Int32(CertificateRoots.mostCertificates))
    guard count > 0 else {
      X509_STORE_free(store)
      ERR_clear_error()
      throw .unreadable
    }
    self.store = store
  }

  deinit { X509_STORE_free(store) }

  /// The first certificate of a chain, when a root vouches for it by way of the others at this time.
  ///
  /// Signatures and keys below 112 bits of security are refused.
  /// - Parameters:
  ///   - chain: DER, the certificate in question first.
  ///   - seconds: Since 1970.
  package func verify(_ chain: [[UInt8]], at seconds: Int64) throws(CertificateError) -> Certificate {
    guard let first = chain.first, chain.count <= CertificateRoots.mostCertificates else { throw .unreadable }
    let leaf = try Certificate(der: first)
    guard let others = gh_stack_new() else { throw .unreadable }
    defer { gh_stack_free(others) }
    for der in chain.dropFirst() {
      let certificate = try Certificate(der: der)
      // SAFETY: the stack takes a reference of its own.
      guard gh_stack_push(others, certificate.handle) == 1 else { throw .unreadable }
    }
    // SAFETY: all three are alive for the call.
    let verdict = gh_verify_chain(store, leaf.handle, others, time_t(seconds))
    ERR_clear_error()
    switch verdict {
    case X509_V_OK: return leaf
    case X509_V_ERR_CERT_HAS_EXPIRED, X509_V_ERR_CERT_NOT_YET_VALID: throw .notValidNow
    default: throw .untrusted
    }
  }
}

/// One certificate. Its fields are to be believed only when a root vouches for it.
///
/// `@unchecked Sendable`: it is never changed after `init`.
package final class Certificate: @unchecked Sendable {
  let handle: OpaquePointer

  /// Reads DER; bytes behind it are refused.
  init(der: [UInt8]) throws(CertificateError) {
    guard der.count <= CertificateRoots.mostBytes else { throw .unreadable }
    let handle = der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
      var cursor = bytes.baseAddress
      // SAFETY: d2i reads at most `count` bytes from the cursor and moves it to the end of what it read.
      guard let certificate = d2i_X509(nil, &cursor, bytes.count) else { return nil }
      guard let start = bytes.baseAddress, let cursor, cursor - start == bytes.count else {
        X509_free(certificate)
        return nil
      }
      return certificate
    }
    guard let handle else {
      ERR_clear_error()
      throw .unreadable
    }
    self.handle = handle
  }

  deinit { X509_free(handle) }

  /// Its public key.
  /// - Throws: `CertificateError.wrongKey` unless it is a point of P-256.
  package func publicKey() throws(CertificateError) -> P256PublicKey {
    guard let key = X509_get_pubkey(handle) else {
      ERR_clear_error()
      throw .wrongKey
    }
    guard KeyHandle.isSoundP256(key, private: false) else {
      EVP_PKEY_free(key)
      ERR_clear_error()
      throw .wrongKey
    }
    do throws(CryptoError) {
      let handle = try KeyHandle(owning: key, for: .verifying)
      return try P256PublicKey(x: handle.coordinate(OSSL_PKEY_PARAM_EC_PUB_X), y: handle.coordinate("qy"))
    } catch {
      throw .wrongKey
    }
  }

  /// Its public key, of any kind that we verify with.
  /// - Throws: `CertificateError.wrongKey`.
  func verifyingKey() throws(CertificateError) -> SPKIKey {
    guard let key = try? SPKIKey(owning: X509_get_pubkey(handle)) else { throw .wrongKey }
    return key
  }

  /// The parts of a subject that profiles ask for.
  enum SubjectPart: Sendable, CaseIterable { case country, organization, unit, commonName }

  /// The first entry of this kind in its subject, of at most 200 bytes; nil without one.
  func subject(_ part: SubjectPart) -> String? {
    let kind =
      switch part {
      case .country: NID_countryName
      case .organization: NID_organizationName
      case .unit: NID_organizationalUnitName
      case .commonName: NID_commonName
      }
    var text = [CChar](repeating: 0, count: 201)
    // SAFETY: at most `count` bytes are written, the last of them zero.
    let size = gh_subject_entry(handle, kind, &text, Int32(text.count))
    guard size > 0 else { return nil }
    return String(decoding: text.prefix(Int(size)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether it is of version 3 and says that it may sign no other certificate.
  var isLeaf: Bool { gh_is_leaf(handle) == 1 }

  /// The value of its extension with this object identifier; nil without it, and where it is there twice.
  package func value(ofExtension identifier: String) -> [UInt8]? {
    var length: Int32 = 0
    // SAFETY: what comes back belongs to the certificate and has `length` bytes; it is copied before the certificate
    // goes.
    guard let value = gh_extension(handle, identifier, &length), length >= 0 else {
      ERR_clear_error()
      return nil
    }
    return Array(UnsafeBufferPointer(start: value, count: Int(length)))
  }
}
