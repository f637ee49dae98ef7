package import Foundation

/// A server that runs on the store's database.
package struct ServerRecord: Sendable, Equatable {
  package var id: UUID
  /// The name of its machine, 1 to 255 bytes.
  package var name: String
  package var version: String
  /// The words of the policy language that it reads (`PolicyVocabulary`).
  package var vocabulary: [String]
  package var startedAt: Date

  package init(id: UUID, name: String, version: String, vocabulary: [String], startedAt: Date) {
    self.id = id
    self.name = name
    self.version = version
    self.vocabulary = vocabulary
    self.startedAt = startedAt
  }
}

/// Servers of one version that were seen lately.
package struct SeenServers: Sendable, Equatable {
  package var version: String
  package var vocabulary: [String]
  package var count: Int
  /// The machine of the one that was seen last.
  package var newest: String
  package var seenAt: Date

  package init(version: String, vocabulary: [String], count: Int, newest: String, seenAt: Date) {
    self.version = version
    self.vocabulary = vocabulary
    self.count = count
    self.newest = newest
    self.seenAt = seenAt
  }
}

/// The servers of an installation. They belong to no tenant.
package protocol ServerStore: Sendable {
  /// The time by the database's clock, at the moment when it answers.
  func databaseTime() async throws -> Date
  /// Notes that the server runs now. Rows of servers that were not seen for a day go.
  func announce(_ server: ServerRecord) async throws
  /// The server has stopped.
  func withdraw(_ server: UUID) async throws
  /// Those seen within so many seconds, by version and vocabulary.
  func servers(seenWithin seconds: Int) async throws -> [SeenServers]
}
