/// The answer to a sign-up: a session; or, where the tenant hides which addresses exist, only the next step.
package enum SignUpAnswer: Codable, Hashable, Sendable {
  /// The account exists and is signed in (201).
  case signedIn(SessionAnswer)
  /// A mail was sent to the address, free or taken (202). The mail's code completes the sign-up of this id, and no
  /// other one.
  case pending(next: [String], requirements: [AccessRequirement]?, signUpID: String)

  enum CodingKeys: CodingKey { case accessToken, next, requirements, signUpID }

  /// Reads either shape.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if container.contains(.accessToken) {
      self = .signedIn(try SessionAnswer(from: decoder))
    } else {
      self = .pending(
        next: try container.decode([String].self, forKey: .next),
        requirements: try container.decodeIfPresent([AccessRequirement].self, forKey: .requirements),
        signUpID: try container.decode(String.self, forKey: .signUpID))
    }
  }

  /// Writes either shape.
  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .signedIn(let session): try session.encode(to: encoder)
    case .pending(let next, let requirements, let signUpID):
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(next, forKey: .next)
      try container.encodeIfPresent(requirements, forKey: .requirements)
      try container.encode(signUpID, forKey: .signUpID)
    }
  }
}
