import Foundation
import Testing

/// Each write has statements: the switch over all changes names each of them, and the compiler sees one that is missing.
@Suite("Writes")
struct WriteTests {
  /// The defaults of a text that write nothing.
  private func silent(in text: String) -> [String] {
    text.matches(of: /(?m)^ +default:\s*(return )?(\[\]|break)/).map { String($0.output.0) }
  }

  @Test("no write is forgotten: no file of rows has a default that writes nothing")
  func defaults() throws {
    let root = "\(WallTests.root)/Sources/GatehousePostgres/Rows"
    let files = try FileManager.default.contentsOfDirectory(atPath: root).filter { $0.hasSuffix(".swift") }
    for file in files {
      #expect(silent(in: try String(contentsOfFile: "\(root)/\(file)", encoding: .utf8)) == [], "\(file)")
    }
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
}
