import GatehousePrimitives

/// The evidence that a form needs before a page does anything: that it was made for this browser, and is not too old.
enum FormGate {
  enum Verdict {
    case good
    /// The page was open for longer than its form can be sent.
    case old
    /// The browser keeps no cookies.
    case noCookies
    case forged
  }

  /// The browser for which the forms of a page are made, by the form token that they carry.
  enum Maker {
    /// The session's; nil without one.
    case session(String?)
    /// That of the browser's key, for one flow.
    case flow(String, isKnown: Bool, isFresh: Bool)
  }

  /// The cookies of the pages that a request brought.
  enum CookieState {
    case there
    /// None, in a form that one of our own pages sent for the first time: they end with time.
    case over
    case missing
  }

  static func verdict(_ token: String, from maker: Maker, _ cookies: CookieState) -> Verdict {
    switch cookies {
    case .there: break
    case .over: return .old
    case .missing: return .noCookies
    }
    switch maker {
    case .session(let expected):
      // GUARD: csrf: of this session
      return equal(token, expected) ? .good : .forged
    case .flow(let expected, let isKnown, let isFresh):
      // The flow of a form does not open where the browser has lost its key since, and has another one.
      guard isKnown else { return .old }
      // GUARD: csrf: of this flow
      guard equal(token, expected) else { return .forged }
      // GUARD: csrf: within its time
      return isFresh ? .good : .old
    }
  }

  private static func equal(_ token: String, _ expected: String?) -> Bool {
    guard let expected else { return false }
    return ConstantTime.equal(Array(token.utf8), Array(expected.utf8))
  }
}
