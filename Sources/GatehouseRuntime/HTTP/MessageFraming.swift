/// The framing of a message by the fields of its head: its length, and the fate of the connection (RFC 9112, sections
/// 3.2, 6 and 9). Anything two readers could understand differently is refused.
struct MessageFraming {
  enum Body: Equatable { case none, length(Int), chunked }

  /// HTTP/1.1; otherwise HTTP/1.0.
  private(set) var isVersion11 = true
  private(set) var expectsContinue = false
  private var hosts = 0
  private var contentLength: Int?
  private var isChunked = false
  private var closes = false
  private var keeps = false

  /// Whether the peer wants to keep the connection.
  var keepsAlive: Bool { !closes && (isVersion11 || keeps) }

  var body: Body {
    if isChunked { return .chunked }
    guard let contentLength, contentLength > 0 else { return .none }
    return .length(contentLength)
  }

  /// Reads eight bytes of `HTTP/d.d`; a status if they are refused.
  mutating func readVersion(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    let prefix: StaticString = "HTTP/"
    guard bytes.count == 8, UnsafeBufferPointer(rebasing: bytes[..<5]).elementsEqual(prefix.bytes),
      isDigit(bytes[5]), bytes[6] == UInt8(ascii: "."), isDigit(bytes[7])
    else { return 400 }
    guard bytes[5] == UInt8(ascii: "1"), bytes[7] <= UInt8(ascii: "1") else { return 505 }
    isVersion11 = bytes[7] == UInt8(ascii: "1")
    return nil
  }

  /// Reads one field; a status if it is refused.
  mutating func read(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) -> Int? {
    noteComparison()
    switch name.count {
    case 4 where name.equalsIgnoringCase("host"): return readHost(value)
    case 6 where name.equalsIgnoringCase("expect"): return readExpect(value)
    case 10 where name.equalsIgnoringCase("connection"): readConnection(value)
    case 14 where name.equalsIgnoringCase("content-length"): return readContentLength(value)
    case 17 where name.equalsIgnoringCase("transfer-encoding"): return readTransferEncoding(value)
    default: break
    }
    return nil
  }

  /// The last word once every field was read; a status if the head is refused.
  func verdict(bodyLimit: Int) -> Int? {
    // GUARD: head: one Host
    guard hosts == 1 || (hosts == 0 && !isVersion11) else { return 400 }
    // GUARD: head: no length beside chunks
    guard !(isChunked && contentLength != nil) else { return 400 }
    // GUARD: body: its size
    guard (contentLength ?? 0) <= bodyLimit else { return 413 }
    return nil
  }

  private mutating func readHost(_ value: UnsafeBufferPointer<UInt8>) -> Int? {
    hosts += 1
    guard hosts == 1, !value.isEmpty,
      value.allSatisfy(ByteSet.authority.contains)  // GUARD: head: characters of a Host
    else { return 400 }
    return nil
  }

  private mutating func readExpect(_ value: UnsafeBufferPointer<UInt8>) -> Int? {
    // An HTTP/1.0 client does not know this field (RFC 9110, section 10.1.1).
    guard isVersion11 else { return nil }
    guard value.equalsIgnoringCase("100-continue") else { return 417 }
    expectsContinue = true
    return nil
  }

  private mutating func readConnection(_ value: UnsafeBufferPointer<UInt8>) {
    for part in value.split(separator: UInt8(ascii: ",")) {
      let option = UnsafeBufferPointer(rebasing: part).trimmed
      if option.equalsIgnoringCase("close") { closes = true }
      if option.equalsIgnoringCase("keep-alive") { keeps = true }
    }
  }

  private mutating func readContentLength(_ value: UnsafeBufferPointer<UInt8>) -> Int? {
    // A second one is refused even when equal: a client that sends two does not know which counts.
    guard
      contentLength == nil,  // GUARD: head: one Content-Length
      !value.isEmpty,
      value.allSatisfy(isDigit)  // GUARD: head: Content-Length is digits
    else { return 400 }
    // Ten digits fit any number we could accept; a longer one is too large, or odd enough to be a trick.
    guard value.count <= 10 else { return value[0] == UInt8(ascii: "0") ? 400 : 413 }
    contentLength = value.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    return nil
  }

  private mutating func readTransferEncoding(_ value: UnsafeBufferPointer<UInt8>) -> Int? {
    // GUARD: head: chunked and nothing else
    guard value.equalsIgnoringCase("chunked") else { return 501 }
    // GUARD: head: chunked once, and not in HTTP/1.0
    guard !isChunked && isVersion11 else { return 400 }
    isChunked = true
    return nil
  }
}

@inline(__always)
private func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

extension StaticString {
  /// The UTF-8 bytes, valid for ever.
  var bytes: UnsafeBufferPointer<UInt8> {
    // SAFETY: a literal with more than one scalar is stored as a pointer to constant memory.
    UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Compares ASCII; `text` is in lower case.
  fileprivate func equalsIgnoringCase(_ text: StaticString) -> Bool {
    let other = text.bytes
    guard count == other.count else { return false }
    for index in 0..<count where lowercased(self[index]) != other[index] { return false }
    return true
  }

  /// Without spaces and tabs at either end.
  fileprivate var trimmed: UnsafeBufferPointer<UInt8> {
    var range = startIndex..<endIndex
    while let first = range.first, self[first] == 0x20 || self[first] == 0x09 { range.removeFirst() }
    while let last = range.last, self[last] == 0x20 || self[last] == 0x09 { range.removeLast() }
    return UnsafeBufferPointer(rebasing: self[range])
  }
}
