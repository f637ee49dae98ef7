import GatehouseIdentity
import GatehousePrimitives
import GatehouseRuntime

/// The cookie that carries a link's token from the first GET to the POST: unreadable for scripts, never sent from
/// elsewhere with a POST, gone after a quarter of an hour.
struct FlowCookie {
  let tenant: TenantName
  let page: LinkPage
  let isSecure: Bool

  /// Seconds.
  private static let age = 900

  private var name: String { SetCookie.name("gh.\(tenant).\(page.rawValue)", isSecure: isSecure) }

  func setting(_ token: String) -> SetCookie {
    SetCookie(name: name, value: token, age: Self.age, isSecure: isSecure)
  }

  /// Only what a token of ours consists of.
  static func mayHold(_ token: String) -> Bool {
    (1...128).contains(token.utf8.count)
      && token.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D
          || byte == 0x5F
      }
  }

  func value(_ request: Request) -> String? {
    Cookies(request)[name].flatMap { FlowCookie.mayHold($0) ? $0 : nil }
  }

  /// The form's proof that it was made for the holder of the cookie.
  static func proof(_ token: String) -> String { Base64URL.encode(SHA256.digest("form " + token)) }
}
