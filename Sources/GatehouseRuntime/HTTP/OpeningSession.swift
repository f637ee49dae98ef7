/// Before anything else: what does the peer speak? With encryption that was agreed on (RFC 7301); without it, the first
/// bytes say so (RFC 9113, section 3.3). Then another session takes over.
final class OpeningSession: ProtocolSession {
  /// With what every connection of HTTP/2 begins (RFC 9113, section 3.4).
  static let preface: StaticString = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

  private let connection: Connection
  private var kept: [UInt8] = []
  private var isDraining = false

  init(connection: Connection) {
    self.connection = connection
  }

  var wantsInput: Bool { true }
  var waiting: Waiting { Waiting(kind: .firstByte, request: 0) }
  var isAnswering: Bool { false }
  var held: Int { kept.count }

  func receive(_ bytes: UnsafeBufferPointer<UInt8>) {
    switch connection.applicationProtocol {
    case .http1: become(HTTP1Session(connection: connection), bytes)
    case .http2: become(HTTP2Session(connection: connection), bytes)
    case nil: guess(bytes)
    }
  }

  func inputEnded() {
    guard !kept.isEmpty else { return connection.closeAfterOutput() }
    becomeHTTP1().inputEnded()
  }

  func resume() {}

  func timedOut() {
    guard !kept.isEmpty else { return connection.closeAfterOutput() }
    becomeHTTP1().timedOut()
  }

  func drain() { isDraining = true }

  func endForRoom() -> Bool {
    connection.closeAfterOutput()
    return true
  }

  private func guess(_ bytes: UnsafeBufferPointer<UInt8>) {
    let preface = Self.preface.bytes
    if kept.isEmpty, bytes.first != preface.first { return become(HTTP1Session(connection: connection), bytes) }
    kept += bytes
    guard zip(kept, preface).allSatisfy(==) else {
      becomeHTTP1()
      return
    }
    guard kept.count >= preface.count else { return }
    kept.withUnsafeBufferPointer { become(HTTP2Session(connection: connection), $0) }
  }

  /// Hands over what was held back.
  @discardableResult
  private func becomeHTTP1() -> HTTP1Session {
    let session = HTTP1Session(connection: connection)
    kept.withUnsafeBufferPointer { become(session, $0) }
    return session
  }

  private func become(_ session: any ProtocolSession, _ bytes: UnsafeBufferPointer<UInt8>) {
    connection.become(session)
    if isDraining { session.drain() }
    session.receive(bytes)
  }
}
