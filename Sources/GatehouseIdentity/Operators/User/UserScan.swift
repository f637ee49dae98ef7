import GatehousePolicy

/// A look at a tenant's users, batch by batch. Memory does not grow with their number.
enum UserScan {
  /// How many people are read and visited at a time. A visit by all rules of a policy takes some 20 µs, so a loop is
  /// held for some two milliseconds; each read lets its other jobs in, and the database is not busy for long either.
  static let batch = 100

  /// Visits people in the order in which they are read, until there are no more, `most` were visited, `time` is over,
  /// or a visit answers that it was the last. The answer is the user to go on after; nil: there are no more.
  /// - Parameters:
  ///   - read: so many of those after this one.
  static func visit<Person>(
    after cursor: UserID?, atMost most: Int = .max, within time: Duration?, id: (Person) -> UserID,
    read: (_ after: UserID?, _ limit: Int) async throws -> [Person], goesOn: (Person) -> Bool
  ) async throws -> UserID? {
    let end = time.map { ContinuousClock.now + $0 }
    var left = most
    var last = cursor
    while true {
      let limit = min(batch, left)
      let users = try await read(last, limit)
      for user in users {
        last = id(user)
        guard goesOn(user) else { return last }
      }
      left -= users.count
      if users.count < limit { return nil }
      if left == 0 || end.map({ $0 <= ContinuousClock.now }) ?? false { return last }
    }
  }

  /// How many people are read at a time where the next are read ahead. A loop is held for no longer than by a `batch`:
  /// they are compared, which costs half.
  static let page = 200

  /// As `visit`, for visits that change nothing: the next people are read while these are visited. A command has two
  /// processors for that. On a loop of a server, which has one, reading and visiting still take turns: together they
  /// would take two from users who sign in.
  static func visitAhead<Person: Sendable>(
    after cursor: UserID?, atMost most: Int = .max, within time: Duration?, id: (Person) -> UserID,
    read: @escaping @Sendable (_ after: UserID?, _ limit: Int) async throws -> [Person], visit: (Person) -> Void
  ) async throws -> UserID? {
    let end = time.map { ContinuousClock.now + $0 }
    var left = most
    var limit = min(page, left)
    var users = try await read(cursor, limit)
    var last = cursor
    while true {
      last = users.last.map(id) ?? last
      left -= users.count
      let isAtEnd = users.count < limit
      if isAtEnd || left == 0 || end.map({ $0 <= ContinuousClock.now }) ?? false {
        users.forEach(visit)
        return isAtEnd ? nil : last
      }
      let (after, most) = (last, min(page, left))
      limit = most
      async let ahead = read(after, most)
      users.forEach(visit)
      users = try await ahead
    }
  }

  /// How many accounts a statement looks at, where a filter may find few of them.
  private static let stretch = 5000

  /// Visits the accounts stretch by stretch, newest first, until there are no more, `time` is over, or a visit says at
  /// which user it stopped. The answer is the user to go on after; nil: there are no more.
  static func stretches(
    after cursor: UserID?, within time: Duration, in store: any UserStore,
    _ visit: (_ after: UserID?, _ through: UserID?) async throws -> UserID?
  ) async throws -> UserID? {
    let end = ContinuousClock.now + time
    var last = cursor
    while true {
      let through = try await store.user(places: stretch, after: last)
      if let stopped = try await visit(last, through) { return stopped }
      guard let through else { return nil }
      last = through
      if end <= ContinuousClock.now { return last }
    }
  }
}
