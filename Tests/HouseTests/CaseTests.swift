import Foundation
import GatehouseTesting
import Testing

/// The list of security demands against the tests that name them and the table of those that wait. `script/cases`
/// counts.
@Suite("Cases of THREATS.md")
struct CaseTests {
  /// What the script says of a folder, and how it ends.
  private func count(_ folder: String) throws -> (text: String, status: Int32) {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["\(WallTests.root)/script/cases", folder]
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (text, process.terminationStatus)
  }

  /// The same of a folder with one test file and one table.
  private func count(tests: String, waiting: String) throws -> (text: String, status: Int32) {
    let folder = try TestFolder.make("cases")
    try FileManager.default.createDirectory(atPath: "\(folder)/Tests", withIntermediateDirectories: true)
    try tests.write(toFile: "\(folder)/Tests/A.swift", atomically: true, encoding: .utf8)
    let table = "## Cases that wait\n\n| Cases | Why |\n|---|---|\n\(waiting)\n\n## More\n| T001 | x |\n"
    try table.write(toFile: "\(folder)/THREATS.md", atomically: true, encoding: .utf8)
    return try count(folder)
  }

  @Test("each case has a test that names it, or a line that says why it waits, and never both")
  func complete() throws {
    let (text, status) = try count(WallTests.root)
    #expect(status == 0, "\(text)")
  }

  @Test("a name, a pair of names and a range are read; a number elsewhere is none")
  func reading() throws {
    let (text, status) = try count(
      tests: #"@Test("T053 T054 a token") // T055: "see T056 and T057""#, waiting: "| T002, T103-T105 | T099 |")
    #expect(text.contains("2 of 207 applicable cases have a test"), "\(text)")
    #expect(text.contains("not applicable yet: 4"), "\(text)")
    #expect(text.contains("T052 T055 T056"), "\(text)")
    #expect(status == 1)
  }

  @Test("a case that waits and has a test, and a test of no case, are told")
  func odd() throws {
    // Without quotation marks in this file, which the script reads as well.
    let tests = "<T002 T900 a token>".replacing("<", with: "\"").replacing(">", with: "\"")
    let (text, status) = try count(tests: tests, waiting: "| T002 | later |")
    #expect(text.contains("or what is no case: T002 T900"), "\(text)")
    #expect(status == 1)
  }
}
