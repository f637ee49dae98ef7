import Foundation

/// PostgreSQL processes that live in one cluster's directory: every one of them works there.
enum ClusterProcesses {
  /// The pids, by `/proc`.
  static func living(in cluster: String) -> [pid_t] {
    guard let cluster = realPath(cluster) else { return [] }
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return entries.compactMap { pid_t($0) }.filter { pid in
      // A program that was upgraded while it runs reads "… (deleted)".
      link("/proc/\(pid)/cwd") == cluster
        && link("/proc/\(pid)/exe").map { $0.hasSuffix("/postgres") || $0.hasSuffix("/postgres (deleted)") } == true
    }
  }

  /// Ends what an earlier, killed owner left behind: fast, then at once. Only the holder of the lock may call this.
  static func endLeftovers(in cluster: String) throws(EmbeddedError) {
    guard !living(in: cluster).isEmpty else { return clearStalePidFile(cluster) }
    let postmaster = pidFile(cluster)
    for (signal, limit) in [(SIGINT, 30.0), (SIGQUIT, 15.0)] {
      // Backends without a postmaster notice its absence and go by themselves.
      if let postmaster, living(in: cluster).contains(postmaster) { kill(postmaster, signal) }
      let end = Date(timeIntervalSinceNow: limit)
      var pause: useconds_t = 5_000
      while !living(in: cluster).isEmpty, Date() < end {
        usleep(pause)
        pause = min(pause * 2, 200_000)
      }
      if living(in: cluster).isEmpty { return clearStalePidFile(cluster) }
    }
    throw .leftoverRuns(pid: living(in: cluster).first ?? 0)
  }

  /// A pid file whose number was given to another process since would keep PostgreSQL from starting.
  private static func clearStalePidFile(_ cluster: String) {
    // INVARIANT: no process runs in the directory and we hold its lock, so no process can be using its files.
    if let pid = pidFile(cluster), kill(pid, 0) == 0 { unlink(cluster + "/postmaster.pid") }
  }

  private static func pidFile(_ cluster: String) -> pid_t? {
    guard let text = try? String(contentsOfFile: cluster + "/postmaster.pid", encoding: .utf8) else { return nil }
    // Two lines' worth of caution: kill(0) and kill(-n) would reach whole groups.
    return text.split(separator: "\n").first.flatMap { pid_t($0) }.flatMap { $0 > 1 ? $0 : nil }
  }

  static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func link(_ path: String) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: path)
  }
}
