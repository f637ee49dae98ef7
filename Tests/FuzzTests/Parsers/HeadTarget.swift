@testable import GatehouseRuntime

extension FuzzTarget {
  /// Requests on one connection, heads and bodies: the same verdict in whatever pieces they come, nothing beyond the
  /// limits, and whatever was accepted means the same once more when it is written out again.
  static let head = FuzzTarget(name: "head") { bytes in
    let whole = Exchange([bytes[...]])
    if Exchange(bytes.halves) != whole { return "read differently in two pieces" }
    if bytes.count <= 512, Exchange(bytes.singles) != whole { return "read differently byte by byte" }
    // The shortest request has 18 bytes: `A / HTTP/1.0`, and two ends of lines.
    if whole.requests.count > bytes.count / 16 { return "more requests than bytes could hold" }
    for request in whole.requests {
      if let problem = request.problem { return problem }
      let again = Exchange([(request.written + request.written)[...]])
      if again.refused != nil || again.requests != [request, request] {
        return "means something else when it is repeated"
      }
    }
    return nil
  }
}

/// What a stream of bytes amounts to.
private struct Exchange: Equatable {
  struct Request: Equatable {
    let method: String
    let target: [UInt8]
    let fields: [[UInt8]]
    let body: [UInt8]
    let keepsAlive: Bool
    let isVersion11: Bool
    let isChunked: Bool

    init(_ parsed: RequestParser.Parsed) {
      method = "\(parsed.head.method)"
      target = Array(parsed.head.headers.bytes[parsed.head.target.whole])
      fields = parsed.head.headers.pairs.map { Array($0.name.utf8) + Array(": ".utf8) + Array($0.value.utf8) }
      body = parsed.body
      keepsAlive = parsed.keepsAlive
      isVersion11 = parsed.isVersion11
      isChunked = parsed.head.headers.contains("transfer-encoding")
    }

    var problem: String? {
      let limits = HTTPLimits()
      if body.count > limits.bodyBytes { return "a body beyond the limit" }
      if fields.count > limits.fields { return "more fields than the limit" }
      if target.isEmpty || target.count > limits.targetBytes { return "a target beyond the limits" }
      if target.contains(where: { $0 <= 0x20 || $0 >= 0x7F }) { return "a target with a byte that must be escaped" }
      let lineEnds: Set<UInt8> = [0x0D, 0x0A, 0]
      if fields.contains(where: { $0.contains(where: lineEnds.contains) }) { return "a field with a line's end in it" }
      return nil
    }

    /// The request as bytes, from its parts alone.
    var written: [UInt8] {
      var bytes = Array(method.utf8) + [0x20] + target
      bytes += Array(" HTTP/1.\(isVersion11 ? 1 : 0)\r\n".utf8)
      for field in fields { bytes += field + Array("\r\n".utf8) }
      bytes += Array("\r\n".utf8)
      guard isChunked else { return bytes + body }
      if !body.isEmpty {
        bytes += Array((String(body.count, radix: 16) + "\r\n").utf8) + body + Array("\r\n".utf8)
      }
      return bytes + Array("0\r\n\r\n".utf8)
    }
  }

  var requests: [Request] = []
  var refused: Int?

  init(_ pieces: [ArraySlice<UInt8>]) {
    var parser = RequestParser(limits: HTTPLimits())
    for piece in pieces where refused == nil {
      piece.withUnsafeBufferPointer { parser.append($0) }
      asking: while true {
        switch parser.next() {
        case .more: break asking
        case .refused(let status):
          refused = status
          break asking
        case .request(let parsed): requests.append(Request(parsed))
        }
      }
    }
  }
}
