/// The head of one HTTP/1.1 request, read byte by byte (RFC 9112, sections 2 to 6), strictly: CRLF only, no folding,
/// one Host, one framing. It remembers where it stopped, so bytes may arrive in any pieces and the verdict is the same.
struct HeadScanner {
  enum Step: Equatable { case more, complete, refused(Int) }

  private enum State {
    case start, startLineFeed, method, target, version, versionLineFeed
    case fieldStart, name, valueStart, value, valueLineFeed, endLineFeed
  }

  // Of all limits only what is needed: every open connection has a scanner.
  private let headBytes: Int
  private let targetBytes: Int
  private let mostFields: Int
  private let bodyBytes: Int
  private var state = State.start
  /// How many bytes of this request were looked at; all positions count from the request's first byte.
  private(set) var cursor = 0
  private var mark = 0
  private var field = Headers.Field(name: 0..<0, value: 0..<0)

  private(set) var methodRange = 0..<0
  private(set) var targetRange = 0..<0
  private(set) var fields: [Headers.Field] = []
  private(set) var framing = MessageFraming()

  init(limits: HTTPLimits) {
    headBytes = limits.headBytes  // GUARD: head: size
    targetBytes = limits.targetBytes
    mostFields = limits.fields
    bodyBytes = limits.bodyBytes
  }

  /// Forgets the request at hand: the next byte is another one's first.
  mutating func startAnew() {
    state = .start
    cursor = 0
    fields = []
    framing = MessageFraming()
  }

  /// Whether the target of the request at hand was read to its end.
  var hasTarget: Bool {
    switch state {
    case .start, .startLineFeed, .method, .target: false
    default: true
    }
  }

  /// The fields that were read, the one at hand included, up to here.
  var fieldsSoFar: [Headers.Field] {
    guard state == .value else { return fields }
    return fields + [Headers.Field(name: field.name, value: UInt32(mark)..<UInt32(cursor))]
  }

