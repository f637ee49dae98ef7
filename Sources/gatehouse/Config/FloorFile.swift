import GatehousePolicyFile

/// The operator's bounds on every tenant's policy.
enum FloorFile {
  /// The files that it may be read from.
  static func files(_ config: Config) -> [String] { config.floor.map { [$0] } ?? config.installation.floors }

  /// The file that the configuration names, else the installation's; nil where there is none.
  /// - Throws: exit 2 for one that is named and not there, or wrong.
  static func load(_ config: Config) throws(Failure) -> Floor? {
    let path = config.floor
    for candidate in files(config) {
      switch FileText.read(candidate, limit: Document.maximumBytes + 1) {
      case .success(let bytes):
        switch Floor.read(bytes, name: candidate) {
        case .success(let floor): return floor
        case .failure(let refusal):
          throw Failure(
            .usage, "the floor \(Quoted(candidate)) is wrong:\n\(refusal.text())", hint: "config/floor.yaml")
        }
      case .failure(let problem) where problem.isMissing && path == nil: continue
      case .failure(let problem): throw Failure(.usage, "policy.floor: \(problem.description)")
      }
    }
    return nil
  }
}
