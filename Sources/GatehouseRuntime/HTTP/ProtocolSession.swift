/// The protocol of one connection: turns bytes into requests and responses into bytes. The connection owns the
/// descriptor, the unsent bytes and the deadlines; the session owns the parsed messages. Loop thread only.
protocol ProtocolSession: AnyObject {
  /// Whether more bytes can be taken now.
  var wantsInput: Bool { get }
  /// The part of a message that the session awaits from the peer; it determines the deadline.
  var waiting: Waiting { get }
  func receive(_ bytes: UnsafeBufferPointer<UInt8>)
  /// The peer will send no more; what it sent before is still answered.
  func inputEnded()
  /// `Connection.mayAnswer()` was false and is true again.
  func resume()
  /// The deadline for what `waiting` said has passed.
  func timedOut()
  /// Finishes what is in flight, takes nothing new, then ends the connection.
  func drain()
  /// Does what the passing of `now` demands besides that, where a session has deadlines of its own.
  func check(_ now: ContinuousClock.Instant)
  /// Whether a request is being answered.
  var isAnswering: Bool { get }
  /// How much of the body that `waiting` speaks of has come, for the minimum rate; nil where none is asked.
  var bodyReceived: Int? { get }
  /// Bytes of requests and answers in the session.
  var held: Int { get }
  /// Bytes of answers that the connection has not been given.
  var untaken: Int { get }
  /// Bytes that the connection was given and that are no answers.
  var overhead: Int { get }
  /// There is no room for what the session holds: refuses that as far as the peer can understand it, and ends. False,
  /// and nothing done, for a request at work that is bounded by itself.
  func endForRoom() -> Bool
}

extension ProtocolSession {
  var bodyReceived: Int? { nil }
  var untaken: Int { 0 }
  var overhead: Int { 0 }
  func check(_ now: ContinuousClock.Instant) {}
}

/// The part of a message that a connection waits for from its peer.
struct Waiting: Equatable {
  enum Kind { case firstByte, nextRequest, head, body, nothing }
  let kind: Kind

  /// Whether no request is lost if the connection ends now: none is whole.
  var isIdle: Bool {
    switch kind {
    case .firstByte, .nextRequest, .head: true
    case .body, .nothing: false
    }
  }
  /// The number of the request, so that a new request is a new wait.
  let request: Int
}
