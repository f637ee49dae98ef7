// What operators do with tenants: the same code for the command line and for servers that meet a new policy file.

package import Foundation
import GatehousePolicy
import GatehousePolicyFile
import GatehousePrimitives
package import GatehouseWire

package enum Tenants {
  /// A new tenant from its policy's exact text: data key, signing key, revision 1 and audit row in one transaction.
  ///
  /// Throws `OperatorError`: the policy is wrong or of another tenant, the name is taken.
  package static func create(
    _ name: TenantName, displayName: String?, policy text: String, file: String, author: Author,
    keeping answer: OperatorAnswer? = nil, _ services: Services
  ) async throws -> TenantRecord {
    let policy = try Policies.judge(text, file: file, of: name, services).policy
    let now = services.clock.now
    let tenant = TenantRecord(
      id: TenantID(services.clock.makeID()), name: name, displayName: displayName ?? policy.app.name, enabled: true,
      createdAt: now)
    let keys = try KeyMaterial(for: tenant.id, wrappedBy: services.keyEncryptionKey, at: now)
    let revision = PolicyRevision(
      number: 1, text: text, digest: SHA256.digest(text), author: author.name, reason: author.reason, createdAt: now)
    do {
      try await services.directory.create(
        tenant, dataKey: keys.dataKey, signingKey: keys.signingKey, policy: revision,
        audit: author.entry(.tenantCreated, services, revision: 1), keeping: answer)
    } catch StoreError.exists {
      throw OperatorError(.exists, "there is a tenant \"\(name)\" already")
    }
    return tenant
  }

  /// The tenant of this name among those within reach; throws `OperatorError` with the nearest names when there is none.
  package static func find(
    _ text: String, _ services: Services, within reach: (TenantRecord) -> Bool = { _ in true }
  ) async throws -> TenantRecord {
    if let name = TenantName(text), let found = try await services.directory.tenant(name), reach(found) { return found }
    let names = try await services.directory.tenants().filter(reach).map(\.name.description)
    let meant = Suggestion.nearest(to: text, among: names).map { "; did you mean \"\($0)\"?" } ?? ""
    throw OperatorError(
      .notFound, "there is no tenant \"\(text)\"\(meant)",
      hint: names.isEmpty ? "gatehouse tenant create ID --policy FILE" : "gatehouse tenant list")
  }

  /// Switches a tenant off (no user gets in, nothing is lost) or on.
  package static func setEnabled(_ tenant: TenantRecord, _ enabled: Bool, author: Author, _ services: Services)
    async throws
  {
    var changed = tenant
    changed.enabled = enabled
    try await services.directory.update(
      changed, audit: author.entry(.tenantChanged, services, details: ["enabled": String(enabled)]))
  }

  /// Changes the name that operators see.
  package static func rename(_ tenant: TenantRecord, to displayName: String, author: Author, _ services: Services)
    async throws
  {
    var changed = tenant
    changed.displayName = displayName
    try await services.directory.update(
      changed, audit: author.entry(.tenantChanged, services, details: ["display_name": displayName]))
  }

  /// Removes a disabled tenant and everything in it, for good; throws `isEnabled` otherwise.
  package static func delete(_ tenant: TenantRecord, _ services: Services) async throws {
    do {
      try await services.directory.delete(tenant.id)
    } catch StoreError.refused(.tenantIsDisabled) {
      throw isEnabled(tenant.name.description)
    }
  }

  /// Why an enabled tenant is not deleted, and what comes first.
  package static func isEnabled(_ name: String) -> OperatorError {
    OperatorError(
      .refused, "\(name) is enabled; only a disabled tenant is deleted", hint: "gatehouse tenant disable \(name)")
  }

  /// The tenant as a request would see it, for verbs that act like one.
  package static func snapshot(_ tenant: TenantRecord, _ services: Services) async throws -> TenantSnapshot {
    guard let bundle = try await services.directory.bundle(tenant.name) else {
      throw OperatorError(.notFound, "the tenant \"\(tenant.name)\" is gone")
    }
    return try TenantLoader(services).snapshot(of: bundle)
  }
}

/// Who acts as an operator, and why.
package struct Author: Sendable {
  package let actor: Actor
  /// As revisions keep it: the operating system's user, or `watch`.
  package let name: String
  package let reason: String
  /// The request that asked for it, and where that came from.
  package var requestID: String?
  package var address: String?
  /// The admin token that it was done with.
  package var token: UUID?
  /// Whether messages to this author may name people.
  package var namesUsers = true

  package init(_ actor: Actor, name: String, reason: String) {
    self.actor = actor
    self.name = name
    self.reason = reason
  }

  func entry(
    _ event: AuditEvent, _ services: Services, user: UserID? = nil, revision: Int? = nil,
    details: [String: String] = [:]
  ) -> AuditEntry {
    var details = details
    if !reason.isEmpty { details["reason"] = reason }
    if let token { details["token"] = token.text }
    return AuditEntry(
      id: services.clock.makeID(), at: services.clock.now, event: event, actor: actor.text, user: user,
      requestID: requestID, address: address, revision: revision, details: details)
  }
}

/// Why an operator's verb did nothing, in words for the operator.
package struct OperatorError: Error, Sendable, CustomStringConvertible {
  package enum Kind: Sendable { case notFound, exists, refused, stale, notAllowed, forbidden, unavailable }
  package let kind: Kind
  package let description: String
  /// What to do about it.
  package let hint: String?
  /// With `forbidden`: what the operator's token lacks.
  package let scope: AdminScope?
  /// With `stale`, of a policy: the live revision.
  package let revision: Int?
  /// With `refused`, of a policy file: what is wrong with it, and where.
  package let findings: [PolicyFinding]
  /// Of a policy text that is not applied: what speaks against it.
  package let objection: PolicyObjection?

  package init(
    _ kind: Kind, _ description: String, hint: String? = nil, scope: AdminScope? = nil, revision: Int? = nil,
    findings: [PolicyFinding] = [], objection: PolicyObjection? = nil
  ) {
    self.kind = kind
    self.description = description
    self.hint = hint
    self.scope = scope
    self.revision = revision
    self.findings = findings
    self.objection = objection
  }
}
