import GatehousePolicyFile

/// The operator's bounds on every tenant's policy.
enum FloorFile {
  /// Where it is looked for when the configuration does not say: the working copy, then the installed file.
  static let usual = ["config/floor.yaml", "/etc/gatehouse/floor.yaml"]

  /// Nil where there is none.
  /// - Throws: exit 2 for one that is named and not there, or wrong.
  static func load(_ path: String?) throws(Failure) -> Floor? {
    for candidate in path.map({ [$0] }) ?? usual {
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
