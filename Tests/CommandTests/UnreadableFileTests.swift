import Foundation
import GatehouseTesting
import Testing

@Suite("Policy files that cannot be read, among others that can")
struct UnreadableFileTests {
  /// Runs a command where `big.yaml` is too large, `good.yaml` is a policy and `folder` is a directory.
  private func run(_ line: String) throws -> Binary.Outcome {
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let url = directory.appending(path: "big.yaml")
    _ = FileManager.default.createFile(atPath: url.path, contents: nil)
    let file = try FileHandle(forWritingTo: url)
    try file.truncate(atOffset: 64 * 1024 * 1024)
    try file.close()
    let good = """
      schema: gatehouse/policy.v1
      tenant: demo
      app: {name: Demo}
      password: {rules: [{id: min8, min_length: 8}]}
      tests:
        - {name: too short, set_password: {password: abc}, expect: {violations: [password.min8]}}

      """
    try good.write(to: directory.appending(path: "good.yaml"), atomically: true, encoding: .utf8)
    try FileManager.default.createDirectory(
      at: directory.appending(path: "folder"), withIntermediateDirectories: true)
    return try Binary.run(ShellWords.split(line), in: directory)
  }

  @Test(
    "a file that is too large is a finding with its code in every format, and the next file has its report",
    arguments: ["", "--format json", "--format sarif", "--format github"]
      + ["json", "csv", "ndjson", "table"].map { "--output \($0)" })
  func tooLarge(format: String) throws {
    let checked = try run("policy check big.yaml good.yaml \(format)")
    #expect(checked.exit == 1)
    #expect(checked.output.contains("P0101") && checked.output.contains("big.yaml"), "\(checked.output)")
    #expect(checked.errors.contains("big.yaml: 1 error\n"), "\(checked.errors)")
    #expect(checked.errors.hasSuffix("good.yaml: 1 test passed\n"), "\(checked.errors)")
  }

  @Test(
    "the other verbs on files go on behind it as well",
    arguments: [
      ("policy test big.yaml good.yaml --all", "too short"), ("policy doors big.yaml good.yaml", "password.min8"),
      ("policy doors big.yaml good.yaml --output csv", "good.yaml,password.min8"),
    ])
  func goesOn(line: String, said: String) throws {
    let outcome = try run(line)
    #expect(outcome.exit == 1 && outcome.output.contains(said), "\(outcome.output)")
    #expect(outcome.errors.contains("big.yaml:1:1: error[P0101]: the file has more than 262144 bytes"))
  }

  @Test("fmt names the file that is not in the layout behind one that is too large")
  func format() throws {
    let outcome = try run("policy fmt --check big.yaml good.yaml")
    #expect(outcome.exit == 1 && outcome.errors.contains("error[P0101]"))
  }

  @Test(
    "a device without an end is read as far as a policy may go", arguments: ["check", "test", "doors", "fmt --check"])
  func endless(verb: String) throws {
    let outcome = try run("policy \(verb) /dev/zero")
    #expect(outcome.exit == 1 && (outcome.output + outcome.errors).contains("P0101"), "\(outcome.errors)")
  }

  @Test(
    "a file that is missing, or none, ends in its exit code, after the others",
    arguments: [("missing.yaml", Int32(3)), ("folder", 2)])
  func unread(name: String, exit: Int32) throws {
    for verb in ["check", "test", "doors", "fmt --check"] {
      let outcome = try run("policy \(verb) \(name) big.yaml good.yaml")
      #expect(outcome.exit == exit, "\(verb): \(outcome.errors)")
      #expect(outcome.errors.contains("gatehouse: cannot read \"\(name)\""), "\(verb): \(outcome.errors)")
      #expect((outcome.output + outcome.errors).contains("P0101"), "\(verb)")
    }
  }

  @Test("of several, one that is missing decides the exit code")
  func several() throws {
    let outcome = try run("policy check folder missing.yaml good.yaml")
    #expect(outcome.exit == 3 && outcome.errors.contains("good.yaml: 1 test passed"))
    #expect(outcome.errors.contains("\"folder\"") && outcome.errors.contains("\"missing.yaml\""))
  }

  @Test("the file that init prints passes its own tests, mutants, strict lints and layout")
  func initial() throws {
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let environment = ["GATEHOUSE_LISTS": TestLists.root + "/config/lists"]
    let made = try Binary.run(["policy", "init", "acme"], in: directory)
    #expect(made.exit == 0)
    for line in ["policy test --mutate -", "policy check --strict -", "policy fmt --check -"] {
      let outcome = try Binary.run(
        ShellWords.split(line), in: directory, environment: environment, input: made.output)
      #expect(outcome.exit == 0, "\(line): \(outcome.output)\(outcome.errors)")
    }
    let mutated = try Binary.run(
      ["policy", "test", "--mutate", "-"], in: directory, environment: environment, input: made.output)
    #expect(
      mutated.errors == """
        every change is noticed by a test
        -: 18 changes tried, 0 not noticed
        -: changed: identifiers, password, profile, access
        -: not changed: providers, in which nothing can be loosened
        -: not changed: app, verification, sessions, privacy, limits, of which no test sees a change: policy diff judges them

        """)
  }
}
