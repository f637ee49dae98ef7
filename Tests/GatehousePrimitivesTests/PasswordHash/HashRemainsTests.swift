import Foundation
import GatehouseTesting
import Testing

@testable import GatehousePrimitives

/// Work that hashes, or looks whether the thread's block holds what a hash left.
private final class Look: Sendable {
  let afterHash = LockBox<Bool?>(nil)
  let found = LockBox<[Bool]>([])

  func pool() -> HashPool {
    let hashes = PasswordHashes(cost: .owaspMinimum)
    let limits = HashPool.Limits(threads: 1, waiting: 4)
    return HashPool(limits: limits, hashes: hashes, monotonic: { 0 }) { work, counted in
      guard case .hash = work else {
        self.found.withLock { $0.append(HashArena.isClear) }
        return .verdict(.differs)
      }
      let outcome = work.perform(with: hashes, counting: &counted)
      self.afterHash.withLock { $0 = HashArena.isClear }
      return outcome
    }
  }
}

@Suite("What a hash leaves in memory") struct HashRemainsTests {
  @Test("T149 a thread that waits has cleared its block of what the last hash left there")
  func cleared() async throws {
    let look = Look()
    let pool = look.pool()
    let password = try Password("remains")
    _ = try await pool.hash(password, in: try await pool.permit(for: UUID(), deadline: .max))
    #expect(look.afterHash.withLock { $0 } == false)
    let isCleared = try await eventually {
      _ = try await pool.verify(password, against: nil, in: try await pool.permit(for: UUID(), deadline: .max))
      return look.found.withLock { $0.last } == true
    }
    #expect(isCleared)
    pool.shutDown()
  }
}
