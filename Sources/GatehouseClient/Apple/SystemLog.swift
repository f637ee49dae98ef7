#if canImport(OSLog)
  import OSLog

  /// The system's log, which Console shows.
  enum SystemLog {
    static func add(_ entry: AuthLogEntry) {
      Logger(subsystem: "gatehouse", category: "client")
        .notice(
          """
          \(entry.event, privacy: .public): \(entry.outcome, privacy: .public) \(entry.requestID ?? "", privacy: .public)
          """)
    }
  }
#endif
