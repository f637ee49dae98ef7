import Foundation
import GatehouseTesting
import Testing

/// What `script/test` runs the test bundle with, here with a bundle that does what its tests' names say.
@Suite("The shards of script/test")
struct ShardTests {
  private static let bundle = """
    #!/usr/bin/python3 -I
    import os, re, signal, sys
    home = os.path.dirname(os.path.abspath(__file__))
    tests = open(home + "/tests").read().split()
    if "--list-tests" in sys.argv:
        print("\\n".join(tests))
        sys.exit()
    patterns = [sys.argv[i + 1] for i, word in enumerate(sys.argv) if word == "--filter"]
    chosen = [test for test in tests if any(re.search(pattern, test) for pattern in patterns)]
    failed = 0
    for test in chosen:
        with open(home + "/ran", "a") as ran:
            ran.write(f"{os.getpid()} {test}\\n")
        name = test.split("/")[1]
        print(f"◇ Test {name} started.", flush=True)
        if "dies" in name: os.kill(os.getpid(), signal.SIGSEGV)
        while "hangs" in name: signal.pause()
        if "fails" in name:
            failed += 1
            print(f"✘ Test {name} recorded an issue at A.swift:1:2: Expectation failed\\n↳ why it failed")
        print(f"{'✘' if 'fails' in name else '✔'} Test {name} {'failed' if 'fails' in name else 'passed'} after 0.001 seconds.")
    count = len([test for test in chosen if "forgotten" not in test])
    suites = len({test.split("/")[0] for test in chosen})
    print(f"{'✘' if failed else '✔'} Test run with {count} tests in {suites} suites {'failed' if failed else 'passed'} after 0.001 seconds.")
    sys.exit(1 if failed else 0)

    """

  private static let script = """
    import sys
    sys.dont_write_bytecode = True
    sys.path.insert(0, sys.argv.pop(1))
    from gatehouse_test.command import main
    main()
    """

  private struct Run {
    let status: Int32
    let lines: [String]
    let errors: String
    /// The process that ran each test, in the order of the tests' beginnings.
    let ran: [(process: Substring, test: Substring)]
  }

  /// A directory with the bundle of these tests.
  private static func folder(_ tests: [String]) throws -> String {
    let folder = try TestFolder.make("shards")
    try bundle.write(toFile: folder + "/bundle", atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder + "/bundle")
    try tests.joined(separator: "\n").write(toFile: folder + "/tests", atomically: true, encoding: .utf8)
    return folder
  }

  private static func words(_ folder: String) -> [String] {
    ["\(WallTests.root)/Bench", "--bundle", folder + "/bundle", "--logs", folder, "--shards", "2"]
  }

  /// Runs these tests with two shards; `words` are those of the command line.
  private static func run(_ tests: [String], _ words: String...) throws -> Run {
    let folder = try folder(tests)
    let outcome = try Python.run(script, Self.words(folder) + words)
    let ran = (try? String(contentsOfFile: folder + "/ran", encoding: .utf8)) ?? ""
    return Run(
      status: outcome.status, lines: outcome.output.split(separator: "\n").map(String.init), errors: outcome.errors,
      ran: ran.split(separator: "\n").map { line in
        let words = line.split(separator: " ")
        return (words[0], words[1])
      })
  }

  private static let alone = "GatehouseRuntimeTests.LoopLoadTests/order()"

  @Test("every test runs once, a suite in one process, and the last line is the sum in the runner's words")
  func sum() throws {
    let tests = ["A.One/a()", "A.One/b(_:)", "A.OneMore/a()", "B.Two/a()", "B.Three/a()"]
    let run = try Self.run(tests)
    #expect(run.ran.map { String($0.test) }.sorted() == tests.sorted())
    #expect(Set(run.ran.map(\.process)).count == 2)
    #expect(Set(run.ran.filter { $0.test.hasPrefix("A.One/") }.map(\.process)).count == 1)
    let last = try #require(run.lines.last)
    #expect(last.hasPrefix("✔ Test run with 5 tests in 4 suites passed after ") && run.status == 0, "\(run.lines)")
  }

