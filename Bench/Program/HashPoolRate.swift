import Foundation
import GatehousePrimitives

/// How many argon2id checks a second the hash pool makes by itself: `gatehouse-bench THREADS SECONDS` prints the rate.
/// No HTTP and no database: the ceiling of everything that checks a password.
@main enum HashPoolRate {
  static func main() async throws {
    let words = CommandLine.arguments.dropFirst().compactMap { Int($0) }
    guard words.count == 2, (1...256).contains(words[0]), (1...3600).contains(words[1]) else {
      FileHandle.standardError.write(Data("usage: gatehouse-bench THREADS SECONDS\n".utf8))
      exit(2)
    }
    let pool = HashPool(limits: HashPool.Limits(threads: words[0], waiting: 1024), cost: .owaspMinimum) { 0 }
    let tenant = UUID()
    let password = try Password("correct horse battery")
    let stored = try await pool.hash(password, in: pool.permit(for: tenant, deadline: .max))
    let began = ContinuousClock.now
    let end = began + .seconds(words[1])
    let count = try await withThrowingTaskGroup(of: Int.self) { group in
      // More askers than threads, so that no thread ever waits for an asker.
      for _ in 0..<4 * words[0] {
        group.addTask {
          var count = 0
          while ContinuousClock.now < end {
            let permit = try await pool.permit(for: tenant, deadline: .max)
            guard case .matches = try await pool.verify(password, against: stored, in: permit) else { exit(1) }
            count += 1
          }
          return count
        }
      }
      var sum = 0
      while let count = try await group.next() { sum += count }
      return sum
    }
    let elapsed = (ContinuousClock.now - began).components
    print(Double(count) / (Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18))
    pool.shutDown()
  }
}
