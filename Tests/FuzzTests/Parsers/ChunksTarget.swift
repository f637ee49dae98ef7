@testable import GatehouseRuntime

extension FuzzTarget {
  /// A chunked body: the same in whatever pieces it comes, never beyond the limit, and the same data when it is chunked
  /// anew.
  static let chunks = FuzzTarget(name: "chunks") { bytes in
    let whole = Decoded([bytes[...]])
    if Decoded(bytes.halves) != whole { return "read differently in two pieces" }
    if bytes.count <= 512, Decoded(bytes.singles) != whole { return "read differently byte by byte" }
    if whole.body.count > Decoded.limit { return "more data than the limit" }
    if whole.body.count > bytes.count { return "more data than bytes" }
    guard whole.step == .complete else { return nil }
    var anew: [UInt8] = []
    for start in stride(from: 0, to: whole.body.count, by: 7) {
      let piece = whole.body[start..<min(start + 7, whole.body.count)]
      anew += Array("\(piece.count)\r\n".utf8) + piece + Array("\r\n".utf8)
    }
    let again = Decoded([(anew + Array("0\r\n\r\nrest".utf8))[...]])
    if again.step != .complete || again.body != whole.body { return "not the same data when chunked anew" }
    return again.used == anew.count + 5 ? nil : "took bytes behind the end"
  }
}

private struct Decoded: Equatable {
  static let limit = 4096
  var step = ChunkedDecoder.Step.more
  var body: [UInt8] = []
  var used = 0

  init(_ pieces: [ArraySlice<UInt8>]) {
    var decoder = ChunkedDecoder()
    for piece in pieces where step == .more {
      var cursor = 0
      step = Array(piece).withUnsafeBufferPointer {
        decoder.decode($0, &cursor, into: &body, limit: Decoded.limit)
      }
      used += cursor
    }
  }
}
