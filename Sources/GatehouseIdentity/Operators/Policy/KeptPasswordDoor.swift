// Live revisions that earlier servers applied, whose password door is open though their `providers:` does not name
// `password`.

package import GatehousePolicy

/// The meaning of such a revision for users, and the remedy.
package struct KeptPasswordDoor: Sendable {
  package let tenant: TenantName
  package let revision: Int
  /// Users who could not sign in any more if the door closed.
  package let shutOut: Int

  /// Nil where the live policy says itself whether users have passwords. Where it does not, one query counts.
  package static func look(
    _ policy: Policy, revision: Int, of tenant: (id: TenantID, name: TenantName), _ services: Services
  ) async throws -> KeptPasswordDoor? {
    guard policy.keepsPasswordDoor else { return nil }
    let others = try await services.store.open(tenant.id).userCount(withoutIdentityAt: policy.signInProviders)
    return KeptPasswordDoor(tenant: tenant.name, revision: revision, shutOut: others)
  }

  /// For operators.
  package var sentence: String {
    let users = shutOut == 1 ? "1 person has" : "\(shutOut) people have"
    return """
      revision \(revision) was applied by an earlier version: the password door is open though providers: does not name \
      password; \(users) no other way to sign in
      """
  }

  /// The remedy.
  package var advice: String {
    """
    to keep passwords, add password: {use: sign_in} under providers: and apply; to end them, apply the file as it is: \
    gatehouse policy impact \(tenant) FILE
    """
  }
}
