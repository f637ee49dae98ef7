import GatehousePolicy

/// A look at a tenant's people, batch by batch. Memory does not grow with their number.
enum PeopleWalk {
  /// How many people are read and visited at a time. A visit by all rules of a policy takes some 20 µs, so a loop is held for some two
  /// milliseconds; each read lets its other jobs in, and the database is not busy for long either.
  static let batch = 100

  /// Visits people in the order in which they are read, until there are no more, `most` were visited, `time` is over, or a visit answers
  /// that it was the last. The answer is the person to go on after; nil: there are no more.
  /// - Parameters:
  ///   - read: so many of those after this one.
  static func visit<Person>(
    after cursor: AccountID?, atMost most: Int = .max, within time: Duration?, id: (Person) -> AccountID,
    read: (_ after: AccountID?, _ limit: Int) async throws -> [Person], goesOn: (Person) -> Bool
  ) async throws -> AccountID? {
    let end = time.map { ContinuousClock.now + $0 }
    var left = most
    var last = cursor
    while true {
      // Reading and visiting take turns on purpose: together they would take two processors from people who sign in.
      let limit = min(batch, left)
      let people = try await read(last, limit)
      for person in people {
        last = id(person)
        guard goesOn(person) else { return last }
      }
      left -= people.count
      if people.count < limit { return nil }
      if left == 0 || end.map({ $0 <= ContinuousClock.now }) ?? false { return last }
    }
  }
}
