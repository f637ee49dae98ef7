/// A request target taken apart once (RFC 9112, section 3.2), as ranges of the head's bytes.
///
/// Origin-form is for every method but CONNECT. Absolute-form is accepted for `http` and `https`, as RFC 9112 3.2.2
/// demands; the parser further demands that its authority equal the Host field, where the RFC would ignore the field:
/// no proxy on the way can then have read another host than we did. Asterisk-form is for OPTIONS, authority-form for
/// CONNECT.
struct RequestTarget: Sendable {
  let whole: Range<Int>
  let path: Range<Int>
  let query: Range<Int>?
  /// The authority of an absolute-form or authority-form target.
  let authority: Range<Int>?

  /// Nil if the bytes (all of `ByteSet.target`) are in no form this method may have.
  init?(of bytes: some RandomAccessCollection<UInt8>, in whole: Range<Int>, for method: Method) {
    func byte(_ offset: Int) -> UInt8 { bytes[bytes.index(bytes.startIndex, offsetBy: offset)] }
    guard let first = whole.first else { return nil }
    self.whole = whole
    if method == .connect {
      guard whole.allSatisfy({ ByteSet.authority.contains(byte($0)) }) else { return nil }
      (path, query, authority) = (whole, nil, whole)
      return
    }
    if byte(first) == UInt8(ascii: "*") {
      guard method == .options, whole.count == 1 else { return nil }
      (path, query, authority) = (whole, nil, nil)
      return
    }
    var start = whole.lowerBound
    var host: Range<Int>?
    if byte(first) != UInt8(ascii: "/") {
      guard let found = RequestTarget.authority(in: whole, byte) else { return nil }
      start = found.upperBound
      host = found
    }
    let mark = (start..<whole.upperBound).first { byte($0) == UInt8(ascii: "?") }
    let path = start..<(mark ?? whole.upperBound)
    // An absolute form without a path means `/` (RFC 9110, section 4.2.3), which these bytes do not hold: refused.
    guard !path.isEmpty, RequestTarget.escapesAreWhole(in: start..<whole.upperBound, byte) else { return nil }
    self.path = path
    query = mark.map { ($0 + 1)..<whole.upperBound }
    authority = host
  }

  /// The path as it was received, of the bytes this was taken from.
  func path(of bytes: [UInt8]) -> String { String(decoding: bytes[path], as: UTF8.self) }

  /// The authority of `http://authority/…` or `https://authority/…`.
  private static func authority(in whole: Range<Int>, _ byte: (Int) -> UInt8) -> Range<Int>? {
    for scheme: StaticString in ["http://", "https://"] {
      let length = scheme.utf8CodeUnitCount
      guard whole.count > length else { continue }
      let name = UnsafeBufferPointer(start: scheme.utf8Start, count: length)
      guard (0..<length).allSatisfy({ lowercased(byte(whole.lowerBound + $0)) == name[$0] }) else { continue }
      let start = whole.lowerBound + length
      let end = (start..<whole.upperBound).first { !ByteSet.authority.contains(byte($0)) } ?? whole.upperBound
      guard end > start, end < whole.upperBound, byte(end) == UInt8(ascii: "/") else { return nil }
      return start..<end
    }
    return nil
  }

  private static func escapesAreWhole(in range: Range<Int>, _ byte: (Int) -> UInt8) -> Bool {
    var index = range.lowerBound
    while index < range.upperBound {
      if byte(index) == UInt8(ascii: "%") {
        guard range.upperBound - index > 2, ByteSet.hexadecimal.contains(byte(index + 1)),
          ByteSet.hexadecimal.contains(byte(index + 2))
        else { return false }
        index += 2
      }
      index += 1
    }
    return true
  }
}
