/// A person's own record with their standing.
package struct MeAnswer: Codable, Hashable, Sendable {
  /// The person's record.
  package var user: User
  /// `full` or `limited`.
  package var access: String
  /// The steps that are missing for full access.
  package var next: [String]
  /// Each step of `next`, in its order, as a person reads it. Absent where nothing is missing, and from earlier
  /// servers.
  package var requirements: [AccessRequirement]?
  /// Steps that the person may take and that nothing waits for, such as `add_passkey`. Absent where there is none, and
  /// from earlier servers.
  package var offers: [String]?

  /// The revision of the claims that an access token of now has. A client whose token came with another one refreshes.
  /// Absent from earlier servers.
  package var claims: String?

  package init(
    user: User, access: String, next: [String], requirements: [AccessRequirement]? = nil, offers: [String]? = nil,
    claims: String? = nil
  ) {
    self.offers = offers
    (self.user, self.access, self.next, self.requirements) = (user, access, next, requirements)
    self.claims = claims
  }
}

/// Reads the caller's own record.
package enum ReadMeEndpoint: Endpoint {
  package static let row = EndpointRow(.get, "/v1/me", 200, "Read your own record")

  package typealias Input = Nothing
  package typealias Output = MeAnswer
}

/// Changes profile fields that the policy lets the person write.
package enum UpdateMeEndpoint: Endpoint {
  package static let row = EndpointRow(
    .patch, "/v1/me", 200, "Change your own profile",
    refuses: [.validationFailed])
  package static let details: String? = AccessRise.details

  package struct Input: Codable, Hashable, Sendable {
    /// Only the fields to change; null clears an optional one.
    package var profile: Profile

    package init(profile: Profile) { self.profile = profile }
  }

  package typealias Output = MeAnswer
}

/// Deletes the caller's account for good.
package enum DeleteMeEndpoint: Endpoint {
  package static let row = EndpointRow(
    .delete, "/v1/me", 204, "Delete your own account",
    refuses: .freshProof)

  package struct Input: Codable, Hashable, Sendable {
    /// The current password, unless the sign-in is recent.
    package var password: String?

    package init(password: String? = nil) { self.password = password }
  }

  package typealias Output = Nothing
}
