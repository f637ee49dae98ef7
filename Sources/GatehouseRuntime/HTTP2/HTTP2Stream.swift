/// One request and its answer on a connection of HTTP/2.
final class HTTP2Stream {
  enum Phase: Equatable {
    /// The request is not whole.
    case receiving
    /// The request is whole and waits for its turn.
    case arrived
    /// The handler has it.
    case running
    /// The answer is on its way.
    case sending
  }

  let id: Int32
  var head: HTTP2Head
  var parsed: HTTP2Head.Parsed?
  var body: [UInt8] = []
  var phase = Phase.receiving
  /// Whether the peer may still send.
  var isInputOpen = true
  /// Whether the end of the answer was sent.
  var isAnswered = false
  /// Since when the rest of the body is awaited from the peer, or the peer has to take the answer.
  var since: ContinuousClock.Instant?
  var answer: [UInt8] = []
  var sent = 0

  init(id: Int32, limits: HTTPLimits) {
    self.id = id
    head = HTTP2Head(limits: limits)
  }

  var isHead: Bool { head.isHead }
}
