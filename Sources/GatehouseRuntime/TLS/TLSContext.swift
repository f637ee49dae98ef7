import CTLS
import Glibc

/// One certificate with its key, ready for connections (RFC 8446, RFC 9325): TLS 1.3 and 1.2, forward secrecy and
/// authenticated encryption only, no renegotiation, no compression, no early data. Not changed once it is made.
final class TLSContext: @unchecked Sendable {
  // SAFETY: after `init` OpenSSL counts its references atomically and nothing writes to it.
  private let context: OpaquePointer
  /// When the certificate ends, in seconds since 1970.
  let expiry: Int

  /// For TLS 1.2; those of TLS 1.3 are all fit as they come.
  private static let ciphers = [
    "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384",
    "ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-RSA-CHACHA20-POLY1305",
  ]
  /// The supported protocols, the preferred one first, as ALPN writes them (RFC 7301, section 3.1).
  private static let protocols: StaticString = "\u{2}h2\u{8}http/1.1"

  /// - Parameter tickets: must outlive every connection of this context.
  init(_ files: TLSFiles, tickets: TicketKeys) throws(TLSError) {
    guard let context = SSL_CTX_new(TLS_server_method()) else {
      throw TLSError(path: files.certificatePath, reason: "OpenSSL has no memory for it")
    }
    self.context = context
    expiry = try Self.prepare(context, files, tickets)
  }

  deinit { SSL_CTX_free(context) }

  /// The TLS state of one connection; nil without memory for it.
  func makeConnection() -> OpaquePointer? { SSL_new(context) }

  /// Whether the certificate is for this host.
  func covers(_ host: String) -> Bool {
    let certificate = SSL_CTX_get0_certificate(context)
    return X509_check_host(certificate, host, host.utf8.count, 0, nil) == 1
      || X509_check_ip_asc(certificate, host, 0) == 1
  }

  private static func prepare(_ context: OpaquePointer, _ files: TLSFiles, _ tickets: TicketKeys) throws(TLSError)
    -> Int
  {
    gh_tls_conduct(context)
    // INVARIANT: these are constants that OpenSSL 3 knows; a build that does not know them must not serve.
    guard gh_tls_minimum_version(context) == 1, gh_tls_groups(context, "X25519:P-256:P-384") == 1,
      SSL_CTX_set_cipher_list(context, ciphers.joined(separator: ":")) == 1
    else { throw TLSError(path: files.certificatePath, reason: "this OpenSSL lacks the wanted ciphers") }
    try use(files, in: context)
    setProtocols(context)
    setTickets(context, tickets)
    let certificate = SSL_CTX_get0_certificate(context)
    var end = tm()
    guard ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &end) == 1 else {
      throw TLSError(path: files.certificatePath, reason: "has an expiry date that cannot be read")
    }
    return timegm(&end)
  }

  private static func use(_ files: TLSFiles, in context: OpaquePointer) throws(TLSError) {
    ERR_clear_error()
    defer { ERR_clear_error() }
    guard gh_tls_use_chain(context, files.certificate, Int32(files.certificate.count)) == 1 else {
      throw TLSError(path: files.certificatePath, reason: reason("certificate"))
    }
    // OpenSSL says of anything else that it is "unsupported".
    guard files.key.firstRange(of: Array("PRIVATE KEY-----".utf8)) != nil else {
      throw TLSError(path: files.keyPath, reason: "holds no private key in PEM")
    }
    guard gh_tls_use_key(context, files.key, Int32(files.key.count)) == 1 else {
      guard gh_tls_error_is_mismatch(ERR_peek_last_error()) == 0 else {
        throw TLSError(path: files.keyPath, reason: "is not the key of the certificate in \(files.certificatePath)")
      }
      throw TLSError(path: files.keyPath, reason: reason("private key"))
    }
  }

  /// The meaning of OpenSSL's last error for a file that should hold `thing`.
  private static func reason(_ thing: String) -> String {
    let first = ERR_peek_error()
    if gh_tls_error_is_missing_pem(first) == 1 { return "holds no \(thing) in PEM" }
    if gh_tls_error_is_passphrase(ERR_peek_last_error()) == 1 || gh_tls_error_is_passphrase(first) == 1 {
      return "is encrypted with a passphrase, and the server cannot ask for it"
    }
    return "\(thing) cannot be used: \(ERR_reason_error_string(first).map { String(cString: $0) } ?? "error \(first)")"
  }

  private static func setProtocols(_ context: OpaquePointer) {
    SSL_CTX_set_alpn_select_cb(
      context,
      { _, chosen, length, offered, count, _ in
        let ours = TLSContext.protocols.bytes
        // SAFETY: the choice points into `ours`, which is constant, when the answer is that there is one.
        var choice: UnsafeMutablePointer<UInt8>?
        let answer = SSL_select_next_proto(&choice, length, ours.baseAddress, UInt32(ours.count), offered, count)
        guard answer == OPENSSL_NPN_NEGOTIATED, let choice else { return SSL_TLSEXT_ERR_ALERT_FATAL }
        chosen?.pointee = UnsafePointer(choice)
        return SSL_TLSEXT_ERR_OK
      }, nil)
  }

  private static func setTickets(_ context: OpaquePointer, _ tickets: TicketKeys) {
    SSL_CTX_set_timeout(context, Int(TicketKeys.period.components.seconds))
    // SAFETY: the owner of the context keeps the keys as long as its connections.
    SSL_CTX_set_ex_data(context, 0, Unmanaged.passUnretained(tickets).toOpaque())
    SSL_CTX_set_tlsext_ticket_key_evp_cb(context) { ssl, name, iv, cipher, mac, sealing in
      guard let name, let iv, let raw = SSL_CTX_get_ex_data(SSL_get_SSL_CTX(ssl), 0) else { return -1 }
      let tickets = Unmanaged<TicketKeys>.fromOpaque(raw).takeUnretainedValue()
      if sealing == 1 {
        let key = tickets.newest
        key.copyName(to: name)
        guard RAND_bytes(iv, EVP_MAX_IV_LENGTH) == 1 else { return -1 }
        return key.begin(cipher, mac, iv: iv, sealing: true) ? 1 : -1
      }
      // A ticket of a key that is gone is no error: the handshake is a full one.
      guard let (key, isOld) = tickets.find(UnsafeRawBufferPointer(start: name, count: 16)) else { return 0 }
      guard key.begin(cipher, mac, iv: iv, sealing: false) else { return -1 }
      return isOld ? 2 : 1
    }
  }
}
