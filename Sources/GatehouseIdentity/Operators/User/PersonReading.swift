import GatehousePolicy
package import GatehouseAdminWire
import GatehouseWire

/// The scopes that a token needs to see stored data about people: one table for reads, and for operations that show the
/// same data as a side effect.
package enum PersonReading {
  /// Lists, and the record of one person.
  static let record: [AdminScope] = [.userRead]
  /// A copy that leaves here: the user's part of the audit log is in it.
  package static let copy: [AdminScope] = [.userRead, .auditRead]

  /// The scopes to send a field on to another server. A message tells an action of a person and its time, as the audit
  /// log does, and goes on when the token has ended; so a field that other users do not see is copied.
  /// - Parameter field: `email`, or a name. One that the policy has no more counts as hidden from all users.
  static func scopes(toSend field: String, by policy: Policy) -> [AdminScope] {
    guard field != "email" else { return record }
    return switch policy.profile.field(field)?.visibleTo {
    case .users: record
    case .`self`, .admin, nil: copy
    }
  }
}
