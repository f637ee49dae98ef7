import GatehousePolicy
package import GatehouseWire

/// What a token must allow to see what is stored about people: one table for reads, and for what shows the same
/// without being asked.
package enum PersonReading {
  /// What lists and one person's record show.
  static let record: [AdminScope] = [.userRead]
  /// A copy that leaves here: the user's part of the audit log is in it.
  package static let copy: [AdminScope] = [.userRead, .auditRead]

  /// What sends a field on to another server. A message says what a person did and when, as the audit log does, and
  /// goes on when the token has ended; so a field that other users do not see is copied.
  /// - Parameter field: `email`, or a name. One that the policy has no more counts as hidden from all users.
  static func scopes(toSend field: String, by policy: Policy) -> [AdminScope] {
    guard field != "email" else { return record }
    return switch policy.profile.field(field)?.visibleTo {
    case .users: record
    case .`self`, .admin, nil: copy
    }
  }
}
