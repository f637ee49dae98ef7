package import GatehouseWire

// Mails that wait to be sent, as operations of the admin API.

/// A mail that waits; never its recipient or its contents.
package struct WaitingMail: Codable, Hashable, Sendable {
  /// Its id, as the log names it.
  package var id: String
  /// Its kind, as `verify_email`.
  package var kind: String
  /// When it was made.
  package var createdAt: Timestamp
  /// Tries so far.
  package var attempts: Int
  /// When it is tried next.
  package var nextAttemptAt: Timestamp
  /// After this it is dropped.
  package var expiresAt: Timestamp
  /// Why the last try failed; absent before one did.
  package var lastError: String?

  package init(
    id: String, kind: String, createdAt: Timestamp, attempts: Int, nextAttemptAt: Timestamp, expiresAt: Timestamp,
    lastError: String? = nil
  ) {
    self.id = id
    self.kind = kind
    self.createdAt = createdAt
    self.attempts = attempts
    self.nextAttemptAt = nextAttemptAt
    self.expiresAt = expiresAt
    self.lastError = lastError
  }
}

/// A tenant's mails that wait, oldest first.
package enum ListWaitingMailsOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .get, "/tenants/{tenant}/mail-queue", .tenantRead, "List mails that wait to be sent")

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// The greatest number of items.
    package var limit: Int?

    package init(tenant: String, limit: Int? = nil) { (self.tenant, self.limit) = (tenant, limit) }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// Oldest first.
    package var items: [WaitingMail]

    package init(items: [WaitingMail]) { self.items = items }
  }
}

/// Some of a tenant's mails that wait: all that fit both members.
package struct WaitingMailsReference: Codable, Hashable, Sendable {
  /// The tenant's name.
  package var tenant: String
  /// Only mails of these ids.
  package var ids: [String]?
  /// Only mails of this kind, as `verify_email`.
  package var kind: String?

  package init(tenant: String, ids: [String]? = nil, kind: String? = nil) {
    (self.tenant, self.ids, self.kind) = (tenant, ids, kind)
  }
}

/// A number of mails.
package struct MailCount: Codable, Hashable, Sendable {
  /// How many mails it was done to.
  package var mails: Int

  package init(mails: Int) { self.mails = mails }
}

/// Mails that wait for more than two minutes are due now. Others are due soon, or a server sends them at this moment.
package enum RetryWaitingMailsOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .post, "/tenants/{tenant}/mail-queue/retry", .tenantWrite, "Send mails that wait now")

  package typealias Input = WaitingMailsReference
  package typealias Output = MailCount
}

/// Mails that wait are not sent. Codes and links that they carry stay as they are.
package enum DropWaitingMailsOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .post, "/tenants/{tenant}/mail-queue/drop", .tenantWrite, "Drop mails that wait")

  package typealias Input = WaitingMailsReference
  package typealias Output = MailCount
}
