import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Cutting the audit trail at the command line")
struct AuditCutCommandTests {
  /// A tenant whose first entries were sealed in March 2024, as the database's clock has it.
  private struct Ground {
    let directory: URL
    let environment: [String: String]

    func run(_ line: String, retention: String? = "30d") throws -> Binary.Outcome {
      try Binary.run(
        line.split(separator: " ").map(String.init), in: directory,
        environment: environment.merging(retention.map { ["GATEHOUSE_AUDIT_RETENTION": $0] } ?? [:]) { $1 })
    }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: directory.path + "/" + name) }

    func text(_ name: String) throws -> String {
      try String(contentsOf: directory.appending(path: name), encoding: .utf8)
    }

    func write(_ text: String, _ name: String) throws {
      try text.write(to: directory.appending(path: name), atomically: true, encoding: .utf8)
    }
  }

  private func ground(_ body: (Ground) throws -> Void) async throws {
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let database = try await TestDatabase.make()
    let ground = Ground(
      directory: directory,
      environment: try Binary.environment(database, in: directory, ["SUDO_USER": "olivia"]))
    try ground.write(try TestLists.policy("messai"), "messai.yaml")
    try await database.runAsSuperuser(
      script: "ALTER DATABASE \"\(database.name)\" SET \"app.now\" = '2024-03-01T12:00:00Z'")
    let made = try ground.run("tenant create messai --policy messai.yaml")
    try #require(made.exit == 0, "\(made.errors)")
    // A copy seals what waits.
    try #require(try ground.run("audit export messai").exit == 0)
    try await database.runAsSuperuser(script: "ALTER DATABASE \"\(database.name)\" RESET \"app.now\"")
    try body(ground)
    try await database.drop()
  }

  private static let cut = "audit cut messai --before 2024-06-01 --export old.ndjson"

  @Test("T121 a cut writes its file, deletes what is in it, and verify joins the two; run again it changes nothing")
  func cut() async throws {
    try await ground { ground in
      let dry = try ground.run(Self.cut + " --dry-run")
      #expect(dry.exit == 0 && dry.errors.contains("entries 1 to 2 of the audit log of messai"), "\(dry.errors)")
      let text = try ground.text("old.ndjson")
      #expect(!ground.exists("old.ndjson.part"))
      let cut = try ground.run(Self.cut + " --yes")
      #expect(cut.exit == 0 && cut.errors.contains("cut up to 2; 2 entries were deleted"), "\(cut.errors)")
      #expect(try ground.text("old.ndjson") == text, "the copy of the dry run is the one that counts")
      let again = try ground.run(Self.cut + " --yes")
      #expect(again.exit == 0 && again.errors.contains("0 entries"), "\(again.errors)")
      let whole = try ground.run("audit verify messai --output json")
      #expect(whole.exit == 0 && whole.output.contains(#""cut":2"#), "\(whole.output)")
      #expect(whole.output.contains("olivia by sudo)\""))
      #expect(try ground.run("audit verify messai --against old.ndjson").exit == 0)
      #expect(try ground.run("audit verify --file old.ndjson").exit == 0)
      // Two exports in one file.
      let rest = try ground.run("audit export messai")
      try ground.write(text + rest.output, "archive.ndjson")
      #expect(try ground.run("audit verify --file archive.ndjson").exit == 0)
      #expect(try ground.run("audit verify messai --against archive.ndjson").exit == 0)
      try ground.write(text.replacing("olivia", with: "oliver"), "changed.ndjson")
      let changed = try ground.run("audit verify messai --against changed.ndjson")
      #expect(changed.exit == 1 && changed.output.contains("edited"), "\(changed.output)")
      try ground.write(text + "\n", "longer.ndjson")
      #expect(try ground.run("audit verify messai --against longer.ndjson").exit == 1)
    }
  }

  @Test("a cut that cannot be made says why, and deletes nothing")
  func refused() async throws {
    try await ground { ground in
      let unset = try ground.run(Self.cut + " --yes", retention: nil)
      #expect(unset.exit == 1 && unset.errors.contains("audit.retention is not set"), "\(unset.errors)")
      let kept = try ground.run(Self.cut + " --yes", retention: "36500d")
      #expect(kept.exit == 1 && kept.errors.contains("audit.retention keeps"), "\(kept.errors)")
      #expect(try ground.run("audit cut messai --before 2024-06-01").exit == 2)
      #expect(try ground.run(Self.cut).exit == 2, "it asks, and no terminal is there to answer")
      #expect(try ground.run("audit cut messai --before 2024-02-01 --export none.ndjson --yes").exit == 3)
      #expect(!ground.exists("none.ndjson"))
      #expect(try ground.run("audit cut messai --before 2024-07-01 --export old.ndjson --yes").exit == 1)
      try ground.write("something else\n", "taken.ndjson")
      let taken = try ground.run("audit cut messai --before 2024-06-01 --export taken.ndjson --yes")
      #expect(taken.exit == 1, "\(taken.errors)")
      #expect(try ground.text("taken.ndjson") == "something else\n")
      let nowhere = try ground.run("audit cut messai --before 2024-06-01 --export nowhere/old.ndjson --yes")
      #expect(nowhere.exit == 6, "\(nowhere.errors)")
      let whole = try ground.run("audit verify messai --output json")
      #expect(whole.exit == 0 && !whole.output.contains(#""cut""#), "\(whole.output)")
    }
  }
}
