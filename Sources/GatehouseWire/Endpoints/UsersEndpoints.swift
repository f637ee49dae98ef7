/// Reads one user of the tenant: what the policy shows to users, or the whole record for an administrator.
package enum ReadUserEndpoint: Endpoint {
  package static let row = EndpointRow(
    .get, "/v1/users/{id}", 200, "Read another user of the app",
    refuses: [.notFound, .accessLimited])

  package struct Input: Codable, Hashable, Sendable {
    /// The user's id.
    package var id: String

    package init(id: String) { self.id = id }
  }

  package typealias Output = UserView
}

/// Reads several users by id; finds some by what the policy's `directory` allows; or, as an administrator, searches
/// them.
package enum ListUsersEndpoint: Endpoint {
  package static let row = EndpointRow(
    .get, "/v1/users", 200, "Read users by id, find them, or list them as an administrator",
    refuses: [.accessLimited, .forbidden, .reauthenticationRequired])

  package struct Input: Codable, Hashable, Sendable {
    /// Up to 100 ids, separated by commas.
    package var ids: String?
    /// A whole address. Finds its owner, where the policy has `directory: {find_by: [email]}` and the address is
    /// proven.
    package var email: String?
    /// A whole username. Finds its owner, where the policy has `find_by: [username]`.
    package var username: String?
    /// 2 to 64 code points that a name begins with, without case and marks. Finds up to 20 users, where the policy has
    /// `find_by: [prefix]`.
    package var prefix: String?
    /// Administrators: the beginning of an address, or of a text of the profile, without case and marks.
    package var query: String?
    /// Administrators: 1 to 100, 50 without it.
    package var limit: String?
    /// Administrators: `next_cursor` of the page before.
    package var cursor: String?

    package init(
      ids: String? = nil, email: String? = nil, username: String? = nil, prefix: String? = nil, query: String? = nil,
      limit: String? = nil, cursor: String? = nil
    ) {
      self.ids = ids
      self.email = email
      self.username = username
      self.prefix = prefix
      self.query = query
      self.limit = limit
      self.cursor = cursor
    }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// The users found.
    package var items: [UserView]
    /// Asks for the next page. Absent on the last.
    package var nextCursor: String?

    package init(items: [UserView], nextCursor: String? = nil) { (self.items, self.nextCursor) = (items, nextCursor) }
  }
}

/// Changes a user as an administrator of the tenant.
package enum UpdateUserEndpoint: Endpoint {
  package static let row = EndpointRow(
    .patch, "/v1/users/{id}", 200, "Change a user as an administrator",
    refuses: [.notFound, .accessLimited, .forbidden, .reauthenticationRequired, .validationFailed])

  package struct Input: Codable, Hashable, Sendable {
    /// The user's id.
    package var id: String
    /// Only the fields to change.
    package var profile: Profile?
    /// Switches the account off or on.
    package var disabled: Bool?
  }

  package typealias Output = MeAnswer
}
