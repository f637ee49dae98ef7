/// Every bound of the HTTP server in one place. Sizes are bytes; deadlines are absolute, not reset by progress.
package struct HTTPLimits: Sendable {
  /// Request line and header section together; beyond it 431. At most 65 535.
  package var headBytes = 16_384
  /// The request target; beyond it 414.
  package var targetBytes = 8_192
  /// Header fields of one request; beyond it 431.
  package var fields = 64
  /// The decoded body; beyond it 413.
  package var bodyBytes = 65_536
  /// Bytes of later requests kept while one is being answered; then the connection is not read.
  package var pipelinedBytes = 16_384
  /// Bytes of answers that the peer of a connection has not taken, those of all streams together; beyond it no further
  /// request is begun, and beyond twice as much the answer of one that was begun is not kept.
  package var unsentBytes = 262_144
  /// The expected size of an answer of a handler at work, as far as it has to wait for the peer's window.
  package var usualAnswer = 16_384
  /// Bytes of unanswered requests and untaken answers, of all connections and of those of one address (IPv6: one /64),
  /// proxies apart. Beyond it a connection that needs more is ended.
  package var buffers = 256 << 20
  package var buffersPerAddress = 16 << 20
  /// Open connections, shared evenly among the loops; beyond it an idle one makes way, or the new one is answered 503.
  package var connections = 10_000
  /// Open connections of one address (IPv6: one /64), proxies apart. Beyond half of it an idle one makes way for each
  /// new one; beyond it a new one is closed at once.
  package var connectionsPerAddress = 1_000
  /// From the first byte of a head (or from the accept) to its last; then 408.
  package var head: Duration = .seconds(10)
  /// From the end of the head to the last byte of the body; then 408.
  package var body: Duration = .seconds(30)
  /// A body may take this long, and a second more for each `bodyRate` bytes of it that came; then 408.
  package var bodyGrace: Duration = .seconds(10)
  package var bodyRate = 1_000
  /// Requests open at once on one connection of HTTP/2, handlers whose request was taken back included.
  package var streams = 100
  /// Bytes of requests that no handler has on one connection of HTTP/2; beyond it the request is refused, to be sent
  /// again.
  package var bufferedBytes = 262_144
  /// Streams of one HTTP/2 connection that may end without an answer, at once and per second; every answer gives one
  /// back. Beyond it the connection ends.
  package var resets = 100
  package var resetsPerSecond = 10
  /// Frames of one HTTP/2 connection, at once and per second; answers and bodies give some back. Beyond it the
  /// connection ends.
  package var frames = 500
  package var framesPerSecond = 100
  /// Requests of one connection that are started in one turn of its loop, so that others get theirs.
  package var requestsPerTurn = 32
  /// Between two requests of a connection; then it is closed.
  package var idle: Duration = .seconds(60)
  /// From the moment a write would block until everything was taken; then the connection is cut.
  package var write: Duration = .seconds(30)
  /// How long a peer that has more than half of `unsentBytes` to take, or has to take answers while buffers are more
  /// than half full, may take fewer than `takingRate` bytes a second; then the connection is ended.
  package var taking: Duration = .seconds(5)
  package var takingRate = 1_000
  /// After the last answer, how long and how much unread input is thrown away so that the answer is not lost to a
  /// reset.
  package var linger: Duration = .seconds(2)
  package var lingerBytes = 262_144
  /// How long a request of an idle connection is still waited for once a drain began; it is answered with `close`.
  package var drainGrace: Duration = .seconds(1)

  /// How long a server that shares its port still accepts connections whose handshake had begun when the drain did. No
  /// shorter than a round trip of a far client.
  package var handover: Duration = .milliseconds(500)

  package init() {}

  /// How often deadlines are looked at: an eighth of the shortest, within 5 ms and 500 ms.
  var tick: Duration {
    let shortest = [head, body, bodyGrace, idle, write, taking, linger, drainGrace].min() ?? head
    return min(max(shortest / 8, .milliseconds(5)), .milliseconds(500))
  }
}
