// The life of a policy change: checked, tested, compared with what is live, applied under an optimistic lock.

package import GatehousePolicy
import GatehousePolicyFile
import GatehousePrimitives

package enum Policies {
  /// What applying a text came to.
  package enum Outcome: Sendable, Equatable {
    /// The live text is the same, byte for byte: there is nothing to do.
    case unchanged(revision: Int)
    case applied(revision: Int)
  }

  /// Reads a file and runs its tests. Throws `OperatorError` with the whole report, lines and carets included.
  package static func judge(_ text: String, file: String, of tenant: TenantName, _ services: Services) throws -> Policy
  {
    let check = PolicyCheck.check(Array(text.utf8), name: file, using: services.facts, now: services.clock.now)
    guard let read = check.file, check.isGood() else {
      throw OperatorError(.refused, "\(file) is not applied:\n\(check.text())")
    }
    guard read.policy.tenant.utf8.elementsEqual(tenant.description.utf8) else {
      throw OperatorError(
        .refused, "\(file) is the policy of tenant \"\(read.policy.tenant)\", not of \"\(tenant)\"")
    }
    return read.policy
  }

  /// Applies a text as the next revision. Every server follows within a second.
  /// - Parameter expecting: the revision the author looked at; another one live is `stale`.
  package static func apply(
    _ text: String, file: String, to tenant: TenantRecord, expecting: Int? = nil, author: Author,
    _ services: Services
  ) async throws -> Outcome {
    _ = try judge(text, file: file, of: tenant.name, services)
    let store = services.store.open(tenant.id)
    guard let live = try await store.revisions(limit: 1).first else {
      throw OperatorError(.notFound, "the tenant \"\(tenant.name)\" has no policy")
    }
    if let expecting, expecting != live.number {
      throw OperatorError(
        .stale, "revision \(live.number) is live, not \(expecting): \(live.author) applied it meanwhile",
        hint: "gatehouse policy diff \(tenant.name) \(file)")
    }
    let digest = SHA256.digest(text)
    if digest == live.digest { return .unchanged(revision: live.number) }
    let next = PolicyRevision(
      number: live.number + 1, text: text, digest: digest, author: author.name, reason: author.reason,
      createdAt: services.clock.now)
    do {
      try await store.append(next, audit: author.entry(.policyApplied, services, revision: next.number))
    } catch StoreError.refused(.revisionIsCurrent) {
      throw OperatorError(
        .stale, "somebody applied another revision at the same moment", hint: "look at it and apply again")
    }
    return .applied(revision: next.number)
  }
}
