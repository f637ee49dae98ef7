import GatehouseTesting
import Testing

/// The table from which `script/prove --mutants` takes guards away.
@Suite("The table of guards")
struct GuardTests {
  /// Lays the mutants out in memory: of the table, or of one row that replaces `find` in a file.
  private static let script = """
    import sys
    sys.dont_write_bytecode = True
    sys.path.insert(0, sys.argv[1])
    from gatehouse_prove import mutants
    from gatehouse_prove.guards import off, table
    rows = [off("one", sys.argv[2], "none", sys.argv[3], sys.argv[4])] if len(sys.argv) > 2 else table()
    print(len(mutants.mutate(rows)))
    """

  private static func layOut(_ row: String...) throws -> Python.Outcome {
    try Python.run(script, ["\(WallTests.root)/Bench"] + row)
  }

  @Test("every row finds its text once, and no two touch the same")
  func fits() throws {
    let outcome = try Self.layOut()
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test("a row that does not fit the sources is named", arguments: ["no such text", "import"])
  func misfit(_ find: String) throws {
    let outcome = try Self.layOut("GatehouseRuntime/Loop/Loop.swift", find, "OFF")
    #expect(outcome.status == 1 && outcome.errors.contains("one: "), "\(outcome.errors)")
  }
}
