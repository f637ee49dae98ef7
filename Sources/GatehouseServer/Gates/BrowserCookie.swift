import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseRuntime

/// The cookie by which the browser that began a flow with a provider is known when it comes back: unreadable for
/// scripts, for this host alone. It identifies no user and grants no access; without it, no client can finish what the
/// browser began.
struct BrowserCookie {
  let tenant: TenantName
  let isSecure: Bool

  /// Seconds: as long as a flow.
  private static let age = 900

  private var name: String { SetCookie.name("gh.\(tenant).browser", isSecure: isSecure) }

  /// The token for the browser to hold: the one it brought (several flows may be under way), or a new one.
  func token(_ request: Request) -> String {
    presented(request) ?? OpaqueToken.generate(.flow).text.expose { $0 }
  }

  /// The token that the browser brought; nil unless it has the form of a token made here.
  func presented(_ request: Request) -> String? {
    Cookies(request)[name].flatMap { OpaqueToken.digest(of: $0, kind: .flow) == nil ? nil : $0 }
  }

  func setting(_ token: String) -> SetCookie {
    SetCookie(name: name, value: token, age: Self.age, isSecure: isSecure)
  }

  /// Whether a request that wants this cookie comes from the tenant's own pages or apps, or from no page at all.
  static func isWelcome(_ request: Request, _ tenant: TenantSnapshot) -> Bool {
    var origins = tenant.origins
    origins.others = tenant.policy.app.origins
    origins.admitsPrograms = true
    return origins.admit(request)
  }
}
