import GatehousePostgres

/// The doctor's finding about dumps of the database.
enum BackupFinding {
  /// A dump older than this is told: a daily one was missed.
  static let most = 36 * 3600

  /// Nothing where no dump is expected: in development, and of a private cluster of which none was ever noted.
  static func of(_ state: BackupState, isOwn: Bool, isDevelopment: Bool) -> Finding? {
    if let age = state.age {
      let words = "last backup: \(spoken(age)) ago"
      return age > most
        ? .warning("backup", words, "systemctl status gatehouse-backup gatehouse-backup.timer")
        : .good("backup", words)
    }
    guard isOwn, !isDevelopment else { return nil }
    if state.isArchived { return .good("backup", "no dump is noted; PostgreSQL archives its log (archive_mode)") }
    return .warning(
      "backup", "last backup: never",
      "gatehouse db roles --backup and gatehouse-backup.timer: docs/operations.md, Backup")
  }

  private static func spoken(_ seconds: Int) -> String {
    let units = [(86_400, "days"), (3600, "h"), (60, "min")]
    for (length, unit) in units where seconds >= 2 * length { return "\(seconds / length) \(unit)" }
    return "\(seconds) s"
  }
}