  /// Goes on through `bytes`, which begin with the request's first byte and have grown since the last call.
  mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>) -> Step {
    let end = min(bytes.count, headBytes)
    // INVARIANT: every branch moves the cursor or returns, and no branch reads at or beyond `end`.
    while cursor < end {
      let step =
        switch state {
        case .start, .startLineFeed, .method, .target, .version, .versionLineFeed: scanRequestLine(bytes, end)
        case .fieldStart, .name: scanName(bytes, end)
        case .valueStart, .value, .valueLineFeed: scanValue(bytes, end)
        case .endLineFeed: scanEnd(bytes)
        }
      if step != .more { return step }
    }
    return cursor >= headBytes ? .refused(431) : .more
  }

  private mutating func scanRequestLine(_ bytes: UnsafeBufferPointer<UInt8>, _ end: Int) -> Step {
    switch state {
    case .start:
      // One empty line before a request is forgiven (RFC 9112, section 2.2).
      if bytes[cursor] == carriageReturn, cursor == 0 {
        cursor = 1
        state = .startLineFeed
      } else {
        mark = cursor
        state = .method
      }
      return .more
    case .startLineFeed:
      return lineFeed(bytes, then: .start)
    case .method:
      return scanMethod(bytes, end)
    case .target:
      return scanTarget(bytes, end)
    case .version:
      return scanVersion(bytes, end)
    default:
      return lineFeed(bytes, then: .fieldStart)
    }
  }

  private mutating func scanMethod(_ bytes: UnsafeBufferPointer<UInt8>, _ end: Int) -> Step {
    while cursor < end, ByteSet.token.contains(bytes[cursor]) { cursor += 1 }
    guard cursor - mark <= 32 else { return .refused(400) }
    guard cursor < end else { return .more }
    guard bytes[cursor] == space, cursor > mark else { return .refused(400) }
    methodRange = mark..<cursor
    cursor += 1
    mark = cursor
    state = .target
    return .more
  }

  private mutating func scanTarget(_ bytes: UnsafeBufferPointer<UInt8>, _ end: Int) -> Step {
    while cursor < end, ByteSet.target.contains(bytes[cursor]) { cursor += 1 }
    // GUARD: head: size of the target
    guard cursor - mark <= targetBytes else { return .refused(414) }
    guard cursor < end else { return .more }
    guard bytes[cursor] == space, cursor > mark else { return .refused(400) }
    targetRange = mark..<cursor
    cursor += 1
    mark = cursor
    state = .version
    return .more
  }

  private mutating func scanVersion(_ bytes: UnsafeBufferPointer<UInt8>, _ end: Int) -> Step {
    while cursor < end, bytes[cursor] > space, bytes[cursor] < 0x7F { cursor += 1 }
    guard cursor - mark <= 8 else { return .refused(400) }
    guard cursor < end else { return .more }
    guard bytes[cursor] == carriageReturn, cursor - mark == 8 else { return .refused(400) }
    if let status = framing.readVersion(UnsafeBufferPointer(rebasing: bytes[mark..<cursor])) {
      return .refused(status)
    }
    cursor += 1
    state = .versionLineFeed
    return .more
  }

  private mutating func scanName(_ bytes: UnsafeBufferPointer<UInt8>, _ end: Int) -> Step {
    if state == .fieldStart {
      if bytes[cursor] == carriageReturn {
        cursor += 1
        state = .endLineFeed
        return .more
      }
      // GUARD: head: number of fields
      guard fields.count < mostFields else { return .refused(431) }
      if fields.isEmpty { fields.reserveCapacity(16) }
      mark = cursor
      state = .name
    }
    while cursor < end, ByteSet.token.contains(bytes[cursor]) { cursor += 1 }
    guard cursor < end else { return .more }
    // Refuses a line that begins with a space (folding), a space before the colon, and a line without one.
    // GUARD: head: no space before the colon
    guard bytes[cursor] == UInt8(ascii: ":"), cursor > mark else { return .refused(400) }
    field.name = UInt32(mark)..<UInt32(cursor)
    cursor += 1
    state = .valueStart
    return .more
  }

  private mutating func scanValue(_ bytes: UnsafeBufferPointer<UInt8>, _ end: Int) -> Step {
    if state == .valueStart {
      while cursor < end, bytes[cursor] == space || bytes[cursor] == tab { cursor += 1 }
      guard cursor < end else { return .more }
      mark = cursor
      state = .value
    }
    if state == .value {
      while cursor < end, isFieldValueByte(bytes[cursor]) { cursor += 1 }
      guard cursor < end else { return .more }
      // Refuses a bare LF, NUL and every other control.
      // GUARD: head: no bare line feed in a value
      guard bytes[cursor] == carriageReturn else { return .refused(400) }
      cursor += 1
      state = .valueLineFeed
      return .more
    }
    guard bytes[cursor] == newLine else { return .refused(400) }
    var last = cursor - 1
    while last > mark, bytes[last - 1] == space || bytes[last - 1] == tab { last -= 1 }
    cursor += 1
    state = .fieldStart
    field.value = UInt32(mark)..<UInt32(last)
    fields.append(field)
    let name = UnsafeBufferPointer(rebasing: bytes[Int(field.name.lowerBound)..<Int(field.name.upperBound)])
    let value = UnsafeBufferPointer(rebasing: bytes[mark..<last])
    return framing.read(name: name, value: value).map(Step.refused) ?? .more
  }

  private mutating func scanEnd(_ bytes: UnsafeBufferPointer<UInt8>) -> Step {
    guard bytes[cursor] == newLine else { return .refused(400) }
    cursor += 1
    return framing.verdict(bodyLimit: bodyBytes).map(Step.refused) ?? .complete
  }

  private mutating func lineFeed(_ bytes: UnsafeBufferPointer<UInt8>, then next: State) -> Step {
    guard bytes[cursor] == newLine else { return .refused(400) }
    cursor += 1
    state = next
    return .more
  }
}

let carriageReturn: UInt8 = 0x0D
let newLine: UInt8 = 0x0A
private let space: UInt8 = 0x20
private let tab: UInt8 = 0x09
