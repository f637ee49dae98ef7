import CNGHTTP2

/// One frame of HTTP/2 as it goes over the wire (RFC 9113, section 4), made by hand: tests send what no library would.
struct Frame: Equatable {
  enum Kind: UInt8 {
    case data, headers, priority, resetStream, settings, pushPromise, ping, goAway, windowUpdate, continuation
    case unknown = 0xF7
  }

  static let endStream: UInt8 = 1
  static let acknowledge: UInt8 = 1
  static let endHeaders: UInt8 = 4

  var kind: Kind
  var flags: UInt8 = 0
  var stream: UInt32 = 0
  var payload: [UInt8] = []

  var bytes: [UInt8] {
    let length = payload.count
    let header: [UInt8] = [
      UInt8(length >> 16 & 255), UInt8(length >> 8 & 255), UInt8(length & 255), kind.rawValue, flags,
    ]
    return header + Frame.word(stream) + payload
  }

  static func word(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian, Array.init) }

  static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

  /// What every client sends first.
  static let greeting = preface + Frame(kind: .settings).bytes

  static func headers(_ stream: UInt32, _ fields: [(String, String)], end: Bool = true) -> Frame {
    Frame(
      kind: .headers, flags: endHeaders | (end ? endStream : 0), stream: stream,
      payload: fields.flatMap { literal(Array($0.0.utf8), Array($0.1.utf8)) })
  }

  static func get(_ stream: UInt32, _ path: String = "/", _ fields: [(String, String)] = []) -> Frame {
    headers(stream, request("GET", path) + fields)
  }

  static func request(_ method: String, _ path: String = "/") -> [(String, String)] {
    [(":method", method), (":scheme", "https"), (":authority", "x"), (":path", path)]
  }

  static func data(_ stream: UInt32, _ bytes: [UInt8], end: Bool = false) -> Frame {
    Frame(kind: .data, flags: end ? endStream : 0, stream: stream, payload: bytes)
  }

  static func reset(_ stream: UInt32, _ code: UInt32 = 8) -> Frame {
    Frame(kind: .resetStream, stream: stream, payload: word(code))
  }

  static func window(_ stream: UInt32, _ more: UInt32) -> Frame {
    Frame(kind: .windowUpdate, stream: stream, payload: word(more))
  }

  /// The window that each stream begins with.
  static func initialWindow(_ size: UInt32) -> Frame { Frame(kind: .settings, payload: [0, 4] + word(size)) }

  static let ping = Frame(kind: .ping, payload: [UInt8](repeating: 7, count: 8))

  /// A field that goes into no table, without Huffman's code (RFC 7541, section 6.2.2).
  static func literal(_ name: [UInt8], _ value: [UInt8]) -> [UInt8] {
    [0] + integer(name.count) + name + integer(value.count) + value
  }

  /// An integer behind seven bits of prefix (RFC 7541, section 5.1).
  private static func integer(_ number: Int) -> [UInt8] {
    guard number >= 127 else { return [UInt8(number)] }
    var rest = number - 127
    var bytes: [UInt8] = [127]
    while rest >= 128 {
      bytes.append(UInt8(rest % 128) | 128)
      rest /= 128
    }
    return bytes + [UInt8(rest)]
  }
}

/// Reads what a server sends.
final class FrameReader {
  /// What came on one stream.
  struct Answer: Equatable {
    var fields: [String: String] = [:]
    var interim: [String] = []
    var body: [UInt8] = []
    var isEnded = false
    var reset: UInt32?

    var status: Int? { fields[":status"].flatMap { Int($0) } }
    var text: String { String(decoding: body, as: UTF8.self) }
  }

  private var pending: [UInt8] = []
  private var inflater: OpaquePointer?
  private(set) var frames: [Frame] = []
  private(set) var answers: [UInt32: Answer] = [:]
  /// The codes of every GOAWAY, and the last stream each names.
  private(set) var goodbyes: [(last: UInt32, code: UInt32)] = []

  init() { nghttp2_hd_inflate_new(&inflater) }
  deinit { nghttp2_hd_inflate_del(inflater) }

  func add(_ bytes: [UInt8]) {
    pending += bytes
    while pending.count >= 9 {
      let length = Int(pending[0]) << 16 | Int(pending[1]) << 8 | Int(pending[2])
      guard pending.count >= 9 + length else { return }
      let frame = Frame(
        kind: Frame.Kind(rawValue: pending[3]) ?? .unknown, flags: pending[4], stream: Self.word(pending[5..<9]),
        payload: Array(pending[9..<(9 + length)]))
      pending.removeFirst(9 + length)
      frames.append(frame)
      take(frame)
    }
  }

  func count(_ kind: Frame.Kind, flags: UInt8 = 0) -> Int {
    frames.count { $0.kind == kind && $0.flags & flags == flags }
  }

  static func word(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }

  private func take(_ frame: Frame) {
    switch frame.kind {
    case .headers:
      var answer = answers[frame.stream] ?? Answer()
      let fields = inflate(frame.payload)
      if let status = fields[":status"], status.hasPrefix("1") {
        answer.interim.append(status)
      } else {
        answer.fields = fields
      }
      answers[frame.stream] = answer
    case .data: answers[frame.stream, default: Answer()].body += frame.payload
    case .resetStream: answers[frame.stream, default: Answer()].reset = Self.word(frame.payload[...])
    case .goAway:
      goodbyes.append((Self.word(frame.payload[..<4]), Self.word(frame.payload[4..<8])))
    default: break
    }
    if [.headers, .data].contains(frame.kind), frame.flags & Frame.endStream != 0 {
      answers[frame.stream]?.isEnded = true
    }
  }

  private func inflate(_ block: [UInt8]) -> [String: String] {
    var fields: [String: String] = [:]
    var rest = block
    var flags: Int32 = 0
    while flags & Int32(NGHTTP2_HD_INFLATE_FINAL.rawValue) == 0 {
      var pair = nghttp2_nv()
      flags = 0
      let used = nghttp2_hd_inflate_hd2(inflater, &pair, &flags, rest, rest.count, 1)
      guard used >= 0 else { return ["broken": "\(used)"] }
      rest.removeFirst(used)
      if flags & Int32(NGHTTP2_HD_INFLATE_EMIT.rawValue) != 0 {
        let name = String(decoding: UnsafeBufferPointer(start: pair.name, count: pair.namelen), as: UTF8.self)
        fields[name] = String(decoding: UnsafeBufferPointer(start: pair.value, count: pair.valuelen), as: UTF8.self)
      }
    }
    nghttp2_hd_inflate_end_headers(inflater)
    return fields
  }
}
