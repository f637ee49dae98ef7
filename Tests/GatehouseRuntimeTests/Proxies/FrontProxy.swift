import Foundation
import GatehouseTesting
import Glibc

@testable import GatehouseRuntime

/// A real HAProxy or nginx in a directory of its own, started as a daemon: once its first process has ended, it
/// listens.
final class FrontProxy {
  enum Kind: String, CaseIterable, CustomStringConvertible {
    case haproxy, nginx
    var description: String { rawValue }
  }

  struct NotStarted: Error { let why: String }

  let directory: String
  private let pidFile: String

  /// A directory short enough for the paths of sockets in it, which every user may enter.
  static func directory() throws -> String {
    try TestFolder.make("proxy", forEverybody: true)
  }

  /// - Parameters:
  ///   - configuration: for nginx the whole of the `http` section.
  ///   - directory: made by `directory()`; removed at the end.
  init(_ kind: Kind, _ configuration: String, in directory: String) throws {
    self.directory = directory
    pidFile = "\(directory)/pid"
    let file = "\(directory)/configuration"
    switch kind {
    case .haproxy:
      try configuration.write(toFile: file, atomically: true, encoding: .utf8)
      try run("/usr/sbin/haproxy", ["-D", "-p", pidFile, "-f", file])
    case .nginx:
      let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map { "\($0)_temp_path \(directory)/\($0);" }.joined(separator: " ")
      let user = getuid() == 0 ? "user root;" : ""
      let whole = """
        \(user) pid \(pidFile); error_log \(directory)/error.log; worker_processes 1;
        events { worker_connections 512; }
        http { access_log off; \(temporary)
        \(configuration)
        }
        """
      try whole.write(toFile: file, atomically: true, encoding: .utf8)
      try run("/usr/sbin/nginx", ["-p", directory, "-c", file])
    }
  }

  deinit {
    for line in ((try? String(contentsOfFile: pidFile, encoding: .utf8)) ?? "").split(separator: "\n") {
      if let process = Int32(line) { kill(process, SIGTERM) }
    }
    try? FileManager.default.removeItem(atPath: directory)
  }

  private func run(_ program: String, _ arguments: [String]) throws {
    let (status, output) = try Command.run(program, arguments)
    guard status == 0 else { throw NotStarted(why: "\(program): \(output)") }
  }
}

/// Runs a program to its end. Not by Foundation's `Process`: that waits until every process has closed what the program
/// inherited, and a daemon never does.
enum Command {
  struct NotRun: Error { let why: String }

  static func run(_ program: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
    // A file, not a pipe: a daemon keeps its output open.
    let path = TestFolder.path("output")
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    // No socket of a test lives on in a daemon.
    for descriptor in 3..<(1024 as Int32) { posix_spawn_file_actions_addclose(&actions, descriptor) }
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var child: pid_t = 0
    let failure = posix_spawn(&child, program, &actions, nil, &words, environ)
    guard failure == 0 else { throw NotRun(why: "\(program): error \(failure)") }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    let code = status & 0x7F == 0 ? status >> 8 & 0xFF : -1
    return (code, (try? String(contentsOfFile: path, encoding: .utf8)) ?? "")
  }
}
