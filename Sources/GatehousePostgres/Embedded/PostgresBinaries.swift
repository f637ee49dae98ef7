import Foundation

/// A folder with `initdb` and `postgres` of one major version.
struct PostgresBinaries: Sendable, Equatable {
  let folder: String
  let version: Int

  /// The oldest version whose SQL we use.
  static let oldest = 15

  var initdb: String { folder + "/initdb" }
  var postgres: String { folder + "/postgres" }

  /// `configured` alone if it is given; else Debian's folders, the newest first, then the PATH. With `cluster` only the
  /// version that made it will do.
  static func find(
    configured: String?, cluster: Int?, clusterPath: String, path: String? = ProcessInfo.processInfo.environment["PATH"]
  ) throws(EmbeddedError) -> PostgresBinaries {
    let folders = configured.map { [$0] } ?? candidates(path: path ?? "")
    let found = folders.compactMap(PostgresBinaries.init(folder:)).filter { $0.version >= oldest }
      .sorted { $0.version > $1.version }
    guard let newest = found.first else {
      throw .noBinaries(searched: configured.map { [$0] } ?? ["/usr/lib/postgresql/*/bin", "PATH"])
    }
    guard let cluster else { return newest }
    guard let fitting = found.first(where: { $0.version == cluster }) else {
      throw .noBinariesForCluster(version: String(cluster), directory: clusterPath)
    }
    return fitting
  }

  private init?(folder: String) {
    guard folder.hasPrefix("/"), access(folder + "/initdb", X_OK) == 0,
      let answer = try? ChildProcess.run(folder + "/postgres", ["--version"]), answer.status == 0,
      let number = answer.output.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Int($0) })
    else { return nil }
    self.folder = folder
    version = number
  }

  private static func candidates(path: String) -> [String] {
    let debian = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: debian)) ?? []
    let numbered = versions.compactMap { Int($0) }.sorted(by: >)
    return numbered.map { "\(debian)/\($0)/bin" } + path.split(separator: ":").map(String.init)
  }
}
