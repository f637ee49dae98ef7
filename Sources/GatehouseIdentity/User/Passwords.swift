import GatehousePolicy
package import GatehousePrimitives
import GatehouseWire

/// Hashes and checks passwords on the bounded pool: every path that a stranger can choose costs the same work.
package struct Passwords: Sendable {
  private let pool: HashPool
  private let monotonic: @Sendable () -> UInt64

  /// How long a password may wait for its turn, in nanoseconds.
  private static let patience: UInt64 = 5_000_000_000

  /// - Parameter monotonic: the pool's clock, in nanoseconds.
  package init(pool: HashPool, monotonic: @escaping @Sendable () -> UInt64) {
    self.pool = pool
    self.monotonic = monotonic
  }

  /// Waits for the turn of one password; refuses `overloaded` when too many wait already. Called before anything is
  /// counted or looked up: a client that has to come back later must not find its attempts used up, and its request
  /// costs the database nothing.
  package func permit(for tenant: TenantID) async throws -> HashPermit {
    do throws(HashPoolError) {
      return try await pool.permit(for: tenant.uuid, deadline: monotonic() + Passwords.patience)
    } catch {
      throw Passwords.refusal(error)
    }
  }

  /// The password's PHC string.
  package func hash(_ text: String, in permit: consuming HashPermit) async throws -> String {
    do {
      let password = try Password(asTyped: text)
      return try await pool.hash(password, in: permit)
    } catch let error as HashPoolError {
      throw Passwords.refusal(error)
    } catch is PasswordError {
      // Policies bound the length far below this; a text that gets here is not a password of any account.
      throw Refusal.malformed("/password", "1024 bytes at most")
    }
  }

  /// Whether the password is the one of `stored`, in the form of today or in that of before RFC 8265. Without a stored
  /// hash the same work is done and the answer is `differs`. A text too long to be the password of any account gets
  /// `differs` without any work.
  package func verify(
    _ text: String, against stored: String?, in permit: consuming HashPermit
  ) async throws -> PasswordVerdict {
    // GUARD: enumeration: a password without an account is hashed too
    guard let password = try? Password(asTyped: text) else { return .differs }
    do {
      return try await pool.verify(password, against: stored, in: permit)
    } catch {
      throw Passwords.refusal(error)
    }
  }

  private static func refusal(_ error: HashPoolError) -> Refusal {
    switch error {
    case .overloaded(let seconds): Refusal(.overloaded, retryAfter: seconds)
    case .abandoned, .shutDown, .outOfMemory:
      Refusal(.overloaded, retryAfter: 1, note: String(describing: error))
    }
  }
}

extension Password {
  /// The password that a person typed.
  init(asTyped text: String) throws(PasswordError) {
    guard !Password.isTooLong(text) else { throw .tooLong }
    try self.init(TypedText.password(text), typed: text)
  }
}
