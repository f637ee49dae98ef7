// Users, as operations of the admin API.

package import GatehousePolicy
package import GatehouseWire

/// A user in a list.
package struct UserSummary: Codable, Hashable, Sendable {
  /// A UUID that never changes.
  package var id: String
  /// The address as it was normalised; absent for a user who has none.
  package var email: String?
  /// Whether an operator switched the user off.
  package var disabled: Bool
  /// Whether a user has proved to read mail at that address.
  package var emailVerified: Bool
  /// When the user was made.
  package var createdAt: Timestamp
  /// The stored values of the fields that were asked for; absent where none was.
  package var profile: [String: FieldValue]?

  package init(
    id: String, email: String?, emailVerified: Bool, disabled: Bool, createdAt: Timestamp,
    profile: [String: FieldValue]? = nil
  ) {
    self.id = id
    self.email = email
    self.emailVerified = emailVerified
    self.disabled = disabled
    self.createdAt = createdAt
    self.profile = profile
  }
}

/// A user as operators see them.
package struct UserRecord: Codable, Hashable, Sendable {
  /// A UUID that never changes.
  package var id: String
  /// The address as it was normalised; absent for a user who has none.
  package var email: String?
  /// Whether an operator switched the user off.
  package var disabled: Bool
  /// Stored fields, also those that the live policy does not have.
  package var profile: [String: FieldValue]
  /// The names in `profile` that the live policy does not have; absent where there is none.
  package var leftovers: [String]?
  /// As the app last said.
  package var online: Bool
  /// Whether a user has proved to read mail at that address.
  package var emailVerified: Bool
  /// When the user was last there.
  package var lastSeen: Timestamp?
  /// The newest sign-in, sign-up included; absent where there was none.
  package var lastSignIn: LastSignIn?
  /// When the user was made.
  package var createdAt: Timestamp

  package init(
    id: String, email: String?, emailVerified: Bool, disabled: Bool, profile: [String: FieldValue],
    leftovers: [String]? = nil, online: Bool, lastSeen: Timestamp? = nil, lastSignIn: LastSignIn? = nil,
    createdAt: Timestamp
  ) {
    self.id = id
    self.email = email
    self.emailVerified = emailVerified
    self.disabled = disabled
    self.profile = profile
    self.leftovers = leftovers
    self.online = online
    self.lastSeen = lastSeen
    self.lastSignIn = lastSignIn
    self.createdAt = createdAt
  }
}

/// A sign-in as the audit log has it; it outlives its session.
package struct LastSignIn: Codable, Hashable, Sendable {
  /// The time of it.
  package var at: Timestamp
  /// `password` or `provider`; absent where the log does not say.
  package var method: String?
  /// The device's name, as long as the session is stored: a month beyond its end.
  package var device: String?
  /// Roughly where, likewise, where the server knows places.
  package var place: String?

  package init(at: Timestamp, method: String? = nil, device: String? = nil, place: String? = nil) {
    (self.at, self.method, self.device, self.place) = (at, method, device, place)
  }
}

/// A tenant's people, newest first. An answer takes seconds at most: with `failing` it may hold fewer than asked for
/// and go on all the same.
package enum ListUsersOperation: AdminOperation {
  package static let row = AdminOperationRow(.get, "/tenants/{tenant}/users", .userRead, "List the users of a tenant")

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// Only those whose address, or a text of whose profile, begins with this, in the order of these texts.
    package var query: String?
    /// Only addresses that contain this. Every account is looked at.
    package var contains: String?
    /// Only those whose address is not proven.
    package var unverified: Bool?
    /// Only accounts that were made at this moment or later.
    package var since: Timestamp?
    /// Only accounts that were made before this moment.
    package var until: Timestamp?
    /// Only those with this stored value: `role=nurse`, or `role=` for none. The policy need not have the field.
    package var matching: String?
    /// Only those whose stored values break this rule of the live policy.
    package var failing: String?
    /// The profile fields to show, with commas between them, also those that the live policy does not have.
    package var fields: String?
    /// The greatest number of items.
    package var limit: Int?
    /// The `next_cursor` of the previous answer.
    package var cursor: String?

    package init(
      tenant: String, query: String? = nil, contains: String? = nil, unverified: Bool? = nil, since: Timestamp? = nil,
      until: Timestamp? = nil, matching: String? = nil, failing: String? = nil, fields: String? = nil,
      limit: Int? = nil, cursor: String? = nil
    ) {
      self.tenant = tenant
      (self.query, self.contains) = (query, contains)
      (self.unverified, self.since, self.until) = (unverified, since, until)
      self.matching = matching
      self.failing = failing
      self.fields = fields
      self.limit = limit
      self.cursor = cursor
    }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// Newest first.
    package var items: [UserSummary]
    /// The `cursor` of the next page; absent on the last page.
    package var nextCursor: String?

    package init(items: [UserSummary], nextCursor: String? = nil) {
      (self.items, self.nextCursor) = (items, nextCursor)
    }
  }
}

