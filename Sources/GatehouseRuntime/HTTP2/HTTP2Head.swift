/// The head of one HTTP/2 request, field by field (RFC 9113, section 8), without I/O. Everything that HTTP/1.1 would
/// refuse is refused here alike, and the mistakes that only HTTP/2 allows as well: the handler sees no difference.
struct HTTP2Head {
  /// A head as it came, not yet tied to a connection.
  struct Parsed {
    let head: RequestHead
    let expectsContinue: Bool
  }

  private let limits: HTTPLimits
  private var bytes: [UInt8] = []
  private var fields: [Headers.Field] = []
  private var framing = MessageFraming()
  private var method: Method?
  private var path: Range<Int>?
  private var authority: Range<Int>?
  private var hasScheme = false
  private var hasFields = false
  private var cookie: [UInt8] = []
  private var count = 0
  /// As RFC 9113, section 6.5.2, measures: 32 bytes more for each field.
  private(set) var size = 0
  /// The status to answer with, once something was wrong.
  private(set) var refusal: Int?

  init(limits: HTTPLimits) {
    self.limits = limits
  }

  /// Whether the method is HEAD, also of a head that is refused.
  var isHead: Bool { method == .head }

  /// Bytes that it keeps.
  var kept: Int { bytes.count + cookie.count + fields.count * MemoryLayout<Headers.Field>.size }

  /// Keeps nothing of what came: a handler has it, or none needs it.
  mutating func forget() {
    bytes = []
    path = nil
    fields = []
    cookie = []
  }

  mutating func refuse(_ status: Int) {
    if refusal == nil { refusal = status }
  }

  /// Takes one field, pseudo or not.
  mutating func add(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
    count &+= 1
    size &+= name.count &+ value.count &+ 32
    guard refusal == nil else { return }
    // The four that HTTP/1.1 has in its request line are not counted there either.
    guard size <= limits.headBytes,
      count <= limits.fields + 4  // GUARD: http/2: number of fields
    else {
      // Its beginning says which cookies are too large.
      if isCookie(name) { readCookie(UnsafeBufferPointer(rebasing: value.prefix(limits.headBytes))) }
      return refuse(431)
    }
    let status = name.first == UInt8(ascii: ":") ? readPseudo(name, value) : readField(name, value)
    if let status { refuse(status) }
  }

  /// The part that was read of the head.
  var cutHead: CutHead {
    var whole = self
    whole.joinCookies()
    let target = path.map { String(decoding: bytes[$0], as: UTF8.self) } ?? ""
    return CutHead(target: target, headers: Headers(bytes: whole.bytes, fields: whole.fields))
  }

  /// RFC 9113, section 8.2.3: the crumbs are joined into one field before a handler reads them.
  private mutating func joinCookies() {
    guard !cookie.isEmpty else { return }
    cookie.withUnsafeBufferPointer { append(("cookie" as StaticString).bytes, $0) }
    cookie = []
  }

  /// The head once all its fields came; nil, and `refusal`, if it is refused.
  mutating func finish() -> Parsed? {
    joinCookies()
    guard refusal == nil else { return nil }
    if let status = framing.verdict(bodyLimit: limits.bodyBytes) { refuse(status) }
    guard refusal == nil, let method, let target = target(for: method) else {
      refuse(400)
      return nil
    }
    return Parsed(
      head: RequestHead(method: method, target: target, headers: Headers(bytes: bytes, fields: fields)),
      expectsContinue: framing.expectsContinue)
  }

  private func target(for method: Method) -> RequestTarget? {
    // RFC 9113, section 8.5: a CONNECT names its authority and nothing else.
    if method == .connect {
      guard path == nil, !hasScheme, let authority else { return nil }
      return RequestTarget(of: bytes, in: authority, for: method)
    }
    guard let path, hasScheme, let target = RequestTarget(of: bytes, in: path, for: method) else { return nil }
    // A whole URL in the path could name another host than `:authority`.
    return target.authority == nil ? target : nil
  }

  private mutating func readPseudo(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> Int? {
    guard !hasFields, !value.isEmpty else { return 400 }
    if name.elementsEqual((":method" as StaticString).bytes) {
      guard method == nil, value.count <= 32, value.allSatisfy(ByteSet.token.contains) else { return 400 }
      method = Method(String(decoding: value, as: UTF8.self))
    } else if name.elementsEqual((":path" as StaticString).bytes) {
      guard path == nil, value.allSatisfy(ByteSet.target.contains) else { return 400 }
      guard value.count <= limits.targetBytes else { return 414 }
      path = bytes.count..<(bytes.count + value.count)
      bytes += value
    } else if name.elementsEqual((":scheme" as StaticString).bytes) {
      // Both schemes: a proxy before this server may encrypt or not.
      guard !hasScheme, Self.schemes.contains(where: { value.elementsEqual($0.bytes) }) else { return 400 }
      hasScheme = true
    } else if name.elementsEqual((":authority" as StaticString).bytes) {
      let host = ("host" as StaticString).bytes
      if let status = framing.read(name: host, value: value) { return status }
      append(host, value)
      authority = fields.last.map { Int($0.value.lowerBound)..<Int($0.value.upperBound) }
    } else {
      return 400
    }
    return nil
  }

  private static let schemes: [StaticString] = ["https", "http"]
  /// Fields that belong to a connection of HTTP/1.1, not to a message (RFC 9113, section 8.2.2).
  private static let forbidden: [StaticString] = [
    "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade",
  ]

  private mutating func readField(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> Int? {
    noteComparison()
    hasFields = true
    guard !name.isEmpty, name.allSatisfy({ ByteSet.token.contains($0) && lowercased($0) == $0 }),
      value.allSatisfy(isFieldValueByte), !isBlank(value.first), !isBlank(value.last),
      !Self.forbidden.contains(where: { name.elementsEqual($0.bytes) })
    else { return 400 }
    switch name.count {
    case 2 where name.elementsEqual(("te" as StaticString).bytes):
      guard value.elementsEqual(("trailers" as StaticString).bytes) else { return 400 }
    case 4 where name.elementsEqual(("host" as StaticString).bytes):
      if let authority {
        // Said twice, it must be the same, and is kept once.
        let same = bytes[authority].lazy.map(lowercased).elementsEqual(value.lazy.map(lowercased))
        return same ? nil : 400
      }
    case 6 where isCookie(name):
      readCookie(value)
      return nil
    default: break
    }
    if let status = framing.read(name: name, value: value) { return status }
    append(name, value)
    return nil
  }

  private func isCookie(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    name.elementsEqual(("cookie" as StaticString).bytes)
  }

  private mutating func readCookie(_ value: UnsafeBufferPointer<UInt8>) {
    if !cookie.isEmpty { cookie += [UInt8(ascii: ";"), UInt8(ascii: " ")] }
    cookie += value
  }

  private mutating func append(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
    // INVARIANT: what is appended is bounded by the limit on the head, far below 2^32.
    let start = UInt32(bytes.count)
    bytes += name
    let middle = UInt32(bytes.count)
    bytes += value
    fields.append(Headers.Field(name: start..<middle, value: middle..<UInt32(bytes.count)))
  }

  private func isBlank(_ byte: UInt8?) -> Bool { byte == 0x20 || byte == 0x09 }
}
