/// The bytes with which a proxy names its client before anything else: the PROXY protocol, version 2 (HAProxy's
/// proxy-protocol.txt, section 2.2). The text of version 1 is refused: it has no length and no room for more.
struct ProxyHeader: Equatable {
  /// Signature, command, family and length.
  static let fixedBytes = 16
  /// The longest header that is read, with its additions (TLVs), which are skipped.
  static let maximumBytes = 536

  enum Step: Equatable {
    /// At least this many bytes are missing.
    case more(Int)
    case header(ProxyHeader)
    case refused
  }

  /// The client that opened the connection to the proxy; nil where the proxy speaks for itself (a health check) or does
  /// not know.
  let client: PeerAddress?

  /// Reads what came so far; `bytes` begin with the connection's first byte and hold nothing behind the header.
  static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> Step {
    guard zip(bytes, signature).allSatisfy(==) else { return .refused }
    guard bytes.count >= fixedBytes else { return .more(fixedBytes - bytes.count) }
    let length = Int(bytes[14]) << 8 | Int(bytes[15])
    guard length <= maximumBytes - fixedBytes else { return .refused }
    let missing = fixedBytes + length - bytes.count
    guard missing <= 0 else { return .more(missing) }
    guard missing == 0 else { return .refused }
    let block = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[fixedBytes...])
    switch bytes[12] {
    // LOCAL: valid with any block, which is thrown away.
    case 0x20: return .header(ProxyHeader(client: nil))
    case 0x21: return client(family: bytes[13], block)
    default: return .refused
    }
  }

  /// The source address of a PROXY command. Datagrams are what a proxy received (QUIC), not what it speaks to us.
  private static func client(family: UInt8, _ block: UnsafeRawBufferPointer) -> Step {
    switch family {
    case 0x00: return .header(ProxyHeader(client: nil))
    case 0x11, 0x12:
      guard block.count >= 12 else { return .refused }
      return .header(ProxyHeader(client: .ipv4(bigEndian(block, 0), port: bigEndian(block, 8))))
    case 0x21, 0x22:
      guard block.count >= 36 else { return .refused }
      let client = PeerAddress(high: bigEndian(block, 0), low: bigEndian(block, 8), port: bigEndian(block, 32))
      return .header(ProxyHeader(client: client))
    case 0x31, 0x32:
      // A client on the proxy's machine, over a unix socket: without an address to count by.
      return block.count >= 216 ? .header(ProxyHeader(client: nil)) : .refused
    default: return .refused
    }
  }

  private static func bigEndian<Word: FixedWidthInteger & BitwiseCopyable>(
    _ block: UnsafeRawBufferPointer, _ offset: Int
  ) -> Word {
    Word(bigEndian: block.loadUnaligned(fromByteOffset: offset, as: Word.self))
  }

  private static let signature: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A]
}
