/// The part of a request before its body. Made once and only read: one reference, through any number of hands.
final class RequestHead: Sendable {
  let method: Method
  let target: RequestTarget
  /// That of the target, as received.
  let path: String
  let headers: Headers

  /// `target` are ranges of the bytes of `headers`.
  init(method: Method, target: RequestTarget, headers: Headers) {
    self.method = method
    self.target = target
    self.headers = headers
    path = target.path(of: headers.bytes)
  }
}
