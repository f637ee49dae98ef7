import Foundation

/// The environment of the program, where a test starts it as a process of its own.
package enum ProgramEnvironment {
  /// Nothing but a home, the usual programs and what is given; and how a sanitizer was told to report, where tests are
  /// built with one.
  package static func of(_ given: [String: String], home: String) -> [String: String] {
    ProcessInfo.processInfo.environment.filter { ["TSAN_OPTIONS", "ASAN_OPTIONS"].contains($0.key) }
      .merging(["HOME": home, "PATH": "/usr/bin:/bin"]) { $1 }
      .merging(given) { $1 }
  }
}
