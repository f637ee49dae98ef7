/// One received request, whole and within the limits.
package struct Request: Sendable {
  private let head: RequestHead
  package let body: [UInt8]
  /// The peer of the connection.
  package let peer: PeerAddress
  /// Whether the connection is encrypted.
  package let isSecure: Bool

  init(head: RequestHead, body: [UInt8], peer: PeerAddress, isSecure: Bool) {
    self.head = head
    self.body = body
    self.peer = peer
    self.isSecure = isSecure
  }

  /// A request that did not come over a connection. Nil if a server would refuse the target for this method.
  package init?(
    method: Method, target text: String, headers: Headers = Headers(), body: [UInt8] = [],
    peer: PeerAddress = .unix, isSecure: Bool = false
  ) {
    let line = Array(text.utf8)
    guard line.allSatisfy(ByteSet.target.contains),
      let target = RequestTarget(of: line, in: 0..<line.count, for: method)
    else { return nil }
    var complete = Headers(bytes: line, fields: [])
    for pair in headers.pairs { complete.add(pair.name, pair.value) }
    self.init(
      head: RequestHead(method: method, target: target, headers: complete), body: body, peer: peer, isSecure: isSecure)
  }

  package var method: Method { head.method }

  /// The path as received, still percent-encoded; every `%` in it is followed by two hexadecimal digits. `*` for
  /// `OPTIONS *`; host and port for CONNECT.
  package var path: String { head.path }

  package var headers: Headers { head.headers }

  /// The request target exactly as received.
  package var rawTarget: String { String(decoding: headers.bytes[head.target.whole], as: UTF8.self) }

  /// The part behind the first `?`, still encoded; nil without a `?`, empty with nothing after it.
  package var query: String? { head.target.query.map { String(decoding: headers.bytes[$0], as: UTF8.self) } }

  /// Host and optional port the request is for, as sent; nil only for HTTP/1.0 without a Host field.
  package var host: String? { headers["host"] }
}