/// One user.
package enum ShowUserOperation: AdminOperation {
  package static let row = AdminOperationRow(.get, "/tenants/{tenant}/users/{user}", .userRead, "Show a user")

  package typealias Input = UserReference
  package typealias Output = UserRecord
}

/// Makes a user without a password and mails them a link to choose one.
package enum CreateUserOperation: AdminOperation {
  package static let row = AdminOperationRow(.post, "/tenants/{tenant}/users", .userWrite, "Create a user")

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// The address.
    package var email: String
    /// Profile fields by the names of the tenant's policy; null clears one.
    package var profile: [String: FieldValue]?
    /// The same as typed: `role=admin`, read by the field's type; `role=` clears it.
    package var fields: [String]?
    /// Leave what is there, if it is the same; `exists` if it differs.
    package var ifAbsent: Bool?
    /// Do everything but the change itself.
    package var dryRun: Bool?

    package init(
      tenant: String, email: String, profile: [String: FieldValue]? = nil, fields: [String]? = nil,
      ifAbsent: Bool? = nil, dryRun: Bool? = nil
    ) {
      (self.tenant, self.email, self.profile, self.fields) = (tenant, email, profile, fields)
      (self.ifAbsent, self.dryRun) = (ifAbsent, dryRun)
    }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// The user's id; absent after a dry run.
    package var id: String?
    /// The address as it was normalised.
    package var email: String
    /// Whether a link to set a password was mailed: not where the policy has no passwords. Absent after a dry run, and
    /// in answers of servers before it was said, which always mailed one.
    package var mailed: Bool?
    /// The user was there already, and `if_absent` was given.
    package var existed: Bool?

    package init(id: String? = nil, email: String, mailed: Bool? = nil, existed: Bool? = nil) {
      (self.id, self.email, self.mailed, self.existed) = (id, email, mailed, existed)
    }
  }
}

/// Sets profile fields, those that only administrators write included; switches the user off, which ends their
/// sessions, or on.
package enum SetUserOperation: AdminOperation {
  package static let row = AdminOperationRow(.patch, "/tenants/{tenant}/users/{user}", .userWrite, "Change a user")

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// The user's address or id.
    package var user: String
    /// Profile fields by the names of the tenant's policy; null clears one, also one that the policy does not have.
    package var profile: [String: FieldValue]?
    /// The same as typed: `role=admin`, read by the field's type; `role=` clears it.
    package var fields: [String]?
    /// Switches the user off, or on again.
    package var disabled: Bool?

    package init(
      tenant: String, user: String, profile: [String: FieldValue]? = nil, fields: [String]? = nil, disabled: Bool? = nil
    ) {
      (self.tenant, self.user, self.profile, self.fields, self.disabled) = (tenant, user, profile, fields, disabled)
    }
  }

  package typealias Output = UserRecord
}

/// Deletes a user and all that belongs to them. Where the policy has `accounts.undo_deletion`, the user can be brought
/// back for that time, except with `now`.
package enum DeleteUserOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .delete, "/tenants/{tenant}/users/{user}", .userWrite, "Delete a user", status: 204)

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// The user's address or id.
    package var user: String
    /// For good, also where the policy lets a deletion be undone.
    package var now: Bool?

    package init(tenant: String, user: String, now: Bool? = nil) {
      (self.tenant, self.user, self.now) = (tenant, user, now)
    }
  }

  package typealias Output = Nothing
}

/// Takes a user's address as proven.
package enum VerifyUserEmailOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .post, "/tenants/{tenant}/users/{user}/verify-email", .userWrite, "Take an address as proven", status: 204)

  package typealias Input = UserReference
  package typealias Output = Nothing
}

/// Mails a user a link to set a new password.
package enum SendUserResetOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .post, "/tenants/{tenant}/users/{user}/send-reset", .userWrite, "Mail a link to set a password", status: 204)

  package typealias Input = UserReference
  package typealias Output = Nothing
}
