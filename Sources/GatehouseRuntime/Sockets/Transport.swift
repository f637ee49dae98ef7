import Glibc

/// The result of a read or a write on a transport.
enum TransportResult {
  case bytes(Int)
  /// Nothing now; try again when the descriptor is ready for this. Under encryption a read may wait for a write and a
  /// write for a read.
  case blocked(Readiness)
  /// The peer will send no more.
  case ended
  case failed
  /// The peer does not encrypt although it should. From now on bytes go in clear, to tell it so.
  case unencrypted
}

/// The protocol that was agreed on before the first byte of the protocol itself.
enum ApplicationProtocol { case http1, http2 }

/// The bytes of one accepted connection below the protocol. Loop thread only.
protocol Transport: AnyObject {
  var descriptor: Int32 { get }
  var isSecure: Bool { get }
  /// Whether a read would give bytes although the descriptor is not readable.
  var hasBufferedInput: Bool { get }
  /// The protocol that the peers agreed on (RFC 7301), known once bytes were read; nil where nothing was agreed.
  var applicationProtocol: ApplicationProtocol? { get }
  func read(into buffer: UnsafeMutableRawBufferPointer) -> TransportResult
  func write(_ bytes: UnsafeRawBufferPointer) -> TransportResult
  /// Tells the peer that nothing more comes; reading goes on.
  func finishWriting()
  /// Closes the descriptor; `abruptly` drops what the peer has not taken.
  func close(abruptly: Bool)
}

extension Transport {
  var applicationProtocol: ApplicationProtocol? { nil }
}

/// Bytes as they are on the descriptor.
final class PlainTransport: Transport {
  let descriptor: Int32

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  var isSecure: Bool { false }
  var hasBufferedInput: Bool { false }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> TransportResult {
    let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
    if count > 0 { return .bytes(count) }
    return count == 0 ? .ended : Self.failure(waitingFor: .read)
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> TransportResult {
    let count = send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    return count >= 0 ? .bytes(count) : Self.failure(waitingFor: .write)
  }

  func finishWriting() {
    shutdown(descriptor, Int32(SHUT_WR))
  }

  func close(abruptly: Bool) {
    if abruptly {
      var now = linger(l_onoff: 1, l_linger: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    }
    Glibc.close(descriptor)
  }

  private static func failure(waitingFor readiness: Readiness) -> TransportResult {
    errno == EAGAIN || errno == EINTR ? .blocked(readiness) : .failed
  }
}
