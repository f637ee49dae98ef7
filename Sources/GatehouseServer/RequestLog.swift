package import GatehouseWire

/// What is noted of one request: nothing of a person, nothing secret.
package struct RequestRecord: Sendable {
  package var requestID: String
  /// The tenant's name, when there is such a tenant.
  package var tenant: String?
  /// The route's template, never the path.
  package var route: String
  package var status: Int
  /// Why it was refused.
  package var code: ErrorCode?
  package var microseconds: Int
  /// For the operator only, and only with server errors.
  package var note: String?
}

/// Takes the record of each request; must be quick.
package typealias RequestLog = @Sendable (RequestRecord) -> Void
