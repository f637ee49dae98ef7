import GatehouseIdentity
import GatehousePrimitives
import GatehouseRuntime

/// What a form has to show before a page does anything: that it was sent from this site, and made for this browser.
enum PageGate {
  enum Verdict {
    case good
    /// The page was open for longer than a form can be sent.
    case old
    /// The browser keeps no cookies.
    case noCookies
    case forged
  }

  /// Browsers say where a form comes from: by its origin, or, where that is withheld, by its site.
  static func isFromHere(_ request: Request, _ call: Call) -> Bool {
    guard let origin = request.headers.single("origin"), origin != "null" else {
      // GUARD: csrf: a form without an origin says its site
      return request.headers.single("sec-fetch-site") == "same-origin"
    }
    // GUARD: csrf: of this origin
    return call.tenant.isOrigin(origin)
  }

  static func verdict(_ proof: String, _ audience: PageAudience, _ visit: Visit) -> Verdict {
    guard visit.hasCookies else { return .noCookies }
    guard audience == .anyone else {
      // GUARD: csrf: of this session
      return equal(proof, visit.proof(audience)) ? .good : .forged
    }
    // The flow of a form does not open where the browser has lost its key since, and has another one.
    guard visit.isKnownFlow else { return .old }
    // GUARD: csrf: of this flow
    guard equal(proof, visit.proof(.anyone)) else { return .forged }
    // GUARD: csrf: within its time
    return visit.flow.isFresh(at: visit.call.now) ? .good : .old
  }

  private static func equal(_ proof: String, _ expected: String?) -> Bool {
    guard let expected else { return false }
    return ConstantTime.equal(Array(proof.utf8), Array(expected.utf8))
  }
}
