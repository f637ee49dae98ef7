package import GatehouseWire

// The second factors of users, as operations of the admin API.

/// Lists the second factors of a user.
package enum ListUserFactorsOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .get, "/tenants/{tenant}/users/{user}/factors", .userRead, "List the second factors of a user")

  package typealias Input = UserReference

  package struct Output: Codable, Hashable, Sendable {
    /// The factors, oldest first.
    package var items: [FactorRecord]
    /// The recovery codes.
    package var recoveryCodes: RecoveryCodeCount
    /// Whether so many wrong codes came that no authenticator app proves anything until a recovery code is used.
    package var locked: Bool

    package init(items: [FactorRecord], recoveryCodes: RecoveryCodeCount, locked: Bool) {
      (self.items, self.recoveryCodes, self.locked) = (items, recoveryCodes, locked)
    }
  }
}

/// Removes all second factors of a user, who lost them.
package enum ResetUserFactorsOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .post, "/tenants/{tenant}/users/{user}/mfa-reset", .userWrite, "Remove all second factors of a user", status: 204)

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// The user's address or id.
    package var user: String
    /// How the user was recognised, for the audit log: 1 to 500 characters.
    package var reason: String

    package init(tenant: String, user: String, reason: String) {
      (self.tenant, self.user, self.reason) = (tenant, user, reason)
    }
  }

  package typealias Output = Nothing
}
