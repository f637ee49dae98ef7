package import Foundation

/// One revision of the floor: the exact text, and who applied it why.
package struct FloorRevision: Sendable, Equatable {
  package var number: Int
  /// Nil where the floor was removed.
  package var text: String?
  /// How its author called the file.
  package var file: String
  package var author: String
  package var reason: String
  package var createdAt: Date

  package init(number: Int, text: String?, file: String, author: String, reason: String, createdAt: Date) {
    self.number = number
    self.text = text
    self.file = file
    self.author = author
    self.reason = reason
    self.createdAt = createdAt
  }
}

/// The floor of the installation. It belongs to no tenant, and the newest revision binds all of them.
package protocol FloorStore: Sendable {
  /// The number of the newest revision; 0 where there was never a floor.
  func newestFloorNumber() async throws -> Int
  func newestFloor() async throws -> FloorRevision?
  func floor(_ number: Int) async throws -> FloorRevision?
  /// The newest revisions, at most `limit`.
  func floors(limit: Int) async throws -> [FloorRevision]
  /// Adds a revision and a row of the installation's log, when its number is the newest plus one:
  /// `refused(.floorIsCurrent)` otherwise.
  func append(_ floor: FloorRevision, record: AuditEntry) async throws
}
