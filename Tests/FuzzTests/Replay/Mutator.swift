/// Changed copies of a corpus, always the same ones for a seed.
struct Mutator {
  private var state: UInt64
  private let corpus: [[UInt8]]

  /// Pieces that parsers look for.
  private static let pieces: [[UInt8]] = [
    "\r\n", "\n", "\r", " ", "\t", "\0", ":", ",", ";", "=", "&", "%", "+", "\"", "\\", "{", "}", "[", "]", ".", "-",
    "0",
    "9", "ffffff", "18446744073709551616", "chunked", "Transfer-Encoding: chunked\r\n", "Content-Length: 1\r\n",
    "\r\n\r\n",
    "HTTP/1.1", "\\ud800", "\\u0000", "for=", "::ffff:", "- ", "? ", "&a", "*a", "!!", "---\n", "#", "|\n",
  ].map { Array($0.utf8) }

  init(seed: UInt64, corpus: [[UInt8]]) {
    state = seed
    self.corpus = corpus
  }

  /// One to four changes of one file.
  mutating func next() -> [UInt8] {
    var bytes = corpus[below(corpus.count)]
    for _ in 0...below(4) { change(&bytes) }
    return Array(bytes.prefix(70_000))
  }

  private mutating func change(_ bytes: inout [UInt8]) {
    let target = below(bytes.count + 1)
    let end = min(bytes.count, target + 1 + below(16))
    switch below(7) {
    case 0 where target < bytes.count: bytes[target] = UInt8(below(256))
    case 1 where target < bytes.count: bytes[target] ^= 1 << UInt8(below(8))
    case 2: bytes.removeSubrange(target..<max(target, end))
    case 3: bytes.insert(contentsOf: bytes[target..<max(target, end)], at: target)
    case 4: bytes.insert(contentsOf: Mutator.pieces[below(Mutator.pieces.count)], at: target)
    case 5:
      let other = corpus[below(corpus.count)]
      bytes = Array(bytes[..<target] + other[below(other.count + 1)...])
    default: bytes.insert(UInt8(below(256)), at: target)
    }
  }

  /// SplitMix64, bounded.
  private mutating func below(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
  }
}
