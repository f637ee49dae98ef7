import CTLS
import Glibc

/// The client's side of an encrypted connection, blocking, for tests.
final class ClientTLS {
  struct Options {
    var version: Int32?
    var protocols: [String] = []
    var session: OpaquePointer?
    /// Colon-separated, for TLS 1.2.
    var ciphers: String?
  }

  struct Failure: Error { let why: String }

  private let context: OpaquePointer
  private let ssl: OpaquePointer

  init(_ descriptor: Int32, _ options: Options) throws {
    guard let context = SSL_CTX_new(TLS_client_method()), let ssl = SSL_new(context) else {
      throw Failure(why: "no memory")
    }
    self.context = context
    self.ssl = ssl
    if let version = options.version {
      SSL_ctrl(ssl, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(version), nil)
      SSL_ctrl(ssl, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(version), nil)
    }
    if let ciphers = options.ciphers { SSL_set_cipher_list(ssl, ciphers) }
    if !options.protocols.isEmpty {
      let list = options.protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
      SSL_set_alpn_protos(ssl, list, UInt32(list.count))
    }
    if let session = options.session { SSL_set_session(ssl, session) }
    SSL_set_fd(ssl, descriptor)
    guard SSL_connect(ssl) == 1 else { throw Failure(why: Self.lastError) }
  }

  deinit {
    // A session whose connection just vanished would count as spoilt.
    SSL_set_shutdown(ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
    SSL_free(ssl)
    SSL_CTX_free(context)
  }

  private static var lastError: String {
    defer { ERR_clear_error() }
    return ERR_reason_error_string(ERR_peek_last_error()).map { String(cString: $0) } ?? "closed"
  }

  func write(_ bytes: [UInt8]) -> Bool {
    ERR_clear_error()
    return bytes.isEmpty || SSL_write(ssl, bytes, Int32(bytes.count)) == Int32(bytes.count)
  }

  /// Nil after `close_notify`; every other end is an error.
  func read() throws -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    ERR_clear_error()
    let count = SSL_read(ssl, &buffer, Int32(buffer.count))
    if count > 0 { return Array(buffer[..<Int(count)]) }
    guard SSL_get_error(ssl, count) == SSL_ERROR_ZERO_RETURN else { throw Failure(why: Self.lastError) }
    return nil
  }

  var version: String { String(cString: SSL_get_version(ssl)) }
  var isResumed: Bool { SSL_session_reused(ssl) == 1 }
  var cipher: String { String(cString: SSL_CIPHER_get_name(SSL_get_current_cipher(ssl))) }

  /// What ALPN chose; empty for nothing.
  var chosen: String {
    var name: UnsafePointer<UInt8>?
    var length: UInt32 = 0
    SSL_get0_alpn_selected(ssl, &name, &length)
    return String(decoding: UnsafeBufferPointer(start: name, count: Int(length)), as: UTF8.self)
  }

  /// The session with the newest ticket, kept for ever: tests are short.
  var session: OpaquePointer? { SSL_get1_session(ssl) }

  /// The name in the server's certificate.
  var serverName: String {
    guard let certificate = SSL_get0_peer_certificate(ssl) else { return "" }
    var text = [CChar](repeating: 0, count: 256)
    X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, &text, 256)
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Asks for another handshake (TLS 1.2); whether the server agreed.
  func renegotiate() -> Bool {
    ERR_clear_error()
    return SSL_renegotiate(ssl) == 1 && SSL_do_handshake(ssl) == 1
  }

  /// Asks for new keys of both sides (TLS 1.3); the server answers with its next record.
  func updateKeys() -> Bool { SSL_key_update(ssl, SSL_KEY_UPDATE_REQUESTED) == 1 }
}
