/// HTTP/1.1 requests out of a stream of bytes: a state machine without I/O. Give it bytes in any pieces with `append`,
/// then ask `next` until it wants more. After a refusal nothing further is read.
struct RequestParser {
  /// A request as it came, not yet tied to a connection.
  struct Parsed: Sendable {
    let head: RequestHead
    /// Empty until it was read.
    var body: [UInt8] = []
    /// Whether the peer wants to keep the connection.
    let keepsAlive: Bool
    let isVersion11: Bool
  }

  enum Event {
    case more
    case request(Parsed)
    /// The status to answer with; the connection then closes.
    case refused(Int)
  }

  /// The progress of a message, for deadlines.
  enum Progress { case idle, head, body }

  private enum Phase {
    case head
    case fixed(remaining: Int)
    case chunked(ChunkedDecoder)
    case refused(Int)
  }

  private let bodyBytes: Int
  private var buffer: [UInt8] = []
  private var start = 0
  private var phase = Phase.head
  private var scanner: HeadScanner
  private var pending: Parsed?
  private var body: [UInt8] = []
  private var waitsForContinue = false
  /// The part that was read of a head that was too large (431).
  private(set) var cutHead = CutHead(target: "", headers: Headers())

  init(limits: HTTPLimits) {
    var bounded = limits
    bounded.headBytes = min(max(limits.headBytes, 1), 65_535)
    bodyBytes = limits.bodyBytes
    scanner = HeadScanner(limits: bounded)
  }

  /// How many bytes wait to be parsed.
  var buffered: Int { buffer.count - start }

  var progress: Progress {
    switch phase {
    case .head: buffered == 0 ? .idle : .head
    case .fixed, .chunked: .body
    case .refused: .idle
    }
  }

  /// How much of the body of the request at hand has come, decoded.
  var bodyReceived: Int { body.count }

  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    if start == buffer.count {
      // An idle connection keeps a small buffer, not the largest it ever needed.
      buffer.removeAll(keepingCapacity: buffer.capacity <= 4096)
      start = 0
    } else if start > 0 {
      buffer.removeSubrange(..<start)
      start = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// Whether the peer waits for `100 Continue` before it sends the body: true once, right after `next` wanted more.
  mutating func takeContinue() -> Bool {
    defer { waitsForContinue = false }
    return waitsForContinue
  }

  mutating func next() -> Event {
    if case .head = phase, let event = readHead() { return event }
    return readBody()
  }

  /// Nil once the head is complete.
  private mutating func readHead() -> Event? {
    guard buffered > 0 else { return .more }
    let step = buffer.withUnsafeBufferPointer { scanner.scan(UnsafeBufferPointer(rebasing: $0[start...])) }
    switch step {
    case .more: return .more
    case .refused(let status): return refuse(status)
    case .complete: break
    }
    guard let head = makeHead(Array(buffer[start..<(start + scanner.cursor)])) else { return refuse(400) }
    begin(head, scanner.framing, of: scanner.cursor)
    scanner.startAnew()
    return nil
  }

  private mutating func begin(_ head: Parsed, _ framing: MessageFraming, of count: Int) {
    pending = head
    start += count
    switch framing.body {
    case .none: phase = .fixed(remaining: 0)
    case .length(let count): phase = .fixed(remaining: count)
    case .chunked: phase = .chunked(ChunkedDecoder())
    }
    waitsForContinue = framing.expectsContinue && framing.body != .none
  }

  /// Nil if the target is in no form its method may have, or names another host than the Host field.
  private func makeHead(_ received: [UInt8]) -> Parsed? {
    var bytes = received
    let method = Method(String(decoding: bytes[scanner.methodRange], as: UTF8.self))
    guard let target = RequestTarget(of: bytes, in: scanner.targetRange, for: method) else { return nil }
    for field in scanner.fields {
      for index in Int(field.name.lowerBound)..<Int(field.name.upperBound) { bytes[index] = lowercased(bytes[index]) }
    }
    let headers = Headers(bytes: bytes, fields: scanner.fields)
    if let authority = target.authority, let host = headers.bytes(of: "host") {
      guard bytes[authority].lazy.map(lowercased).elementsEqual(host.lazy.map(lowercased)) else { return nil }
    }
    let framing = scanner.framing
    return Parsed(
      head: RequestHead(method: method, target: target, headers: headers), keepsAlive: framing.keepsAlive,
      isVersion11: framing.isVersion11)
  }

  private mutating func readBody() -> Event {
    switch phase {
    case .head: return .more
    case .refused(let status): return .refused(status)
    case .fixed(let remaining):
      let count = min(remaining, buffered)
      if count > 0 { body.append(contentsOf: buffer[start..<(start + count)]) }
      start += count
      phase = .fixed(remaining: remaining - count)
      if count > 0 { waitsForContinue = false }
      return remaining == count ? finish() : .more
    case .chunked(var decoder):
      if buffered > 0 { waitsForContinue = false }
      var cursor = start
      let step = buffer.withUnsafeBufferPointer {
        decoder.decode($0, &cursor, into: &body, limit: bodyBytes)
      }
      start = cursor
      phase = .chunked(decoder)
      switch step {
      case .more: return .more
      case .refused(let status): return refuse(status)
      case .complete: return finish()
      }
    }
  }

  private mutating func finish() -> Event {
    guard var parsed = pending.take() else { return refuse(400) }
    swap(&parsed.body, &body)
    phase = .head
    return .request(parsed)
  }

  private var headSoFar: CutHead {
    var bytes = Array(buffer[start...].prefix(scanner.cursor))
    let fields = scanner.fieldsSoFar
    for field in fields {
      for index in Int(field.name.lowerBound)..<Int(field.name.upperBound) { bytes[index] = lowercased(bytes[index]) }
    }
    let target = scanner.hasTarget ? String(decoding: bytes[scanner.targetRange], as: UTF8.self) : ""
    return CutHead(target: target, headers: Headers(bytes: bytes, fields: fields))
  }

  private mutating func refuse(_ status: Int) -> Event {
    if status == 431 { cutHead = headSoFar }
    phase = .refused(status)
    buffer = []
    start = 0
    pending = nil
    body = []
    return .refused(status)
  }
}
