import Foundation
package import GatehousePrimitives
package import GatehouseWire

/// Who acts as an operator, and how far that reaches.
package struct Operator: Sendable {
  /// As histories and audit trails name them: the operating system's user, or the token's name.
  package let name: String
  /// The token that proves it; nil at the command line, whose reach is the database's.
  package let token: AdminToken?
  /// The token's SHA-256, by which the store knows it; nil at the command line.
  package let tokenHash: [UInt8]?

  /// An operator at the command line of a machine that holds the database's credentials.
  package init(atCommandLine name: String) {
    self.name = name
    token = nil
    tokenHash = nil
  }

  /// The bearer of a token, whose SHA-256 is `hash`.
  package init(_ token: AdminToken, hash: [UInt8]) {
    name = token.name
    self.token = token
    tokenHash = hash
  }

  package func allows(_ scope: AdminScope) -> Bool { token?.scopes.contains { $0.allows(scope) } ?? true }

  /// Refuses with the scope that is lacking.
  package func require(_ scope: AdminScope) throws {
    // GUARD: admin token: scope
    guard !allows(scope) else { return }
    throw OperatorError(
      .forbidden, "the token \"\(name)\" does not allow \(scope.rawValue)", hint: "gatehouse admin create", scope: scope
    )
  }

  package func reaches(_ tenant: TenantID) -> Bool {
    // GUARD: admin token: tenants
    token?.tenants?.contains(tenant) ?? true
  }

  /// Whether every tenant is within reach, those to come included.
  package var reachesAll: Bool { token?.tenants == nil }
}

/// One verb that an operator asks for, and from where.
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

  /// A tenant as a request would see it. No address: the limits that bind people do not bind operators.
  package func call(_ tenant: TenantRecord) async throws -> Call {
    Call(
      tenant: try await Tenants.snapshot(tenant, services), requestID: requestID, address: nil, languages: ["en"],
      now: services.clock.now)
  }

  /// Who is named in histories and audit trails, and why.
  package func author(_ reason: String? = nil) throws -> Author {
    var author = Author(.operator(who.name), name: who.name, reason: try Self.line(reason ?? "", "reason", limit: 500))
    author.requestID = requestID
    author.address = address?.text
    author.token = who.token?.id
    author.namesUsers = who.allows(.userRead)
    return author
  }

  /// A text that has to be one line of bounded length.
  static func line(_ text: String, _ name: String, limit: Int) throws -> String {
    guard text.utf8.count <= limit,
      !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { throw Refusal.malformed("/" + name, "must be one line of at most \(limit) bytes") }
    return text
  }

  /// What messages call a policy file.
  static func fileName(_ given: String?) throws -> String { try line(given ?? "the policy", "file", limit: 500) }

  /// A number of items within bounds.
  static func limit(_ given: Int?, _ usual: Int = 50, atMost: Int = 1000) throws -> Int {
    guard let given else { return usual }
    guard (1...atMost).contains(given) else { throw Refusal.malformed("/limit", "must be 1 to \(atMost)") }
    return given
  }
}
