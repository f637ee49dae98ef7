import Foundation
import Testing

/// Each write has statements: the switch over a noun's changes names each of them, and the compiler sees one that is
/// missing. Rows are read in the order of their columns.
@Suite("Writes and rows")
struct WriteTests {
  private static let root = "\(WallTests.root)/Sources/GatehousePostgres/Rows"

  /// The texts of all files of rows, by their names.
  private func files() throws -> [String: String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.root).filter { $0.hasSuffix(".swift") }
    return Dictionary(
      uniqueKeysWithValues: try names.map { ($0, try String(contentsOfFile: "\(Self.root)/\($0)", encoding: .utf8)) })
  }

  /// The defaults of a text that write nothing.
  private func silent(in text: String) -> [String] {
    text.matches(of: /(?m)^ +default:\s*(return )?(\[\]|break)/).map { String($0.output.0) }
  }

  @Test("no write is forgotten: no file of rows has a default that writes nothing")
  func defaults() throws {
    let files = try files()
    for (name, text) in files { #expect(silent(in: text) == [], "\(name)") }
    #expect(files.count > 20)
  }

  @Test("the same look finds one that does")
  func control() {
    let sample = """
      switch change {
        case .rotate(let rotation): [rotate(rotation)]
        default: []
      }
      switch change {
        default:
          return []
      }
      switch change {
        default: statements += change.statements
      }
      """
    #expect(silent(in: sample).count == 2)
  }

  /// Columns that a text takes by their number or name.
  private func numbered(in text: String) -> [String] {
    text.matches(of: /(\$0|\brow|\)\?)\[(\d|"|first)/).map { String($0.output.0) }
  }

  @Test("no file of rows takes a column by its number or name")
  func columns() throws {
    for (name, text) in try files() { #expect(numbered(in: text) == [], "\(name)") }
  }

  @Test("the same look finds each way to do so")
  func numberedControl() {
    let sample = """
      id: try row[0], name: try row["name"], at: try row[first + 2]
      read(statement).single()?[0]
      rows.map { try $0[1] }
      rows[0].read { try $0.next() }
      """
    #expect(numbered(in: sample) == ["row[0", #"row[""#, "row[first", ")?[0", "$0[1"])
  }
}
