/// The place of a request in a trace, as `traceparent` says it (W3C Trace Context, 23 November 2021, section 3.2).
package struct TraceParent: Sendable, Hashable {
  /// Not zero as a whole.
  package let traceID: TraceID
  /// The span that asks; not zero.
  package let spanID: SpanID
  /// Whether the caller records the trace.
  package let isSampled: Bool

  package init(traceID: TraceID, spanID: SpanID, isSampled: Bool) {
    (self.traceID, self.spanID, self.isSampled) = (traceID, spanID, isSampled)
  }

  /// The length of a field of version 00.
  private static let length = 55

  /// Reads the value of the one field of this name; nil where it is malformed, which counts as if there were none. Of a
  /// version above 00 the parts that version 00 has are read, and what follows them after a `-` is left.
  package init?(_ field: String) {
    let text = Array(field.utf8)
    guard text.count >= Self.length, text[2] == 0x2D, text[35] == 0x2D, text[52] == 0x2D,
      let version = Hexadecimal.lowercase(text[0..<2]), version != 0xFF,
      version == 0 ? text.count == Self.length : text.count == Self.length || text[Self.length] == 0x2D,
      let high = Hexadecimal.lowercase(text[3..<19]), let low = Hexadecimal.lowercase(text[19..<35]),
      let span = Hexadecimal.lowercase(text[36..<52]), let flags = Hexadecimal.lowercase(text[53..<55]),
      let traceID = TraceID(high: high, low: low), let spanID = SpanID(span)
    else { return nil }
    self.init(traceID: traceID, spanID: spanID, isSampled: flags & 1 == 1)
  }

  /// The value of the field for a request further on: version 00, and of the flags the one that this version knows.
  package var field: String { "00-\(traceID.text)-\(spanID.text)-\(isSampled ? "01" : "00")" }
}

/// The name of a trace: 128 bits that are not all zero.
package struct TraceID: Sendable, Hashable {
  package let high: UInt64
  package let low: UInt64

  package init?(high: UInt64, low: UInt64) {
    guard high != 0 || low != 0 else { return nil }
    (self.high, self.low) = (high, low)
  }

  /// A name that no other trace has. Names have to differ, not to be hard to guess.
  package static func fresh() -> TraceID {
    var source = SystemRandomNumberGenerator()
    return TraceID(high: source.next(), low: source.next()) ?? fresh()
  }

  /// 32 hexadecimal digits in lower case.
  package var text: String { Hexadecimal.text(high) + Hexadecimal.text(low) }
}

/// The name of a span within its trace: 64 bits that are not all zero.
package struct SpanID: Sendable, Hashable {
  package let bits: UInt64

  package init?(_ bits: UInt64) {
    guard bits != 0 else { return nil }
    self.bits = bits
  }

  package static func fresh() -> SpanID {
    SpanID(UInt64.random(in: 1 ... .max)) ?? fresh()
  }

  /// 16 hexadecimal digits in lower case.
  package var text: String { Hexadecimal.text(bits) }
}

/// Numbers as hexadecimal digits of lower case, the only ones that the fields of a trace have.
enum Hexadecimal {
  private static let digits = Array("0123456789abcdef".utf8)

  /// Nil for a byte that is none of the digits. At most 16 of them.
  static func lowercase(_ text: ArraySlice<UInt8>) -> UInt64? {
    var number: UInt64 = 0
    for byte in text {
      switch byte {
      case 0x30...0x39: number = number << 4 | UInt64(byte - 0x30)
      case 0x61...0x66: number = number << 4 | UInt64(byte - 0x57)
      default: return nil
      }
    }
    return number
  }

  /// All 16 digits.
  static func text(_ number: UInt64) -> String {
    String(
      decoding: (0..<16).map { digits[Int(truncatingIfNeeded: number >> UInt64(60 - 4 * $0)) & 15] }, as: UTF8.self)
  }
}
