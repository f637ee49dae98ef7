package import GatehouseWire

// The audit log, as operations of the admin API.

/// The audit log of the installation, which outlives tenants.
package enum InstallationLog {
  /// Stands in place of a tenant's name, and is none.
  package static let name = "-"
}

/// One row of an audit log.
package struct AuditRecord: Codable, Hashable, Sendable {
  /// Its id.
  package var id: String
  /// The time of it.
  package var at: Timestamp
  /// The name of the event, as `authn_login_fail`.
  package var event: String
  /// The actor, as `operator:ci`.
  package var actor: String
  /// The account that the event concerns.
  package var account: String?
  /// The caller's address.
  package var address: String?
  /// The policy revision that judged it.
  package var revision: Int?
  /// Further facts.
  package var details: [String: String]
  /// `success` or `failure`.
  package var outcome: String
  /// The session it happened in.
  package var session: String?
  /// Its place in the chain, once it is sealed.
  package var seq: Int?
  /// The request that did it.
  package var requestID: String?
  /// The tenant of the row, or `-` for the installation, where rows of several logs are listed.
  package var tenant: String?

  package init(
    id: String, at: Timestamp, event: String, actor: String, account: String? = nil, address: String? = nil,
    requestID: String? = nil, revision: Int? = nil, details: [String: String], outcome: String, session: String? = nil,
    seq: Int? = nil, tenant: String? = nil
  ) {
    self.tenant = tenant
    self.id = id
    self.at = at
    self.event = event
    self.actor = actor
    self.account = account
    self.address = address
    self.requestID = requestID
    self.revision = revision
    self.details = details
    self.outcome = outcome
    self.session = session
    self.seq = seq
  }
}

/// The audit log of a tenant, newest first.
package enum SearchAuditOperation: AdminOperation {
  package static let row = AdminOperationRow(.get, "/tenants/{tenant}/audit", .auditRead, "Search the audit log")

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name, or `-` for the log of the installation.
    package var tenant: String
    /// Only this event; a name that no event has is refused.
    package var event: String?
    /// Only acts of this actor: `operator:ci`, or only a name of an operator or of the person behind one; `user:ID`.
    package var by: String?
    /// Only what concerns this user: an address or id; needs `user:read` too.
    package var user: String?
    /// Only from this moment on.
    package var since: Timestamp?
    /// Only before this moment.
    package var until: Timestamp?
    /// The greatest number of items.
    package var limit: Int?
    /// The `next_cursor` of the previous answer.
    package var cursor: String?

    package init(
      tenant: String, event: String? = nil, by: String? = nil, user: String? = nil, since: Timestamp? = nil,
      until: Timestamp? = nil,
      limit: Int? = nil, cursor: String? = nil
    ) {
      self.tenant = tenant
      self.event = event
      self.by = by
      self.user = user
      self.since = since
      self.until = until
      self.limit = limit
      self.cursor = cursor
    }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// Newest first.
    package var items: [AuditRecord]
    /// The `cursor` of the next page; absent on the last page.
    package var nextCursor: String?

    package init(items: [AuditRecord], nextCursor: String? = nil) {
      (self.items, self.nextCursor) = (items, nextCursor)
    }
  }
}

/// The audit logs of all tenants and of the installation together, newest first.
package enum SearchAllAuditOperation: AdminOperation {
  package static let row = AdminOperationRow(.get, "/audit", .auditRead, "Search all audit logs")

  package struct Input: Codable, Hashable, Sendable {
    /// Only this event; a name that no event has is refused.
    package var event: String?
    /// Only acts of this actor: `operator:ci`, or only a name of an operator or of the person behind one; `user:ID`.
    package var by: String?
    /// Only from this moment on.
    package var since: Timestamp?
    /// Only before this moment.
    package var until: Timestamp?
    /// The greatest number of items.
    package var limit: Int?
    /// The `next_cursor` of the previous answer.
    package var cursor: String?

    package init(
      event: String? = nil, by: String? = nil, since: Timestamp? = nil, until: Timestamp? = nil, limit: Int? = nil,
      cursor: String? = nil
    ) {
      self.event = event
      self.by = by
      self.since = since
      self.until = until
      self.limit = limit
      self.cursor = cursor
    }
  }

  package typealias Output = SearchAuditOperation.Output
}

