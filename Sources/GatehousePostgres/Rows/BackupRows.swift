/// The backups of a database, as far as the database knows of them.
package struct BackupState: Sendable, Equatable {
  /// Seconds since the newest dump that was noted; nil where none ever was.
  package let age: Int?
  /// Whether PostgreSQL archives its log, from which another program restores.
  package let isArchived: Bool

  package init(age: Int?, isArchived: Bool) {
    self.age = age
    self.isArchived = isArchived
  }
}

extension Database {
  /// Asks which dumps were noted, as the server's role.
  package func backupState() async throws -> BackupState {
    let row = try await read(
      nil,
      """
      SELECT
        (SELECT greatest(0, floor(extract(epoch FROM clock_timestamp() - finished_at)))::bigint
         FROM backup ORDER BY finished_at DESC LIMIT 1),
        current_setting('archive_mode') <> 'off'
      """
    ).single()
    guard let row else { throw DatabaseError.unexpectedRow("backupState") }
    return try row.read { columns in
      BackupState(age: try columns.next(), isArchived: try columns.next())
    }
  }
}
