// What a request took from the store for work that came to nothing: the claim of an Idempotency-Key, an attempt that
// was counted. A job gives it back, so that no answer waits for a database that is away.

package import Foundation
import GatehousePrimitives
package import GatehouseWire

/// One thing that the store gets back.
package struct Return: Sendable {
  package enum Kind: Sendable {
    /// A claim under which nothing was kept.
    case claim(IdempotencyClaim)
    /// An attempt at a password that was right.
    case attempt(SignInAttempt)
    /// Writes that take counts back. A second time they would take another request's.
    case counts([Change])

    /// Whether it can be returned again where the first time has an unknown outcome.
    fileprivate var isRepeatable: Bool { if case .counts = self { false } else { true } }

    /// Seconds after which the store has it back without this, or nearly so.
    fileprivate var life: TimeInterval { if case .claim = self { IdempotencyClaim.seconds } else { 600 } }
  }

  let kind: Kind
  let tenant: TenantID
  let since: Date

  /// Whether another try is worth it after this error.
  func isLeft(after error: any Error) -> Bool { error as? StoreError != .unknownOutcome || kind.isRepeatable }

  fileprivate func isDue(at now: Date) -> Bool { now.timeIntervalSince(since) < kind.life }
}

/// The returns that wait, the oldest first. Memory is bounded: a return beyond `most` is dropped, and its count goes on
/// until its time is over.
package final class Returns: Sendable {
  private let most: Int
  private let waiting = LockBox<[Return]>([])

  package init(most: Int = 10_000) { self.most = most }

  package var count: Int { waiting.withLock(\.count) }

  package func note(_ kind: Return.Kind, of tenant: TenantID, at now: Date) {
    putBack([Return(kind: kind, tenant: tenant, since: now)])
  }

  /// Takes some of the returns. Those that are too old for any use go.
  func take(_ limit: Int, at now: Date) -> [Return] {
    waiting.withLock { waiting in
      waiting.removeAll { !$0.isDue(at: now) }
      defer { waiting.removeFirst(min(limit, waiting.count)) }
      return Array(waiting.prefix(limit))
    }
  }

  /// Keeps what could not be given back, behind the others.
  func putBack(_ returns: [Return]) {
    // GUARD: given back: bounded memory
    waiting.withLock { $0 += returns.prefix(max(0, most - $0.count)) }
  }
}

/// Counts to return if the server fails after a right credential. A feature that finds a credential wrong leaves
/// nothing here.
package final class RightTries: Sendable {
  private let noted = LockBox<[Return.Kind]>([])

  func note(_ kind: Return.Kind) { noted.withLock { $0.append(kind) } }

  /// Another look found the user wrong, or the commit has settled it.
  func forget() { noted.withLock { $0 = [] } }

  /// The request failed, and not by its user's fault. Counts stay where the commit that settles them may have happened.
  package func failed(with code: ErrorCode?, of tenant: TenantID, at now: Date, _ returns: Returns) {
    let noted = noted.withLock { noted in
      defer { noted = [] }
      return noted
    }
    for kind in noted where code != .unknownOutcome || kind.isRepeatable {
      returns.note(kind, of: tenant, at: now)
    }
  }
}