/// The result of verifying an audit log.
package struct AuditVerification: Codable, Hashable, Sendable {
  /// The tenant of the log; `-` for the installation's.
  package var tenant: String
  /// The number of the last row that is good.
  package var sealed: Int
  /// Rows that wait to be sealed.
  package var waiting: Int?
  /// The thumbprint of the key that signs.
  package var key: String?
  /// The fault: `edited`, `deleted`, `inserted`, `reordered`, `truncated`, `forged`; absent for a good log.
  package var finding: String?
  /// The number of the row it is wrong with.
  package var seq: Int?
  /// The id of that row.
  package var row: String?
  /// In words.
  package var why: String?
  /// When the head was signed.
  package var signedAt: Timestamp?
  /// Times of which the log knows nothing, because the database was restored; absent where there are none.
  package var gaps: [Gap]?

  /// A time between the moment that a database was restored to and the row that records it.
  package struct Gap: Codable, Hashable, Sendable {
    /// The number of that row.
    package var seq: Int
    /// The moment that the database was restored to.
    package var from: Timestamp
    /// When that was recorded.
    package var until: Timestamp

    package init(seq: Int, from: Timestamp, until: Timestamp) { (self.seq, self.from, self.until) = (seq, from, until) }
  }

  /// The cut at which the log begins; absent where the log is whole.
  package var cut: Cut?

  /// A cut of a log.
  package struct Cut: Codable, Hashable, Sendable {
    /// The number of the last row that was cut.
    package var seq: Int
    /// The time of it.
    package var at: Timestamp
    /// The actor of the cut, as `operator:ci`.
    package var actor: String
    /// The SHA-256 digest of the export that holds the rows, in hexadecimal digits.
    package var export: String

    package init(seq: Int, at: Timestamp, actor: String, export: String) {
      (self.seq, self.at, self.actor, self.export) = (seq, at, actor, export)
    }
  }

  package init(
    tenant: String, sealed: Int, waiting: Int? = nil, signedAt: Timestamp? = nil, key: String? = nil,
    finding: String? = nil, seq: Int? = nil, row: String? = nil, why: String? = nil, gaps: [Gap]? = nil,
    cut: Cut? = nil
  ) {
    self.gaps = gaps
    self.cut = cut
    self.tenant = tenant
    self.sealed = sealed
    self.waiting = waiting
    self.signedAt = signedAt
    self.key = key
    self.finding = finding
    self.seq = seq
    self.row = row
    self.why = why
  }
}

/// Verifies the whole log of a tenant, in one request; asking again is safe.
package enum VerifyAuditOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .get, "/tenants/{tenant}/audit/verify", .auditRead, "Verify the audit log")

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name, or `-` for the log of the installation.
    package var tenant: String
    /// The signed end of an earlier export: the log must contain it, or begin at it.
    package var known: String?

    package init(tenant: String, known: String? = nil) { (self.tenant, self.known) = (tenant, known) }
  }

  package typealias Output = AuditVerification
}

/// A copy of a tenant's log with its hashes, some thousand rows in each answer. All lines together can be checked
/// without the server.
package enum ExportAuditOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .get, "/tenants/{tenant}/audit/export", .auditRead, "Export the audit log")

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name, or `-` for the log of the installation.
    package var tenant: String
    /// Only what comes behind this number.
    package var after: Int?
    /// Only what was sealed before this moment: the copy ends with an extract, which a cut asks for.
    package var before: Timestamp?
    /// The `next_cursor` of the previous answer.
    package var cursor: String?

    package init(tenant: String, after: Int? = nil, before: Timestamp? = nil, cursor: String? = nil) {
      (self.tenant, self.after, self.before, self.cursor) = (tenant, after, before, cursor)
    }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// JSON objects: the tenant and the key that signs the head, then rows with their hashes, then, with the last
    /// answer, the head, or the extract.
    package var lines: [String]
    /// The `cursor` of the next page; absent on the last page.
    package var nextCursor: String?

    package init(lines: [String], nextCursor: String? = nil) { (self.lines, self.nextCursor) = (lines, nextCursor) }
  }
}

/// Deletes rows of a tenant's log, all up to the end of a copy that the server made (`before` of the export). A row of
/// the log records the cut, and the log is verified from it on. Each answer deletes some thousand rows; ask again until
/// it is done. Without an extract it goes on with the newest cut.
package enum CutAuditOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .post, "/tenants/{tenant}/audit/cut", .auditWrite, "Cut the audit log")

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name, or `-` for the log of the installation.
    package var tenant: String
    /// The signed extract that the copy ends with.
    package var extract: String?
    /// The SHA-256 digest of the copy, in hexadecimal digits.
    package var export: String?

    package init(tenant: String, extract: String? = nil, export: String? = nil) {
      (self.tenant, self.extract, self.export) = (tenant, extract, export)
    }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// The number of the last row that is cut; 0 where none ever was.
    package var seq: Int
    /// The number of rows that this request deleted.
    package var deleted: Int
    /// Whether all rows of the cut are deleted.
    package var done: Bool

    package init(seq: Int, deleted: Int, done: Bool) { (self.seq, self.deleted, self.done) = (seq, deleted, done) }
  }
}
