package import GatehouseWire

// What users may demand of an operator, as operations of the admin API.

/// Everything that is stored about a user, for them. Needs `audit:read` too; the copy is an event of the audit log.
package enum ExportUserOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .get, "/tenants/{tenant}/users/{user}/export", .userRead, "Export everything stored about a user")

  package typealias Input = UserReference
  package typealias Output = DataExport
}

/// Erases a user, and every trace of who they were.
package enum EraseUserOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .post, "/tenants/{tenant}/users/{user}/erase", .userWrite, "Erase a user")

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// The user's address or id.
    package var user: String
    /// Only look; change nothing.
    package var dryRun: Bool?

    package init(tenant: String, user: String, dryRun: Bool? = nil) {
      (self.tenant, self.user, self.dryRun) = (tenant, user, dryRun)
    }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// The address of the deleted user; absent where there is none.
    package var email: String?
    /// Sessions that went.
    package var sessions: Int
    /// Links and codes that went.
    package var codes: Int
    /// Mails that went.
    package var mails: Int
    /// Audit rows that say no more of addresses and requests.
    package var events: Int
    /// Deleted users of this address, or the user of this id, that could have been brought back.
    package var deleted: Int
    /// Revisions of the policy whose text names the address: a document that the operator wrote.
    package var revisions: [Int]

    package init(
      email: String?, sessions: Int = 0, codes: Int = 0, mails: Int = 0, events: Int = 0, deleted: Int = 0,
      revisions: [Int]
    ) {
      self.email = email
      self.sessions = sessions
      self.codes = codes
      self.mails = mails
      self.events = events
      self.deleted = deleted
      self.revisions = revisions
    }
  }
}
