package import GatehousePrimitives
package import GatehouseWire

/// The log record of one request. It holds no secret, and no personal data but the address that an
/// operator asks for.
package struct RequestRecord: Sendable {
  package var requestID: String
  /// The tenant's name, when there is such a tenant.
  package var tenant: String?
  /// `GET`, or `other` for a method that no route has.
  package var method: String
  /// The route's template, never the path.
  package var route: String
  /// The template of a path at which nothing is.
  package static let noRoute = "(none)"
  package var status: Int
  /// Why it was refused.
  package var code: ErrorCode?
  /// The limit that refused it.
  package var limit: String?
  /// Rules that refused it, by their ids in the policy.
  package var violated: [String]
  /// Rules that only warned.
  package var warned: [String]
  package var microseconds: Int
  /// For the operator only, and only with server errors.
  package var note: String?
  /// On the admin listener: the name of the token.
  package var operatorName: String?
  /// The client's address; nil unless the listener was told to keep it.
  package var client: NetworkAddress?
  /// The place in a trace; nil where the request belongs to none.
  package var trace: TraceParent?

  package init(
    requestID: String, tenant: String? = nil, method: String, route: String, status: Int, code: ErrorCode? = nil,
    limit: String? = nil, violated: [String] = [], warned: [String] = [], microseconds: Int, note: String? = nil
  ) {
    self.requestID = requestID
    self.tenant = tenant
    self.method = method
    self.route = route
    self.status = status
    self.code = code
    self.limit = limit
    self.violated = violated
    self.warned = warned
    self.microseconds = microseconds
    self.note = note
  }
}

/// Takes the record of each request; must be quick.
package typealias RequestLog = @Sendable (RequestRecord) -> Void
