package import GatehousePrimitives
import GatehouseWire

/// One operation that an operator asks for, and from where.
package struct OperatorCall: Sendable {
  package let who: Operator
  package let services: Services
  package let requestID: String
  /// Where a request came from; nil at the command line.
  package let address: NetworkAddress?
  /// That it be done once, where the request asks for that.
  package let idempotency: IdempotencyRequest?

  package init(
    _ who: Operator, _ services: Services, requestID: String, address: NetworkAddress? = nil,
    idempotency: IdempotencyRequest? = nil
  ) {
    self.who = who
    self.services = services
    self.requestID = requestID
    self.address = address
    self.idempotency = idempotency
  }

  /// The tenant of this name. A tenant that is out of reach is refused exactly as one that does not exist.
  package func tenant(_ name: String) async throws -> TenantRecord {
    try await Tenants.find(name, services) { who.reaches($0.id) }
  }

  /// A tenant as a request would see it. No address: the limits that bind users do not bind operators.
  package func call(_ tenant: TenantRecord) async throws -> Call {
    Call(
      tenant: try await Tenants.snapshot(tenant, services), requestID: requestID, address: nil, languages: ["en"],
      now: services.clock.now)
  }

  /// The tenant of this name, as a request would see it.
  package func call(_ tenant: String) async throws -> Call { try await call(try await self.tenant(tenant)) }

  /// The rows of a tenant.
  func store(of seen: Call) -> any TenantStore { services.store.open(seen.tenant.id) }

  /// The author for histories and the audit log, and the reason.
  package func author(_ reason: String? = nil) throws -> Author {
    var author = Author(who, reason: try Self.line(reason ?? "", "reason", limit: 500))
    author.requestID = requestID
    author.address = address?.text
    return author
  }

  /// A row of the audit log about what this operator does.
  func entry(_ event: AuditEvent, user: UserID? = nil, details: [String: String] = [:]) throws -> AuditEntry {
    try author().entry(event, services, user: user, details: details)
  }

  /// Refuses an operator who does not reach all tenants.
  /// - Parameter why: goes on from "the token is not for all tenants, ".
  func requireAllTenants(_ why: String) throws {
    guard who.reachesAll else {
      throw OperatorError(
        .forbidden, "the token \"\(who.name)\" is not for all tenants, \(why)",
        hint: "gatehouse admin create --all-tenants")
    }
  }

  /// A text that has to be one line of bounded length.
  static func line(_ text: String, _ name: String, limit: Int) throws -> String {
    guard text.utf8.count <= limit,
      !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { throw Refusal.malformed("/" + name, "must be one line of at most \(limit) bytes") }
    return text
  }

  /// The name of a policy file in messages.
  static func fileName(_ given: String?) throws -> String { try line(given ?? "the policy", "file", limit: 500) }

  /// A number of items within bounds.
  static func limit(_ given: Int?, _ usual: Int = 50, atMost: Int = 1000) throws -> Int {
    guard let given else { return usual }
    guard (1...atMost).contains(given) else { throw Refusal.malformed("/limit", "must be 1 to \(atMost)") }
    return given
  }
}
