import GatehousePrimitives
import GatehouseRuntime

/// The cookie that every visitor of the pages gets: a name for the browser, and the key to the flows that its pages
/// carry. It has one name for all pages of a host, and at most 600 bytes for every link, so that no number of
/// links fills what a browser sends. It grants no access.
struct FlowKey: Sendable {
  /// The name, with the prefix of `SetCookie.name`.
  static let name = "gh.flow"
  /// Bytes of name and value.
  static let largest = 600
  /// Seconds for which the cookie stays: a form of yesterday is told as old, not as one of a browser without cookies.
  private static let age = 86_400

  let token: String
  /// SHA-256 of the token: flows are sealed for it.
  let digest: [UInt8]
  private let isSecure: Bool
  /// Whether the browser brought the cookie at all.
  let isThere: Bool
  /// The flow that waits for a mail, as a page carries it: the mail's link opens in a tab that has no flow.
  private(set) var waiting: String?

  /// The key of a request, or a new one.
  init(_ request: Request, isSecure: Bool) {
    self.isSecure = isSecure
    let text = Cookies(request)[SetCookie.name(Self.name, isSecure: isSecure)]
    isThere = text != nil
    let parts = (text ?? "").utf8.split(separator: UInt8(ascii: "."), maxSplits: 1).map { String(Substring($0)) }
    if let token = parts.first, let digest = OpaqueToken.digest(of: token, kind: .flow) {
      self.token = token
      self.digest = digest
      waiting = parts.count == 2 ? parts[1] : nil
    } else {
      let made = OpaqueToken.generate(.flow)
      token = made.text.expose { $0 }
      digest = made.digest
    }
  }

  /// The name of the key, by which a form says for which key its flow was sealed.
  var mark: String { Base64URL.encode(digest) }

  /// The form token of the forms that are made for the browser with this key.
  var formToken: String { Base64URL.encode(SHA256.digest("form " + token)) }

  /// Remembers a flow that waits for a mail, where there is room for it. Nil forgets.
  mutating func wait(for flow: String?) {
    waiting = flow
    if size > Self.largest { waiting = nil }
  }

  private var value: String { waiting.map { "\(token).\($0)" } ?? token }
  private var size: Int { SetCookie.name(Self.name, isSecure: isSecure).utf8.count + 1 + value.utf8.count }

  var cookie: SetCookie {
    SetCookie(
      name: SetCookie.name(Self.name, isSecure: isSecure), value: value, age: Self.age, isSecure: isSecure)
  }
}
