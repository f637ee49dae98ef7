/// A chunked body (RFC 9112, section 7.1) without extensions and without trailers, which no client needs here and which
/// are read differently by different servers. Bytes may arrive in any pieces.
struct ChunkedDecoder {
  enum Step: Equatable { case more, complete, refused(Int) }

  private enum State { case size, sizeLineFeed, data, dataReturn, dataLineFeed, endReturn, endLineFeed }

  private var state = State.size
  private var digits = 0
  private var size = 0

  /// Takes what it can from `bytes`, starting at `cursor`, and appends the data to `body`, at most `limit` in all.
  mutating func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, _ cursor: inout Int, into body: inout [UInt8], limit: Int
  ) -> Step {
    while cursor < bytes.count {
      switch state {
      case .size:
        if let status = readSize(bytes[cursor], body.count, limit) { return .refused(status) }
        cursor += 1
      case .data:
        let count = min(size, bytes.count - cursor)
        body.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[cursor..<(cursor + count)]))
        cursor += count
        size -= count
        if size == 0 { state = .dataReturn }
      case .sizeLineFeed, .dataReturn, .dataLineFeed, .endReturn, .endLineFeed:
        // GUARD: chunks: line ends
        guard bytes[cursor] == awaited else { return .refused(400) }
        cursor += 1
        if state == .endLineFeed { return .complete }
        state = following
      }
    }
    return .more
  }

  private mutating func readSize(_ byte: UInt8, _ decoded: Int, _ limit: Int) -> Int? {
    if let digit = hexadecimalValue(byte) {
      // INVARIANT: six digits at most, so the size stays far below overflow.
      // GUARD: chunks: digits of a size
      guard digits < 6 else { return 400 }
      digits += 1
      size = size * 16 + digit
      return nil
    }
    // GUARD: chunks: no extensions
    guard byte == carriageReturn, digits > 0 else { return 400 }
    // GUARD: chunks: size of the body
    guard size <= limit - decoded else { return 413 }
    state = .sizeLineFeed
    return nil
  }

  private var awaited: UInt8 { state == .dataReturn || state == .endReturn ? carriageReturn : newLine }

  private var following: State {
    mutating get {
      switch state {
      case .sizeLineFeed: return size == 0 ? .endReturn : .data
      case .dataReturn: return .dataLineFeed
      case .endReturn: return .endLineFeed
      default:
        digits = 0
        return .size
      }
    }
  }
}
