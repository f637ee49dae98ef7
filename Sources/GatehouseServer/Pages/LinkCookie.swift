import GatehouseIdentity
import GatehousePrimitives
import GatehouseRuntime

/// The cookie that carries a link's token from the first GET to the POST: unreadable for scripts, never sent from
/// elsewhere with a POST, gone after a quarter of an hour.
struct LinkCookie {
  let tenant: TenantName
  let page: LinkPage
  let isSecure: Bool

  /// Seconds.
  private static let age = 900

  private var name: String { SetCookie.name("gh.\(tenant).\(page.rawValue)", isSecure: isSecure) }

  func setting(_ token: String) -> SetCookie {
    SetCookie(name: name, value: token, age: Self.age, isSecure: isSecure)
  }

  func value(_ request: Request) -> String? {
    Cookies(request)[name].flatMap { page.mayHold($0) ? $0 : nil }
  }

  /// The form's proof that it was made for the holder of the cookie.
  static func proof(_ token: String) -> String { Base64URL.encode(SHA256.digest("form " + token)) }
}
