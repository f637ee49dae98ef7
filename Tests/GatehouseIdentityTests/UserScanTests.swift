import Foundation
import Testing

@testable import GatehouseIdentity

@Suite("A look at a tenant's people, batch by batch")
struct UserScanTests {
  private let users = (0..<250).map { _ in UserID(UUID()) }

  /// What a walk read and visited, as positions among all people, and after whom it would go on.
  private struct Walked: Equatable {
    var reads: [Range<Int>] = []
    var visits = 0
    var next: Int?
  }

  private func walk(
    after start: Int? = nil, atMost most: Int = .max, within time: Duration? = nil, stopsAfter last: Int = .max
  ) async throws -> Walked {
    var walked = Walked()
    let next = try await UserScan.visit(
      after: start.map { users[$0] }, atMost: most, within: time, id: { $0 },
      read: { after, limit in
        let begin = after.flatMap { users.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        let range = begin..<min(begin + limit, users.count)
        walked.reads.append(range)
        return Array(users[range])
      },
      goesOn: { _ in
        walked.visits += 1
        return walked.visits < last
      })
    walked.next = next.flatMap { users.firstIndex(of: $0) }
    return walked
  }

  @Test("all of them are visited, few at a time")
  func all() async throws {
    #expect(try await walk() == Walked(reads: [0..<100, 100..<200, 200..<250], visits: 250, next: nil))
  }

  @Test("it goes on after a person")
  func cursor() async throws {
    #expect(try await walk(after: 199) == Walked(reads: [200..<250], visits: 50, next: nil))
  }

  @Test("it ends where the most were visited, and says where to go on")
  func most() async throws {
    #expect(try await walk(atMost: 130) == Walked(reads: [0..<100, 100..<130], visits: 130, next: 129))
  }

  @Test("it ends at the visit that says so, and goes on after that person")
  func stop() async throws {
    #expect(try await walk(stopsAfter: 7) == Walked(reads: [0..<100], visits: 7, next: 6))
  }

  @Test("its time is over after a batch, never before one")
  func time() async throws {
    #expect(try await walk(within: .zero) == Walked(reads: [0..<100], visits: 100, next: 99))
  }
}
