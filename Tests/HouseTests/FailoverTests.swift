import Foundation
import Testing

/// The parts of `script/prove failover` that need no cluster: ledger, judge, templates of `deploy/`, names of metrics.
@Suite("The proof of failover")
struct FailoverTests {
  /// Runs tests of Python's `unittest`; the exit code and what they print.
  private func run(_ names: String...) throws -> (exit: Int32, output: String) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = ["-B", "-m", "unittest"] + names
    process.currentDirectoryURL = URL(filePath: "\(WallTests.root)/Bench")
    (process.standardOutput, process.standardError) = (pipe, pipe)
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, output)
  }

  @Test("its ledger, judge, templates and alarms do what they say")
  func tests() throws {
    let outcome = try run("gatehouse_prove.failover.tests")
    #expect(outcome.exit == 0 && outcome.output.contains("OK"), "\(outcome.output)")
  }

  @Test("a test that does not exist is a failure")
  func control() throws {
    let outcome = try run("gatehouse_prove.failover.tests.NoTests")
    #expect(outcome.exit != 0)
  }
}
