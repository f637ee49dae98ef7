import Foundation

/// Where this program is installed and what came with it: found from the program's own path, and never from the working
/// directory, into which others may be able to write.
///
/// A program that was built in a checkout and runs there uses the checkout's `config/`. Any other one uses what stands
/// in `/etc/gatehouse`, and in `share/gatehouse` beside its own `bin`, below `/usr/local` and below `/usr`.
struct Installation: Sendable {
  /// The checkout that the program was built in; nil for one that was installed or copied.
  let checkout: String?
  /// `share/gatehouse` beside the program's `bin`; nil where there is none that can be trusted.
  private let beside: String?

  /// - Parameter executable: the program's path without links; nil where it is not known.
  init(executable: String?) {
    let parts = executable?.split(separator: "/").map(String.init) ?? []
    checkout = parts.lastIndex(of: ".build").flatMap { index in
      let root = "/" + parts[..<index].joined(separator: "/")
      return access(root + "/Package.swift", F_OK) == 0 ? root : nil
    }
    beside = Self.beside(executable, parts)
  }

  /// Files of another owner are passed over: a program in `/tmp/bin` must not read what another user put into
  /// `/tmp/share`.
  private static func beside(_ executable: String?, _ parts: [String]) -> String? {
    guard let executable, parts.count > 2, parts[parts.count - 2] == "bin" else { return nil }
    let path = "/" + (parts.dropLast(2) + ["share", "gatehouse"]).joined(separator: "/")
    var (program, directory) = (stat(), stat())
    guard stat(executable, &program) == 0, stat(path, &directory) == 0 else { return nil }
    // GUARD: installation: no files of others
    guard directory.st_uid == 0 || directory.st_uid == program.st_uid else { return nil }
    return path
  }

  /// Where the configuration is looked for when no flag or variable names it; the first that exists is read.
  var configurations: [String] { below(checkout, "config/gatehouse.yaml") + ["/etc/gatehouse/gatehouse.yaml"] }
  /// The same of the floor.
  var floors: [String] { below(checkout, "config/floor.yaml") + ["/etc/gatehouse/floor.yaml"] }
  /// The same of each list.
  var lists: [String] {
    below(checkout, "config/lists") + below(beside, "lists")
      + ["/usr/local/share/gatehouse/lists", "/usr/share/gatehouse/lists"]
  }

  private func below(_ directory: String?, _ name: String) -> [String] { directory.map { ["\($0)/\(name)"] } ?? [] }

  /// The parts of a configuration in the working directory that are not read, each with the way to name it.
  func passedOver(_ config: Config, named: Bool) -> [String] {
    let candidates: [(path: String, isNamed: Bool, used: [String], how: String)] = [
      ("config/gatehouse.yaml", named, configurations, "--config config/gatehouse.yaml"),
      ("config/floor.yaml", config.floor != nil, floors, "policy.floor"),
      ("config/lists", config.lists != nil, lists, "lists"),
    ]
    return candidates.filter { candidate in
      !candidate.isNamed && Self.identity(candidate.path) != nil
        && !candidate.used.contains { Self.identity($0) == Self.identity(candidate.path) }
    }.map { "\($0.path) of the working directory is not read; to use it, name it: \($0.how)" }
  }

  /// The identity of a file; nil where there is none.
  private static func identity(_ path: String) -> [UInt]? {
    var status = stat()
    return stat(path, &status) == 0 ? [UInt(status.st_dev), UInt(status.st_ino)] : nil
  }

  /// The path of this process's program, links resolved by the kernel.
  static var executable: String? { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") }
}
