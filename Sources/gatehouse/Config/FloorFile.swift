import Foundation
import GatehousePolicyFile

/// The operator's bounds on every tenant's policy, as a file.
enum FloorFile {
  /// The files that it may be read from.
  static func files(_ config: Config) -> [String] { config.floor.map { [$0] } ?? config.installation.floors }

  /// The file that the configuration names, else the installation's; nil where there is none.
  static func present(_ config: Config) -> String? {
    config.floor ?? files(config).first { access($0, F_OK) == 0 }
  }

  /// The same, read.
  /// - Throws: exit 2 for one that is named and not there, or wrong.
  static func load(_ config: Config) throws(Failure) -> Floor? {
    for path in files(config) {
      switch FileText.read(path, limit: Document.maximumBytes + 1) {
      case .success(let bytes): return try floor(bytes, path)
      case .failure(let problem) where problem.isMissing && config.floor == nil: continue
      case .failure(let problem): throw Failure(.usage, "policy.floor: \(problem.description)")
      }
    }
    return nil
  }

  /// The floor of a file that a command was given.
  /// - Throws: exit 3 for one that is not there, 2 for one that is wrong.
  static func read(_ path: String) throws(Failure) -> Floor {
    switch FileText.read(path, limit: Document.maximumBytes + 1) {
    case .success(let bytes): return try floor(bytes, path)
    case .failure(let problem): throw Failure(problem.isMissing ? .notFound : .usage, problem.description)
    }
  }

  private static func floor(_ bytes: [UInt8], _ path: String) throws(Failure) -> Floor {
    switch Floor.read(bytes, name: path) {
    case .success(let floor): return floor
    case .failure(let refusal):
      throw Failure(.usage, "the floor \(Quoted(path)) is wrong:\n\(refusal.text())")
    }
  }
}
