import GatehousePrimitives
import GatehouseRuntime

/// The pages that a request may come from.
struct WelcomeOrigins: Sendable {
  /// Addresses of this server's own pages.
  let own: [String]
  /// The origins of others, as browsers spell them.
  var others: [String] = []
  /// Whether the request of a program, which comes from no page, is welcome as well.
  var admitsPrograms = false

  /// Whether a request is welcome. Browsers say where it comes from: by its origin, or, where that is withheld, by its
  /// site.
  func admit(_ request: Request) -> Bool {
    guard let origin = request.headers.single("origin"), origin != "null" else {
      let site = request.headers.single("sec-fetch-site")
      let isFromNoPage = !request.headers.contains("origin") && (site == nil || site == "none")
      // GUARD: csrf: a form without an origin says its site
      return site == "same-origin" || (admitsPrograms && isFromNoPage)
    }
    // GUARD: csrf: of this origin
    return isOwn(origin) || others.contains { $0.utf8.elementsEqual(origin.utf8) }
  }

  private func isOwn(_ field: String) -> Bool {
    guard let origin = WebOrigin(field) else { return false }
    return own.contains { WebOrigin(of: $0) == origin }
  }
}
