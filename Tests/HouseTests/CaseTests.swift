import Foundation
import Testing

/// The list of security demands against the tests that name them and the table of those that wait.
@Suite("Cases of THREATS.md")
struct CaseTests {
  static let all = Set(1...211)

  /// Cases that begin the name of a test, alone or after others.
  static func named(in text: String) -> Set<Int> {
    Set(
      text.matches(of: /"((?:T[0-9]{3} )+)/).flatMap { match in
        match.1.split(separator: " ").compactMap { Int($0.dropFirst()) }
      })
  }

  /// Cases in the first column of the table of those that wait: single ones and ranges.
  static func waiting(in text: String) throws -> Set<Int> {
    let section = try #require(text.components(separatedBy: "## Cases that wait\n").last)
    let table = section.components(separatedBy: "\n## ")[0].split(separator: "\n").filter { $0.hasPrefix("| T") }
    return Set(
      table.compactMap { $0.split(separator: "|").first }.flatMap { cell in
        cell.matches(of: /T([0-9]{3})(?:-T([0-9]{3}))?/).flatMap { match -> [Int] in
          guard let first = Int(match.1) else { return [] }
          return Array(first...(match.2.flatMap { Int($0) } ?? first))
        }
      })
  }

  private func tested() throws -> Set<Int> {
    let folder = "\(WallTests.root)/Tests"
    let files = try #require(FileManager.default.enumerator(atPath: folder)?.allObjects as? [String])
    return try files.filter { $0.hasSuffix(".swift") && !$0.hasSuffix("CaseTests.swift") }.reduce(into: []) {
      $0.formUnion(Self.named(in: try String(contentsOfFile: "\(folder)/\($1)", encoding: .utf8)))
    }
  }

  private func waiting() throws -> Set<Int> {
    try Self.waiting(in: String(contentsOfFile: "\(WallTests.root)/THREATS.md", encoding: .utf8))
  }

  @Test("each case has a test that names it, or a line that says why it waits, and never both")
  func complete() throws {
    let (tested, waiting) = (try tested(), try waiting())
    #expect(Self.all.subtracting(tested).subtracting(waiting).sorted() == [])
    #expect(tested.intersection(waiting).sorted() == [])
    #expect(tested.subtracting(Self.all).sorted() == [])
  }

  @Test("script/cases counts the same")
  func script() throws {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["\(WallTests.root)/script/cases"]
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let applicable = Self.all.subtracting(try waiting())
    let covered = applicable.intersection(try tested())
    #expect(text.contains("\(covered.count) of \(applicable.count) applicable"), "\(text)")
  }

  @Test("a name, a pair of names and a range are read; a number elsewhere is none")
  func reading() throws {
    #expect(Self.named(in: #"@Test("T053 T054 a token") // T055: "see T056 and T057""#) == [53, 54])
    let table =
      "## Cases that wait\n\n| Cases | Why |\n|---|---|\n| T002, T103-T105 | T099 |\n\n## More\n| T001 | x |\n"
    #expect(try Self.waiting(in: table) == [2, 103, 104, 105])
  }
}
