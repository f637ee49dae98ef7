import GatehousePrimitives

/// What a form has to show before a page does anything: that it was made for this browser, and is not too old.
enum FormGate {
  enum Verdict {
    case good
    /// The page was open for longer than its form can be sent.
    case old
    /// The browser keeps no cookies.
    case noCookies
    case forged
  }

  /// The secret of a browser for which the forms of a page are made, by the proof of it that they carry.
  enum Maker {
    /// The session's; nil without one.
    case session(String?)
    /// That of the browser's key, for one flow.
    case flow(String, isKnown: Bool, isFresh: Bool)
  }

  static func verdict(_ proof: String, from maker: Maker, hasCookies: Bool) -> Verdict {
    guard hasCookies else { return .noCookies }
    switch maker {
    case .session(let expected):
      // GUARD: csrf: of this session
      return equal(proof, expected) ? .good : .forged
    case .flow(let expected, let isKnown, let isFresh):
      // The flow of a form does not open where the browser has lost its key since, and has another one.
      guard isKnown else { return .old }
      // GUARD: csrf: of this flow
      guard equal(proof, expected) else { return .forged }
      // GUARD: csrf: within its time
      return isFresh ? .good : .old
    }
  }

  private static func equal(_ proof: String, _ expected: String?) -> Bool {
    guard let expected else { return false }
    return ConstantTime.equal(Array(proof.utf8), Array(expected.utf8))
  }
}
