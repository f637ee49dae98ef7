// Tenants as every operation finds them, and the making of one, which the job that watches policy files does as well.

import Foundation
import GatehousePolicy
import GatehousePolicyFile
import GatehousePrimitives

package enum Tenants {
  /// A new tenant from its policy's exact text: data key, signing key, revision 1 and audit row in one transaction.
  ///
  /// Throws `OperatorError`: the policy is wrong or of another tenant, the name is taken, the key-encryption key is
  /// not this installation's.
  package static func create(
    _ name: TenantName, displayName: String?, policy candidate: PolicyCandidate, author: Author,
    keeping answer: OperatorAnswer? = nil, _ services: Services
  ) async throws -> TenantRecord {
    try await HeldToFloor.run(services) { isAgain in
      try await createOnce(
        name, displayName: displayName, policy: isAgain ? candidate.again(services) : candidate, author: author,
        keeping: answer, services)
    }
  }

  private static func createOnce(
    _ name: TenantName, displayName: String?, policy candidate: PolicyCandidate, author: Author,
    keeping answer: OperatorAnswer?, _ services: Services
  ) async throws -> TenantRecord {
    let file = try judge(candidate, of: name, author, services)
    try await demandOwnKey(services)
    let now = services.clock.now
    let tenant = TenantRecord(
      id: TenantID(services.clock.makeID()), name: name, displayName: displayName ?? file.policy.app.name,
      enabled: true,
      createdAt: now)
    let keys = try KeyMaterial(for: tenant.id, wrappedBy: services.keyEncryptionKey, at: now)
    let revision = PolicyRevision(
      number: 1, text: candidate.text, digest: candidate.digest, author: author.name, reason: author.reason,
      createdAt: now)
    services.files.keep(file, of: revision)
    do {
      try await services.directory.create(
        tenant, dataKey: keys.dataKey, signingKey: keys.signingKey, policy: revision,
        floor: candidate.floor.number, audit: author.entry(.tenantCreated, services, revision: 1),
        record: author.record(.tenantCreated, of: tenant, services), keeping: answer)
    } catch StoreError.exists {
      throw OperatorError(.exists, "the tenant \"\(name)\" already exists")
    }
    return tenant
  }

  /// The first policy of a tenant, if this author may bring it to life.
  @discardableResult
  static func judge(_ candidate: PolicyCandidate, of name: TenantName, _ author: Author, _ services: Services) throws
    -> PolicyFile
  {
    let file = try candidate.judged(of: name, services)
    try PolicyTrust(first: file).demand(of: author, file: file.name, tenant: name)
    return file
  }

  /// With a stranger's key the tenant would be one that no server of this installation can open.
  static func demandOwnKey(_ services: Services) async throws {
    // A server that serves a tenant has opened its key.
    guard services.registry.trouble != nil else { return }
    let loader = TenantLoader(services)
    var stored = 0
    for tenant in try await services.directory.tenants() {
      guard let bundle = try await services.directory.bundle(tenant.name) else { continue }
      switch loader.fit([bundle]) {
      case .opens: return
      case .opensNone(let count): stored += count
      case .nothingStored: break
      }
    }
    // GUARD: tenant: made with the installation's key
    guard stored == 0 else {
      throw OperatorError(
        .unavailable,
        "the key-encryption key opens none of the \(stored) data keys in the database: it is not this installation's",
        hint: KeyFit.cure)
    }
  }

  /// The tenant of this name among those within reach; throws `OperatorError` with the nearest names when there is
  /// none.
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

  /// The tenant as a request would see it, for operations that act like one.
  package static func snapshot(_ tenant: TenantRecord, _ services: Services) async throws -> TenantSnapshot {
    guard let bundle = try await services.directory.bundle(tenant.name) else {
      throw OperatorError(.notFound, "the tenant \"\(tenant.name)\" is gone")
    }
    return try TenantLoader(services).snapshot(of: bundle)
  }
}
