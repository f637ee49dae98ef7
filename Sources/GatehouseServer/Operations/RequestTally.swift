import GatehousePrimitives

/// Requests answered and how long that took, as one part of the server counts them. Each loop has its own: counting
/// together, they would wait for each other at every request.
final class RequestTally: Sendable {
  struct Answered: Hashable {
    var method: String
    var route: String
    var status: Int
  }

  struct Answers {
    var count = 0
    var microseconds = 0

    mutating func add(_ other: Answers) {
      count += other.count
      microseconds &+= other.microseconds
    }
  }

  struct State: Sendable {
    var requests: [Answered: Answers] = [:]
    var buckets = [Int](repeating: 0, count: RequestTally.bounds.count + 1)

    mutating func add(_ other: State) {
      for (answered, answers) in other.requests { requests[answered, default: Answers()].add(answers) }
      for index in buckets.indices { buckets[index] += other.buckets[index] }
    }
  }

  /// Upper bounds of the latency histogram, in microseconds.
  static let bounds = [500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000, 5_000_000]

  private let state = LockBox(State())

  /// The counts so far.
  var counts: State { state.withLock { $0 } }

  func count(_ record: RequestRecord) {
    let microseconds = max(0, record.microseconds)
    let bucket = RequestTally.bounds.firstIndex { microseconds <= $0 } ?? RequestTally.bounds.count
    let answered = Answered(method: record.method, route: record.route, status: record.status)
    state.withLock { state in
      state.requests[answered, default: Answers()].add(Answers(count: 1, microseconds: microseconds))
      state.buckets[bucket] += 1
    }
  }
}
