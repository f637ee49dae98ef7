/// A row of the audit log that concerns the person.
package struct ExportedEvent: Codable, Hashable, Sendable {
  /// The time of it.
  package var at: Timestamp
  /// The name of the event, such as `authn_login_success`.
  package var event: String
  /// `success` or `failure`.
  package var outcome: String
  /// The actor: `you`, `nobody` (unknown), `administrator`, `operator`, `system`.
  package var by: String
  /// From where; only where it was the person, or may have been.
  package var address: String?
  /// The session it happened in.
  package var session: String?
  /// Further facts, such as `method`.
  package var details: [String: String]
  /// The request's name.
  package var requestID: String?
  /// The revision of the app's policy that judged it.
  package var policyRevision: Int?

  package init(
    at: Timestamp, event: String, outcome: String, by: String, address: String?, session: String?, requestID: String?,
    policyRevision: Int?, details: [String: String]
  ) {
    self.at = at
    self.event = event
    self.outcome = outcome
    self.by = by
    self.address = address
    self.session = session
    self.requestID = requestID
    self.policyRevision = policyRevision
    self.details = details
  }
}