  @Test("suites that measure scheduling run last, in a process of their own")
  func last() throws {
    let run = try Self.run([Self.alone, "A.One/a()", "B.Two/a()"])
    #expect(run.ran.count == 3 && run.ran.last?.test == Self.alone[...])
    #expect(run.ran.filter { $0.process == run.ran.last?.process }.count == 1)
  }

  @Test("each suite that is named as one of those exists")
  func named() throws {
    let outcome = try Python.run(
      "import sys; sys.path.insert(0, sys.argv[1]); sys.dont_write_bytecode = True\n"
        + "from gatehouse_test.deal import ALONE; print(*ALONE)", ["\(WallTests.root)/Bench"])
    let suites = outcome.output.split { $0.isWhitespace }
    #expect(!suites.isEmpty, "\(outcome.errors)")
    for suite in suites {
      let words = suite.split(separator: ".")
      let files = FileManager.default.enumerator(atPath: "\(WallTests.root)/Tests/\(words[0])")?.allObjects ?? []
      #expect(files.contains { ($0 as? String)?.hasSuffix("\(words[1]).swift") == true }, "\(suite)")
    }
  }

  @Test("what failed is said again before the summaries, and the sum says so")
  func failure() throws {
    let run = try Self.run(["A.One/a()", "B.Two/fails()"])
    let last = try #require(run.lines.last)
    #expect(last.hasPrefix("✘ Test run with 2 tests in 2 suites failed after ") && run.status == 1, "\(run.lines)")
    #expect(run.lines.filter { $0.contains("Test fails() recorded an issue") }.count == 2)
    #expect(run.lines.filter { $0.contains("why it failed") }.count == 2)
  }

  @Test(
    "a shard that does not do its work is a failure that says why",
    arguments: [
      ("dies()", "was ended by SIGSEGV during dies()"),
      ("hangs()", "said nothing for 1 seconds and was killed during hangs()"),
      ("forgotten()", "ran 0 of 1 tests"),
    ])
  func trouble(_ test: String, _ words: String) throws {
    let run = try Self.run(["A.One/a()", "B.Two/\(test)"], "--silence", "1")
    #expect(run.lines.contains { $0.contains("✘ The shard \(words)") }, "\(run.lines)")
    #expect(run.lines.last?.hasPrefix("✘ Test run with ") == true && run.status == 1)
  }

  @Test("the silence of a shard that hung is not that of the suites that run after it")
  func silence() throws {
    let run = try Self.run([Self.alone, "A.One/hangs()"], "--silence", "1")
    #expect(run.lines.contains { $0.hasPrefix("alone ✔ Test run with 1 ") }, "\(run.lines)")
  }

  @Test("a run that is killed takes its shards with it")
  func killed() async throws {
    let folder = try Self.folder(["A.One/hangs()"])
    let run = Process()
    run.executableURL = URL(filePath: "/usr/bin/python3")
    run.arguments = ["-I", "-c", Self.script] + Self.words(folder)
    run.standardOutput = FileHandle.nullDevice
    try run.run()
    var shard: pid_t?
    let hasBegun = try await eventually {
      shard = (try? String(contentsOfFile: folder + "/ran", encoding: .utf8))?.split(separator: " ").first.flatMap {
        pid_t($0)
      }
      return shard != nil
    }
    #expect(hasBegun)
    kill(run.processIdentifier, SIGKILL)
    run.waitUntilExit()
    let process = try #require(shard)
    let isGone = try await eventually { kill(process, 0) != 0 && errno == ESRCH }
    #expect(isGone)
  }

  @Test("only tests that --filter names run, and none that --skip names")
  func chosen() throws {
    let run = try Self.run(["A.One/a()", "A.One/ab()", "B.Two/a()"], "--filter", "One", "--skip", "ab")
    #expect(run.ran.map(\.test) == ["A.One/a()"], "\(run.lines)")
    #expect(run.lines.last?.hasPrefix("✔ Test run with 1 test in 1 suite passed after ") == true, "\(run.lines)")
  }

  @Test("a name that no test has is an error that says what names are")
  func unknown() throws {
    let run = try Self.run(["A.One/a()"], "--filter", "Three")
    #expect(run.status == 1 && run.errors.contains("no test has such a name"), "\(run.errors)")
  }
}
