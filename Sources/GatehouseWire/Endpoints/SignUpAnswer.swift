/// The answer to a sign-up: a session; or, where the tenant hides which addresses exist, only the next step.
package enum SignUpAnswer: Codable, Hashable, Sendable {
  /// The account exists and is signed in (201).
  case signedIn(SessionAnswer)
  /// A mail was sent to the address, free or taken (202).
  case pending(Pending)

  /// A sign-up that waits for the code of its mail.
  package struct Pending: Codable, Hashable, Sendable {
    package let next: [String]
    package let requirements: [AccessRequirement]?
    /// The mail's code completes the sign-up of this id, and no other one.
    package let signUpID: String

    package init(next: [String], requirements: [AccessRequirement]?, signUpID: String) {
      (self.next, self.requirements, self.signUpID) = (next, requirements, signUpID)
    }
  }

  private enum CodingKeys: CodingKey { case accessToken }

  /// Reads either shape.
  package init(from decoder: any Decoder) throws {
    let isSession = try decoder.container(keyedBy: CodingKeys.self).contains(.accessToken)
    self = isSession ? .signedIn(try SessionAnswer(from: decoder)) : .pending(try Pending(from: decoder))
  }

  /// Writes either shape.
  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .signedIn(let session): try session.encode(to: encoder)
    case .pending(let pending): try pending.encode(to: encoder)
    }
  }
}
