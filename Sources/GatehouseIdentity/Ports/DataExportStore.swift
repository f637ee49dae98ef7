package import Foundation

/// Everything that is stored about one user, for the copy that the user may have.
package protocol DataExportStore: Sendable {
  /// Nil when there is no such account. No secret is in it, hashed or sealed.
  func everything(about id: UserID) async throws -> StoredUserData?
}

/// A user's rows, except those of the audit log.
package struct StoredUserData: Sendable {
  package struct SessionRow: Sendable {
    package var session: Session
    package var endReason: String?
    package var pushPlatform: String?
    package var sealedPushToken: [UInt8]?

    package init(session: Session, endReason: String?, pushPlatform: String?, sealedPushToken: [UInt8]?) {
      self.session = session
      self.endReason = endReason
      self.pushPlatform = pushPlatform
      self.sealedPushToken = sealedPushToken
    }
  }

  /// A list of the copy, as the noun's rows declare it.
  package struct List: Sendable {
    package let name: String
    package let rows: [Row]

    package init(name: String, rows: [Row]) { (self.name, self.rows) = (name, rows) }
  }

  /// Members in their order; one without a value is left out.
  package typealias Row = [(name: String, value: Value)]

  package enum Value: Sendable {
    case text(String), moment(Date), truth(Bool)
  }

  package var user: StoredUser
  package var uniqueValues: [UniqueValue] = []
  package var hasPassword: Bool
  /// Whether the password met the rules when that was last measured.
  package var passwordComplies: Bool?
  /// How many earlier passwords are kept, as hashes.
  package var earlierPasswords: Int
  package var identities: [ProviderIdentity] = []
  package var sessions: [SessionRow] = []
  /// Everything that is a list of plain values.
  package var lists: [List] = []

  package init(user: StoredUser, hasPassword: Bool, passwordComplies: Bool?, earlierPasswords: Int) {
    self.user = user
    self.hasPassword = hasPassword
    self.passwordComplies = passwordComplies
    self.earlierPasswords = earlierPasswords
  }
}
