package import GatehousePrimitives

/// Hashes and checks passwords on the bounded pool: every path that a stranger can choose costs the same work.
package struct Passwords: Sendable {
  private let pool: HashPool

  package init(pool: HashPool) { self.pool = pool }

  /// The password's PHC string. Throws `overloaded` before any work when the pool is full.
  package func hash(_ password: String, for tenant: TenantID) async throws -> String {
    try await working { try await pool.hash(try PasswordText(password), share: tenant.uuid) }
  }

  /// Whether the password is the one of `stored`. Without a stored hash the same work is done and the answer is no.
  package func verify(_ password: String, against stored: String?, for tenant: TenantID) async throws -> Bool {
    guard let text = try? PasswordText(password) else { return false }
    return try await working {
      try await pool.verify(text, against: stored ?? PasswordHashes.dummy, share: tenant.uuid)
    } && stored != nil
  }

  private func working<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
    do {
      return try await body()
    } catch HashPoolError.overloaded(let seconds) {
      throw Refusal(.overloaded, retryAfter: seconds)
    }
  }
}
