/// A person's own record with their standing.
public struct MeAnswer: Codable, Hashable, Sendable {
  /// The person's record.
  public var user: User
  /// `full` or `limited`.
  public var access: String
  /// What is missing for full access.
  public var next: [String]
  /// Each step of `next`, in its order, as a person reads it. Absent where nothing is missing, and from earlier servers.
  public var requirements: [AccessRequirement]?

  /// The whole of it.
  public init(user: User, access: String, next: [String], requirements: [AccessRequirement]? = nil) {
    self.user = user
    self.access = access
    self.next = next
    self.requirements = requirements
  }
}

/// Reads the caller's own record.
public enum ReadMeEndpoint: Endpoint {
  /// Its row.
  public static let row = EndpointRow(.get, "/v1/me", 200, "Read your own record")

  /// What it takes.
  public typealias Input = Nothing

  /// What it answers.
  public typealias Output = MeAnswer
}

/// Changes profile fields that the policy lets the person write.
public enum UpdateMeEndpoint: Endpoint {
  /// Its row.
  public static let row = EndpointRow(
    .patch, "/v1/me", 200, "Change your own profile",
    refuses: [.validationFailed])
  /// What a client has to know.
  public static let details: String? = AccessRise.details

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// Only the fields to change; null clears an optional one.
    public var profile: Profile

    /// The whole of it.
    public init(profile: Profile) {
      self.profile = profile
    }
  }

  /// What it answers.
  public typealias Output = MeAnswer
}

/// Deletes the caller's account for good.
public enum DeleteMeEndpoint: Endpoint {
  /// Its row.
  public static let row = EndpointRow(
    .delete, "/v1/me", 204, "Delete your own account",
    refuses: .freshProof)

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The current password, unless the sign-in is recent.
    public var password: String?

    /// The whole of it.
    public init(password: String? = nil) {
      self.password = password
    }
  }

  /// What it answers.
  public typealias Output = Nothing
}
