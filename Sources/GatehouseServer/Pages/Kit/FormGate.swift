import GatehousePrimitives

/// The evidence that a form needs before a page does anything: that it was made for this browser, and is not too old.
enum FormGate {
  enum Verdict {
    case good
    /// The page was open for longer than its form can be sent.
    case old
    /// The form is ours, and was made before the browser got another session or another key.
    case renewed
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

  /// The verdict on a form that comes from a page of this origin. `isOurs`: it carries a flow that this server sealed,
  /// for any key, so that a page of ours made it.
  static func verdict(
    _ token: String, from maker: Maker, _ cookies: CookieState, isOurs: Bool
  ) -> Verdict {
    // GUARD: csrf: a form that comes back is one of ours
    let other: Verdict = isOurs ? .renewed : .forged
    switch cookies {
    case .there: break
    case .over: return other
    case .missing: return .noCookies
    }
    switch maker {
    case .session(let expected):
      // GUARD: csrf: of this session
      return equal(token, expected) ? .good : other
    case .flow(let expected, let isKnown, let isFresh):
      // The flow of a form does not open where the browser has lost its key since, and has another one.
      guard isKnown else { return other }
      // GUARD: csrf: of this flow
      guard equal(token, expected) else { return other }
      // GUARD: csrf: within its time
      return isFresh ? .good : .old
    }
  }

  private static func equal(_ token: String, _ expected: String?) -> Bool {
    guard let expected else { return false }
    return ConstantTime.equal(Array(token.utf8), Array(expected.utf8))
  }
}
