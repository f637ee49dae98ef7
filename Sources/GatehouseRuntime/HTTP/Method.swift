/// A request method (RFC 9110, section 9). Methods are case-sensitive.
package enum Method: Hashable, Sendable, CustomStringConvertible {
  case get, head, post, put, patch, delete, options, trace, connect
  /// Any other token, at most 32 bytes.
  case other(String)

  package init(_ name: String) {
    self =
      switch name {
      case "GET": .get
      case "HEAD": .head
      case "POST": .post
      case "PUT": .put
      case "PATCH": .patch
      case "DELETE": .delete
      case "OPTIONS": .options
      case "TRACE": .trace
      case "CONNECT": .connect
      default: .other(name)
      }
  }

  package var description: String {
    switch self {
    case .get: "GET"
    case .head: "HEAD"
    case .post: "POST"
    case .put: "PUT"
    case .patch: "PATCH"
    case .delete: "DELETE"
    case .options: "OPTIONS"
    case .trace: "TRACE"
    case .connect: "CONNECT"
    case .other(let name): name
    }
  }
}
