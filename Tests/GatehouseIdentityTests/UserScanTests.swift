import Foundation
import Testing

@testable import GatehouseIdentity

@Suite("A look at a tenant's people, batch by batch")
struct UserScanTests {
  private let users = (0..<250).map { _ in UserID(UUID()) }

  /// What a walk read and visited, as positions among all people, and after which of them it would go on.
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

  /// A walk that reads ahead over people who are counted from 0: those it visited, and the one after which it goes on.
  private func walkAhead(
    of total: Int, after start: Int? = nil, atMost most: Int = .max, within time: Duration? = nil
  ) async throws -> (visited: [Int], next: Int?) {
    let people = (0..<total).map { _ in UserID(UUID()) }
    let places = Dictionary(uniqueKeysWithValues: people.enumerated().map { ($1, $0) })
    var visited: [Int] = []
    let next = try await UserScan.visitAhead(
      after: start.map { people[$0] }, atMost: most, within: time, id: { $0 },
      read: { after, limit in Array(people.dropFirst(after.flatMap { places[$0] }.map { $0 + 1 } ?? 0).prefix(limit)) },
      visit: { visited.append(places[$0] ?? -1) })
    return (visited, next.flatMap { places[$0] })
  }

  @Test("a walk that reads ahead visits each person once, in order, also where the last page is a full one or empty")
  func ahead() async throws {
    for total in [0, 1, 199, 200, 201, 400, 1234] {
      let walked = try await walkAhead(of: total)
      #expect(walked.visited == Array(0..<total) && walked.next == nil, "\(total)")
    }
  }

  @Test("a walk that reads ahead goes on after a person, and ends where the most were visited")
  func aheadMost() async throws {
    let walked = try await walkAhead(of: 2000, after: 9, atMost: 1100)
    #expect(walked.visited == Array(10..<1110) && walked.next == 1109)
  }

  @Test("a walk that reads ahead ends after a page when its time is over")
  func aheadTime() async throws {
    let walked = try await walkAhead(of: 2000, within: .zero)
    #expect(walked.visited == Array(0..<200) && walked.next == 199)
  }

  @Test("a page that cannot be read ends the walk with its error")
  func aheadError() async throws {
    struct Lost: Error {}
    let people = (0..<UserScan.page).map { _ in UserID(UUID()) }
    await #expect(throws: Lost.self) {
      _ = try await UserScan.visitAhead(
        after: nil, within: nil, id: { $0 },
        read: { after, _ in
          guard after == nil else { throw Lost() }
          return people
        }, visit: { (_: UserID) in })
    }
  }

  @Test("its time is over after a batch, never before one")
  func time() async throws {
    #expect(try await walk(within: .zero) == Walked(reads: [0..<100], visits: 100, next: 99))
  }
}
