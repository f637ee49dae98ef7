package import Foundation

/// Reads of the audit log; rows come in only through `Change.audit`.
package protocol AuditStore: Sendable {
  /// Rows that match, newest first, at most `limit`.
  func audit(_ query: AuditQuery, limit: Int) async throws -> [AuditEntry]
}

/// The conditions of a search; nil means any value.
package struct AuditQuery: Sendable {
  package var event: String?
  package var user: UserID?
  package var since: Date?
  package var until: Date?
  /// Only rows after this one (`tail` asks with the last it saw).
  package var after: UUID?
  /// Only rows before this one: the next page after it.
  package var before: UUID?

  package init(
    event: String? = nil, user: UserID? = nil, since: Date? = nil, until: Date? = nil, after: UUID? = nil,
    before: UUID? = nil
  ) {
    self.event = event
    self.user = user
    self.since = since
    self.until = until
    self.after = after
    self.before = before
  }
}
