import CPlatform
import Foundation

/// Starting programs.
enum ChildProcess {
  /// The environment of every child, without variables of this process.
  static let environment = ["PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "TZ=UTC", "HOME=/"]

  /// Starts a program with its output on `output`. The kernel interrupts it when the calling *thread* ends, so that
  /// thread must live as long as the child may.
  static func spawn(
    _ path: String, _ arguments: [String], as user: OSUser?, in directory: String = "/", output: Int32
  ) throws(EmbeddedError) -> pid_t {
    let words = ([path] + arguments).map { strdup($0) }
    let variables = environment.map { strdup($0) }
    defer { for pointer in words + variables { free(pointer) } }
    let drops = user.map(\.isOther) ?? false
    let pid = platform_spawn(
      path, words + [nil], variables + [nil], drops ? user?.uid ?? uid_t.max : uid_t.max,
      drops ? user?.gid ?? gid_t.max : gid_t.max, directory, output, true)
    guard pid > 0 else { throw .errno(path) }
    return pid
  }

  /// Runs a program to its end; its exit status (128 + signal if one ended it) and up to 64 KB of its output.
  static func run(
    _ path: String, _ arguments: [String], as user: OSUser? = nil
  ) throws(EmbeddedError) -> (status: Int32, output: String) {
    var pipe: (Int32, Int32) = (0, 0)
    let made = withUnsafeMutablePointer(to: &pipe) {
      $0.withMemoryRebound(to: Int32.self, capacity: 2) { platform_pipe($0) }
    }
    guard made == 0 else { throw .errno("pipe") }
    defer { close(pipe.0) }
    let pid: pid_t
    do {
      pid = try spawn(path, arguments, as: user, output: pipe.1)
    } catch {
      close(pipe.1)
      throw error
    }
    close(pipe.1)
    var output: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(pipe.0, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      if output.count < 65_536 { output += chunk[..<count] }
    }
    return (wait(for: pid), String(decoding: output, as: UTF8.self))
  }

  /// Waits for a child's end; its exit status, 128 + signal if one ended it.
  static func wait(for pid: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 {
      guard errno == EINTR else { return -1 }
    }
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }
}
