package import Foundation

/// Which migrations a database has, against those this program brings.
package struct MigrationStatus: Sendable, Equatable {
  /// One migration that was applied.
  package struct Applied: Sendable, Equatable {
    package let number: Int
    package let name: String
    /// SHA-256 of the file's text, in hexadecimal.
    package let checksum: String
    package let appliedAt: Date
    package let tookMilliseconds: Int
  }

  /// In the order of their numbers.
  package let applied: [Applied]
  /// The migrations that `db migrate` would run, in that order.
  package let pending: [Migration]
  /// Applied with another text than this program's file has.
  package let drifted: [Migration]
  /// Applied, but unknown to this program: the database is newer.
  package let unknown: [Applied]

  /// Whether this program's schema is all there and unchanged.
  package var isCurrent: Bool { pending.isEmpty && drifted.isEmpty }

  /// Compares; `checksums` belong to `all`, in the same order.
  init(all: [Migration], checksums: [String], applied: [Applied]) {
    let known = Dictionary(zip(all.map(\.number), checksums)) { first, _ in first }
    let done = Dictionary(applied.map { ($0.number, $0) }) { first, _ in first }
    self.applied = applied
    pending = all.filter { done[$0.number] == nil }
    drifted = all.filter { migration in
      guard let applied = done[migration.number] else { return false }
      return applied.checksum != known[migration.number] || applied.name != migration.name
    }
    unknown = applied.filter { known[$0.number] == nil }
  }

  static let exists: SQL = "SELECT to_regclass('gatehouse.migration') IS NOT NULL"
  static let select: SQL = "SELECT number, name, checksum, applied_at, took_ms FROM gatehouse.migration ORDER BY number"

  /// The server computes the checksums, so that both sides of the comparison come from one place.
  static func checksums(of migrations: [Migration]) -> SQL {
    """
    SELECT encode(sha256(convert_to(file.text, 'UTF8')), 'hex')
    FROM unnest(\(migrations.map(\.sql))) WITH ORDINALITY AS file(text, place) ORDER BY place
    """
  }
}

extension Database {
  /// The state of the schema as the server's own role sees it, for start-up and readiness.
  package func migrationStatus(_ all: [Migration] = Migrations.all) async throws -> MigrationStatus {
    var applied: [MigrationStatus.Applied] = []
    if try await read(nil, MigrationStatus.exists).single()?[0] as Bool? == true {
      applied = try await read(nil, MigrationStatus.select).map(MigrationStatus.Applied.init(row:))
    }
    let checksums = try await read(nil, MigrationStatus.checksums(of: all)).map { try $0[0] as String }
    return MigrationStatus(all: all, checksums: checksums, applied: applied)
  }
}
