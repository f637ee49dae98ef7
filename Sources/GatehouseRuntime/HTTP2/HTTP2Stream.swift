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
    /// There was no room for the request.
    case givenBack
  }

  /// Bytes that a stream takes besides its request and its answer, here and in nghttp2.
  static let ownSize = 1024

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
  /// Bytes of the request, while the session counts them, and of the answer with its fields.
  var requestSize = 0
  var answerSize = 0

  init(id: Int32, limits: HTTPLimits) {
    self.id = id
    head = HTTP2Head(limits: limits)
  }

  var isHead: Bool { head.isHead }

  /// Whether what is awaited from the peer is overdue.
  func isLate(_ now: ContinuousClock.Instant, _ limits: HTTPLimits) -> Bool {
    guard let since else { return false }
    switch phase {
    case .receiving:
      let earned = Duration.seconds(min(body.count, limits.bodyBytes)) / max(1, limits.bodyRate)
      // GUARD: http/2: a slow body
      return since + min(limits.body, limits.bodyGrace + earned) <= now
    case .sending:
      // GUARD: http/2: an answer that is never taken
      return since + limits.write <= now
    case .arrived, .running, .givenBack: return false
    }
  }
}
