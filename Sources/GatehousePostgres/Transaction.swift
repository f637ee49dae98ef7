import Foundation
import GatehousePrimitives

/// An interactive transaction: several round trips on a connection of its own. Use it where a later statement depends
/// on an earlier answer; everything else is one batch of `Database.write`.
package final class Transaction: Sendable {
  /// How much of other transactions this one sees.
  package enum Isolation: Sendable {
    case readCommitted, repeatableRead, serializable

    var begin: SQL {
      switch self {
      case .readCommitted: "BEGIN ISOLATION LEVEL READ COMMITTED"
      case .repeatableRead: "BEGIN ISOLATION LEVEL REPEATABLE READ"
      case .serializable: "BEGIN ISOLATION LEVEL SERIALIZABLE"
      }
    }
  }

  private struct State {
    var hasBegun = false
    var failure: DatabaseError?
  }

  private let pool: ExclusivePool
  private let lease: ExclusivePool.Lease
  private let opening: [SQL]
  private let state = LockBox(State())

  init(pool: ExclusivePool, lease: ExclusivePool.Lease, tenant: UUID?, now: Date?, isolation: Isolation) {
    self.pool = pool
    self.lease = lease
    opening = [isolation.begin] + Job.opening(tenant, now: now)
  }

  /// The first error a statement of this transaction met; it can then only be rolled back.
  var failure: DatabaseError? { state.withLock { $0.failure } }

  /// Runs one statement. After an error the transaction is lost and every further statement throws that error.
  package func query(_ statement: SQL) async throws -> Rows {
    guard let rows = try await query([statement]).first else { throw DatabaseError.unexpectedRow("no answer") }
    return rows
  }

  /// Runs several statements in one round trip. The transaction begins with the first of them.
  package func query(_ statements: [SQL]) async throws -> [Rows] {
    if let failure { throw failure }
    let isFirst = state.withLock { state in
      defer { state.hasBegun = true }
      return !state.hasBegun
    }
    do {
      return try await pool.run(
        .step, (isFirst ? opening : []) + statements, hidden: isFirst ? opening.count : 0, on: lease)
    } catch {
      let failure = error as? DatabaseError ?? .unavailable
      state.withLock { $0.failure = $0.failure ?? failure }
      throw error
    }
  }

  /// Commits what was done; a transaction that did nothing has nothing to commit.
  func commit() async throws {
    if let failure { throw failure }
    guard state.withLock({ $0.hasBegun }) else { return }
    let answer = try await pool.run(.commit, ["COMMIT"], on: lease)
    // COMMIT of a failed transaction succeeds as a command and answers ROLLBACK.
    guard answer.first?.command == "COMMIT" else { throw DatabaseError.unavailable }
  }

  /// Takes everything back; false if that could not be confirmed, and the connection must go.
  func rollBack() async -> Bool {
    guard state.withLock({ $0.hasBegun }) else { return true }
    return (try? await pool.run(.step, ["ROLLBACK"], on: lease)) != nil
  }
}
