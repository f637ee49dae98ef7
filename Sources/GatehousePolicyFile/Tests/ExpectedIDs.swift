/// The expectation of a test for a list of ids.
package enum ExpectedIDs: Sendable, Equatable {
  /// These and no others, in this order; an id with `*` stands for one or more of its family.
  case exactly([String])
  /// At least one id for each of `includes`, and none for any of `excludes`; other ids may stand there.
  case containing(includes: [String], excludes: [String])

  /// The ids of which one is expected.
  var expected: [String] {
    switch self {
    case .exactly(let ids), .containing(let ids, _): ids
    }
  }

  /// The text in a report.
  var shown: String {
    switch self {
    case .exactly(let ids): Self.list(ids)
    case .containing(let includes, let excludes):
      [("includes", includes), ("excludes", excludes)].filter { !$0.1.isEmpty }
        .map { "\($0.0) \(Self.list($0.1))" }.joined(separator: ", ")
    }
  }

  func holds(_ found: [String]) -> Bool {
    switch self {
    case .exactly(let ids): Family.matches(ids, found)
    case .containing(let includes, let excludes):
      includes.allSatisfy { Self.stands($0, in: found) } && !excludes.contains { Self.stands($0, in: found) }
    }
  }

  /// The part of a list that this expectation sees: all of it, or those of its own ids that are in it.
  func seen(in found: [String]) -> [String] {
    switch self {
    case .exactly: found
    case .containing(let includes, let excludes): (includes + excludes).filter { Self.stands($0, in: found) }
    }
  }

  /// Ids of a list that are not expected there.
  func unexpected(in found: [String]) -> [String] {
    switch self {
    case .exactly(let ids): found.filter { id in !ids.contains { Family.matches($0, id) } }
    case .containing(_, let excludes): found.filter { id in excludes.contains { Family.matches($0, id) } }
    }
  }

  /// Expected ids that stand nowhere in a list.
  func missing(in found: [String]) -> [String] { expected.filter { !Self.stands($0, in: found) } }

  static func list(_ ids: [String]) -> String { "[" + ids.joined(separator: ", ") + "]" }

  static func stands(_ pattern: String, in found: [String]) -> Bool {
    found.contains { Family.matches(pattern, $0) }
  }
}

/// A list of ids as a decision has it, equal to another where an expectation sees no difference.
struct ObservedIDs: Equatable {
  let found: [String]
  let seen: [String]

  init?(_ found: [String], _ expected: ExpectedIDs?) {
    guard let expected else { return nil }
    self.found = found
    seen = expected.seen(in: found)
  }

  static func == (left: ObservedIDs, right: ObservedIDs) -> Bool { left.seen == right.seen }
}
