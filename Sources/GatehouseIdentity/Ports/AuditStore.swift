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
  package var actor: AuditActor?
  package var since: Date?
  package var until: Date?
  /// Only rows after this one (`tail` asks with the last it saw).
  package var after: UUID?
  /// Only rows before this one: the next page after it.
  package var before: UUID?

  package init(
    event: String? = nil, user: UserID? = nil, actor: AuditActor? = nil, since: Date? = nil, until: Date? = nil,
    after: UUID? = nil, before: UUID? = nil
  ) {
    self.actor = actor
    self.event = event
    self.user = user
    self.since = since
    self.until = until
    self.after = after
    self.before = before
  }
}

/// An actor that is searched for.
package enum AuditActor: Sendable, Equatable {
  case user(UserID)
  /// The actor as it is stored.
  case exactly(String)
  /// An operator by the name of the user or the token, or of a person behind it: `ci`, `uid 0`, `anna`.
  case `operator`(String)

  /// The most bytes of a text.
  package static let most = 200

  /// From a text such as `user:ID`, `system:seal`, `operator:ci`, or only a name, which is an operator's. Nil for a
  /// text that no actor has.
  package init?(_ text: String) {
    guard (1...Self.most).contains(text.utf8.count),
      !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { return nil }
    let kinds = ["user:", "administrator:", "system:"]
    if text.hasPrefix("user:"), let id = UserID(text: String(text.dropFirst("user:".count))) {
      self = .user(id)
    } else if text == Actor.anonymous.text || kinds.contains(where: text.hasPrefix) {
      self = .exactly(text)
    } else {
      let name = text.hasPrefix("operator:") ? String(text.dropFirst("operator:".count)) : text
      guard !name.isEmpty else { return nil }
      self = .operator(name)
    }
  }
}
