/// A user as the caller may see them.
package enum UserView: Codable, Hashable, Sendable {
  /// Any user of the tenant sees this much.
  case user(PublicUser)
  /// The full record, for an administrator with the right to list users.
  case record(User)

  enum CodingKeys: String, CodingKey { case email }

  /// Reads either shape.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self = container.contains(.email) ? .record(try User(from: decoder)) : .user(try PublicUser(from: decoder))
  }

  /// Writes either shape.
  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .user(let user): try user.encode(to: encoder)
    case .record(let user): try user.encode(to: encoder)
    }
  }
}
