package import GatehouseAdminWire
import GatehouseWire

/// The actor of an operation, and the reach of the actor.
package struct Operator: Sendable {
  /// The operating system's user with the person behind it, or the token's name.
  package let name: String
  /// The token that proves it; nil at the command line, whose reach is the database's.
  package let token: AdminToken?
  /// The token's SHA-256, by which the store knows it; nil at the command line.
  package let tokenHash: [UInt8]?
  /// The name that the operator gives beside it.
  package let stated: StatedName?

  /// An operator at the command line of a machine that holds the database's credentials.
  package init(atCommandLine name: String, stated: StatedName? = nil) {
    self.name = name
    self.stated = stated
    token = nil
    tokenHash = nil
  }

  /// The bearer of a token, whose SHA-256 is `hash`.
  package init(_ token: AdminToken, hash: [UInt8], stated: StatedName? = nil) {
    name = token.name
    self.token = token
    self.stated = stated
    tokenHash = hash
  }

  /// The same operator, who gives a name.
  package func stating(_ name: StatedName) -> Operator {
    guard let token, let tokenHash else { return Operator(atCommandLine: self.name, stated: name) }
    return Operator(token, hash: tokenHash, stated: name)
  }

  /// As histories and audit logs name them: `uid 0 (anna by sudo)`, `ci`, `ci (as Anna, stated)`.
  package var shown: String {
    guard let stated else { return name }
    let mark = "as \(stated.text), stated)"
    return name.hasSuffix(")") ? name.dropLast() + "; " + mark : "\(name) (\(mark)"
  }

  package func allows(_ scope: AdminScope) -> Bool { token?.scopes.contains { $0.allows(scope) } ?? true }

  /// Refuses with the scope that is lacking.
  /// - Parameter what: goes on after the scope, such as ", which this needs: …".
  package func require(_ scope: AdminScope, for what: String = "", hint: String = "gatehouse admin create") throws {
    // GUARD: admin token: scope
    guard !allows(scope) else { return }
    throw OperatorError(
      .forbidden, "the token \"\(name)\" does not allow \(scope.rawValue)\(what)", hint: hint, scope: scope)
  }

  package func reaches(_ tenant: TenantID) -> Bool {
    // GUARD: admin token: tenants
    token?.tenants?.contains(tenant) ?? true
  }

  /// Whether every tenant is within reach, those to come included.
  package var reachesAll: Bool { token?.tenants == nil }
}
