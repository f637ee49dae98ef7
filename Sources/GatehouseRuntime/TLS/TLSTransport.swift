import CTLS
import Glibc

/// The server's side of one encrypted connection. The handshake happens inside the first reads.
final class TLSTransport: Transport {
  private enum Phase {
    case unheard, encrypted
    /// The peer speaks without encryption; what is said to it is said in clear.
    case clear
    /// Nothing more is written; what still comes is not even decrypted.
    case finished
    case failed
  }

  private let plain: PlainTransport
  private let ssl: OpaquePointer
  /// OpenSSL asks for them through a bare pointer.
  private let tickets: TicketKeys
  private var phase = Phase.unheard
  private(set) var hasBufferedInput = false

  /// Takes over `ssl`.
  init?(_ descriptor: Int32, ssl: OpaquePointer, tickets: TicketKeys) {
    plain = PlainTransport(descriptor)
    self.ssl = ssl
    self.tickets = tickets
    guard SSL_set_fd(ssl, descriptor) == 1 else { return nil }
    SSL_set_accept_state(ssl)
  }

  deinit { SSL_free(ssl) }

  var descriptor: Int32 { plain.descriptor }
  var isSecure: Bool { true }

  var applicationProtocol: ApplicationProtocol? {
    var name: UnsafePointer<UInt8>?
    var length: UInt32 = 0
    SSL_get0_alpn_selected(ssl, &name, &length)
    return length == 2 ? .http2 : .http1
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> TransportResult {
    if phase == .unheard, let result = hearFirstByte() { return result }
    switch phase {
    case .encrypted: break
    case .clear, .finished: return plain.read(into: buffer)
    case .failed, .unheard: return .failed
    }
    var count = 0
    // An error that other code left in this thread's queue would be taken for ours.
    ERR_clear_error()
    let answer = SSL_read_ex(ssl, buffer.baseAddress, buffer.count, &count)
    hasBufferedInput = answer == 1 && SSL_has_pending(ssl) == 1
    return answer == 1 ? .bytes(count) : failure()
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> TransportResult {
    switch phase {
    case .encrypted: break
    case .clear: return plain.write(bytes)
    case .failed, .finished, .unheard: return .failed
    }
    var count = 0
    ERR_clear_error()
    return SSL_write_ex(ssl, bytes.baseAddress, bytes.count, &count) == 1 ? .bytes(count) : failure()
  }

  func finishWriting() {
    sayGoodbye()
    hasBufferedInput = false
    if phase != .failed { phase = .finished }
    plain.finishWriting()
  }

  func close(abruptly: Bool) {
    if !abruptly { sayGoodbye() }
    phase = .failed
    plain.close(abruptly: abruptly)
  }

  /// Sends `close_notify` once (RFC 8446, section 6.1), if the peer takes it at once.
  private func sayGoodbye() {
    guard phase == .encrypted, SSL_is_init_finished(ssl) == 1 else { return }
    ERR_clear_error()
    SSL_shutdown(ssl)
  }

  /// Whether this is TLS at all: a handshake begins with a record of type 22, a request in clear with a letter.
  private func hearFirstByte() -> TransportResult? {
    var first: UInt8 = 0
    let count = recv(descriptor, &first, 1, Int32(MSG_PEEK))
    if count == 0 { return .ended }
    guard count == 1 else { return errno == EAGAIN || errno == EINTR ? .blocked(.read) : .failed }
    guard (0x41...0x5A).contains(first) else {
      phase = .encrypted
      return nil
    }
    phase = .clear
    return .unencrypted
  }

  private func failure() -> TransportResult {
    switch SSL_get_error(ssl, 0) {
    case SSL_ERROR_WANT_READ: return .blocked(.read)
    case SSL_ERROR_WANT_WRITE: return .blocked(.write)
    case SSL_ERROR_ZERO_RETURN: return .ended
    default:
      ERR_clear_error()
      phase = .failed
      return .failed
    }
  }
}
