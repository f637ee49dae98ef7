/// One received request, whole and within the limits.
package struct Request: Sendable {
  package let method: Method
  /// The path as received, still percent-encoded; every `%` in it is followed by two hexadecimal digits. `*` for
  /// `OPTIONS *`; host and port for CONNECT.
  package let path: String
  package let headers: Headers
  package let body: [UInt8]
  /// Who is at the other end of the connection.
  package let peer: PeerAddress
  /// Whether the connection is encrypted.
  package let isSecure: Bool
  private let target: RequestTarget

  /// `path` is that of the target.
  init(
    method: Method, target: RequestTarget, path: String, headers: Headers, body: [UInt8], peer: PeerAddress,
    isSecure: Bool
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.peer = peer
    self.isSecure = isSecure
    self.path = path
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
      method: method, target: target, path: target.path(of: line), headers: complete, body: body, peer: peer,
      isSecure: isSecure)
  }

  /// The request target exactly as received.
  package var rawTarget: String { String(decoding: headers.bytes[target.whole], as: UTF8.self) }

  /// What follows the first `?`, still encoded; nil without a `?`, empty with nothing after it.
  package var query: String? { target.query.map { String(decoding: headers.bytes[$0], as: UTF8.self) } }

  /// Host and optional port the request is for, as sent; nil only for HTTP/1.0 without a Host field.
  package var host: String? { headers["host"] }
}
