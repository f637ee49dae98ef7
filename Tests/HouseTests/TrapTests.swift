import Foundation
import Testing

/// The expressions that end the process, against the table that says why no request reaches them.
@Suite("Traps")
struct TrapTests {
  /// A file below `Sources` and the whole line of a trap in it.
  struct Trap: Hashable, Comparable {
    let file: String
    let text: String

    static func < (one: Trap, other: Trap) -> Bool { (one.file, one.text) < (other.file, other.text) }
  }

  private static let words = [
    "precondition(", "preconditionFailure(", "fatalError(", "assert(", "assertionFailure(", "try! ", "as! ", "unowned ",
  ].map { Array($0.utf8) }

  /// Whether a line of Swift can trap on purpose.
  static func isTrap(_ line: Substring) -> Bool {
    let code = Array(line.trimmingCharacters(in: .whitespaces).utf8)
    guard !code.starts(with: "//".utf8) else { return false }
    return words.contains { code.firstRange(of: $0) != nil } || code.indices.contains { isUnwrapping(code, $0) }
  }

  /// Whether an exclamation mark stands behind a value, and neither before `=` nor at the end of a text.
  private static func isUnwrapping(_ code: [UInt8], _ place: Int) -> Bool {
    guard code[place] == UInt8(ascii: "!"), place > 0 else { return false }
    let before = Character(Unicode.Scalar(code[place - 1]))
    guard before.isLetter || before.isNumber || "_)]>".contains(before) else { return false }
    return place + 1 == code.count || !"=\"".utf8.contains(code[place + 1])
  }

  /// Every trap with the lines where it stands.
  private static func traps() throws -> [Trap: [Int]] {
    var found: [Trap: [Int]] = [:]
    for room in WallTests.walls.keys {
      for line in try WallTests.lines(of: room) where isTrap(line.text) {
        let trap = Trap(
          file: String(line.file.dropFirst("Sources/".count)), text: line.text.trimmingCharacters(in: .whitespaces))
        found[trap, default: []].append(line.number)
      }
    }
    return found
  }

  /// The rows of `docs/traps.md`: how many there are of each trap, and the traps without a reason.
  private static func rows() throws -> (counts: [Trap: Int], unexplained: [Trap]) {
    let table = try String(contentsOfFile: "\(WallTests.root)/docs/traps.md", encoding: .utf8)
    var (counts, unexplained): ([Trap: Int], [Trap]) = ([:], [])
    for row in table.matches(of: /(?m)^\| (\S+\.swift) \| `(.*)` \| (.*) \|$/) {
      let trap = Trap(file: String(row.1), text: String(row.2))
      counts[trap, default: 0] += 1
      if row.3.split(separator: " ").count < 4 { unexplained.append(trap) }
    }
    return (counts, unexplained)
  }

  @Test("T123 every trap of Sources has a row with the reason why no request reaches it, and every row its trap")
  func complete() throws {
    let (traps, rows) = (try Self.traps(), try Self.rows())
    for (trap, lines) in traps.sorted(by: { $0.key < $1.key }) where rows.counts[trap] != lines.count {
      Issue.record("Sources/\(trap.file):\(lines): \(trap.text): \(rows.counts[trap] ?? 0) rows in docs/traps.md")
    }
    #expect(Set(rows.counts.keys).subtracting(traps.keys).sorted() == [])
    #expect(rows.unexplained.sorted() == [])
  }

  @Test(
    "each kind of trap is seen", arguments: ["precondition(a)", "fatalError()", "try! f()", "a as! B", "a!.b", "x[0]!"])
  func seen(_ line: String) { #expect(Self.isTrap(Substring("  let a = \(line)"))) }

  @Test(
    "what is no trap is none",
    arguments: ["a != b", "!a", "// fatalError()", "preconditionRequired", "if a!=b {", "\"none!\""])
  func unseen(_ line: String) { #expect(!Self.isTrap(Substring(line))) }
}
