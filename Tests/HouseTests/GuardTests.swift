import Foundation
import GatehouseTesting
import Testing

/// The tool by which `script/prove --mutants` takes guards away, on sources of a few lines; and that each guard has its
/// row.
@Suite("Guards that are taken away")
struct GuardTests {
  /// Lays a tree out in memory: its rows are names, each with its operator. `OFF(name)` is true in the run of that
  /// mutant.
  private static let script = """
    import re, sys
    sys.dont_write_bytecode = True
    sys.path.insert(0, sys.argv[1])
    from gatehouse_prove import mutants, operators
    from gatehouse_prove.guards import guard
    rows = [guard(name, "none", eval(operator, vars(operators))) for name, operator in zip(sys.argv[3::2], sys.argv[4::2])]
    for text in mutants.mutate(rows, sys.argv[2]).values():
        print(re.sub(r'isMutant\\("(\\w+)"\\)', r"OFF(\\1)", text.split(mutants.SWITCH)[0]), end="")
    """

  private static func layOut(_ source: String, _ rows: [(name: String, operation: String)]) throws -> Python.Outcome {
    let root = try TestFolder.make("guards")
    try FileManager.default.createDirectory(atPath: "\(root)/Sources", withIntermediateDirectories: false)
    try Data((source + "\n").utf8).write(to: URL(fileURLWithPath: "\(root)/Sources/A.swift"))
    return try Python.run(script, ["\(WallTests.root)/Bench", root] + rows.flatMap { [$0.name, $0.operation] })
  }

  @Test("an operator takes the marked piece away, and nothing else", arguments: GuardSamples.shapes)
  func operators(_ sample: GuardSamples.Sample) throws {
    let outcome = try Self.layOut(sample.source, [("g", sample.operation)])
    #expect(outcome.output == sample.result.replacing("OFF", with: "OFF(g)") + "\n", "\(outcome.errors)")
  }

  @Test(
    "a piece of a shape that its operator does not know is named with file and line", arguments: GuardSamples.misfits)
  func misfits(_ sample: GuardSamples.Sample) throws {
    let outcome = try Self.layOut(sample.source, [("g", sample.operation)])
    #expect(outcome.status == 1 && outcome.output.isEmpty)
    #expect(
      outcome.errors.contains(#/Sources/A\.swift:\d+: /#) && outcome.errors.contains(sample.result), "\(outcome.errors)"
    )
  }

  @Test("of two guards one may stand inside the other")
  func nested() throws {
    let source = """
      // GUARD: outer
      if a {
        b(
          c: 1)  // GUARD: inner
      }
      """
    let outcome = try Self.layOut(source, [("outer", "skipped"), ("inner", "becomes('0')")])
    let result = """
      // GUARD: outer
      if !OFF(outer) { if a {
        b(
          c: (OFF(inner) ? 0 : (1)))  // GUARD: inner
      } }

      """
    #expect(outcome.output == result, "\(outcome.errors)")
  }

  @Test("markers and rows that do not fit each other are all named, each with file and line")
  func pairs() throws {
    let source = "f()  // GUARD: one\nf()  // GUARD: one\nf()  // GUARD: two\nf()  // GUARD: three"
    let outcome = try Self.layOut(
      source, [("one", "skipped"), ("three", "skipped"), ("three", "skipped"), ("four", "skipped")])
    #expect(outcome.status == 1)
    for line in [
      "A.swift:2: one: marked twice", "A.swift:3: two: no row", "three: in the tables twice", "four: no marker",
    ] {
      #expect(outcome.errors.contains(line), "\(outcome.errors)")
    }
    #expect(outcome.errors.matches(of: #/(?m)^  \S+:\d+: /#).count == 4)
  }

  private static let table = """
    import sys
    sys.dont_write_bytecode = True
    sys.path.insert(0, sys.argv[1])
    from gatehouse_prove import mutants
    mutants.check()
    """

  @Test("every marker of Sources has one row, every row one marker, and the row's operator fits the marked piece")
  func rows() throws {
    let outcome = try Python.run(Self.table, ["\(WallTests.root)/Bench"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let count = outcome.output.firstMatch(of: /([0-9]+) guards/).flatMap { Int($0.output.1) } ?? 0
    #expect(count > 300, "\(outcome.output)")
  }
}
