import Foundation
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import gatehouse

@Suite("What is found from the program's place, and never from the working directory")
struct InstallationTests {
  /// A floor under which no policy with passwords of eight characters stands.
  private static let floor = "schema: gatehouse/floor.v1\npassword:\n  min_length: 20\n"

  private func write(_ text: String, _ path: String) throws {
    let url = URL(filePath: path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: url, atomically: true, encoding: .utf8)
  }

  /// A copy of the program alone in a directory, whose working directory is that one.
  private func bare(_ body: (_ run: (_ words: String...) throws -> Binary.Outcome, _ folder: URL) throws -> Void) throws
  {
    let folder = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: folder) }
    let program = folder.appending(path: "gatehouse")
    try FileManager.default.copyItem(at: Binary.url, to: program)
    try body({ try Binary.run($0, in: folder, program: program) }, folder)
  }

  @Test("a program in a checkout's build uses the checkout's config, first")
  func checkout() throws {
    let root = try TestFolder.make("checkout")
    let program = "\(root)/.build/x86_64-unknown-linux-gnu/release/gatehouse"
    #expect(Installation(executable: program).checkout == nil, "there is no Package.swift")
    try write("", "\(root)/Package.swift")
    let installation = Installation(executable: program)
    #expect(installation.checkout == root)
    #expect(installation.configurations == ["\(root)/config/gatehouse.yaml", "/etc/gatehouse/gatehouse.yaml"])
    #expect(installation.floors == ["\(root)/config/floor.yaml", "/etc/gatehouse/floor.yaml"])
    #expect(installation.lists.first == "\(root)/config/lists")
  }

  @Test(
    "any other program has nothing but absolute places of the system",
    arguments: [nil, "/usr/local/bin/gatehouse", "/home/olivia/gatehouse", "gatehouse"])
  func installed(executable: String?) {
    let installation = Installation(executable: executable)
    #expect(installation.checkout == nil)
    #expect(installation.configurations == ["/etc/gatehouse/gatehouse.yaml"])
    #expect(installation.floors == ["/etc/gatehouse/floor.yaml"])
    let system = ["/usr/local/share/gatehouse/lists", "/usr/share/gatehouse/lists"]
    #expect(installation.lists.suffix(2) == system)
    #expect(installation.lists.allSatisfy { $0.hasPrefix("/usr/") })
  }

  @Test("a program in bin uses share beside it, unless that has another owner", .enabled(if: geteuid() == 0))
  func others() throws {
    let root = try TestFolder.make("prefix")
    try write("", "\(root)/bin/gatehouse")
    try write("", "\(root)/share/gatehouse/lists/common.list")
    func first() -> String? { Installation(executable: "\(root)/bin/gatehouse").lists.first }
    #expect(first() == "\(root)/share/gatehouse/lists")
    chown("\(root)/share/gatehouse", 65534, 65534)
    #expect(first() == "/usr/local/share/gatehouse/lists")
  }

  @Test(
    "a bare program in an empty directory says which lists are missing, checks a policy, and takes its configuration")
  func empty() throws {
    try bare { run, folder in
      try write(TestLists.policy("dd-ride"), folder.path + "/dd-ride.yaml")
      let checked = try run("policy", "check", "dd-ride.yaml")
      #expect(checked.exit == 0, "\(checked.output) \(checked.errors)")
      #expect(checked.errors.contains(#"the list "common" is missing here"#) && checked.errors.contains(#""breached""#))
      let configured = try run("config", "check", "--dev", "--data-dir", folder.path + "/data")
      #expect(configured.exit == 0, "\(configured.errors)")
      #expect(configured.errors.contains(#"the list "common" is missing"#))
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["dd-ride.yaml", "gatehouse"])
    }
  }

  @Test("a bare program in an empty directory starts, with a note for each list that is missing")
  func starts() async throws {
    let folder = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: folder) }
    let program = folder.appending(path: "gatehouse")
    try FileManager.default.copyItem(at: Binary.url, to: program)
    let database = try await TestDatabase.make()
    let server = try RunningBinary(
      ["serve", "--dev", "--data-dir", "data", "--listen", "127.0.0.1:0", "--ops-listen", "127.0.0.1:0"], in: folder,
      environment: ["GATEHOUSE_DATABASE_URL": database.url], program: program)
    _ = try await server.line(with: "server.started")
    #expect(server.text.contains(#"the list "common" is missing"#))
    #expect(server.stop() == 0)
    try await database.drop()
  }

  @Test("configuration, floor and lists of the working directory are not read, and said to be passed over")
  func workingDirectory() throws {
    try bare { run, folder in
      try write(TestLists.policy("dd-ride"), folder.path + "/dd-ride.yaml")
      // What another user left there would be run.
      try write("dev: true\nkek:\n  command: touch \(folder.path)/run\n", folder.path + "/config/gatehouse.yaml")
      try write(Self.floor, folder.path + "/config/floor.yaml")
      try write("nonsense", folder.path + "/config/lists/common.list")
      let checked = try run("policy", "check", "dd-ride.yaml")
      #expect(checked.exit == 0, "\(checked.output) \(checked.errors)")
      let said = try run("config", "check")
      #expect(said.exit == 1 && said.errors.contains("public_url is missing"), "\(said.errors)")
      for (path, way) in [
        ("config/gatehouse.yaml", "--config config/gatehouse.yaml"), ("config/floor.yaml", "policy.floor"),
        ("config/lists", "lists"),
      ] {
        let note = "note: \(path) of the working directory is not read; to use it, name it: \(way)"
        #expect(said.errors.contains(note), "\(said.errors)")
      }
      #expect(!FileManager.default.fileExists(atPath: folder.path + "/run"))
      // Negative control: what is named is read.
      let named = try run("config", "check", "--config", "config/gatehouse.yaml")
      #expect(!named.errors.contains("gatehouse.yaml of the working directory"), "\(named.errors)")
      #expect(FileManager.default.fileExists(atPath: folder.path + "/run"))
    }
  }

  @Test("a relative path in a configuration file is one from the file, and elsewhere one from the working directory")
  func relative() throws {
    try bare { run, folder in
      try write(
        "policy:\n  floor: floor.yaml\nwatch: ../policies\nlists: /lists\n", folder.path + "/etc/gatehouse.yaml")
      try write(Self.floor, folder.path + "/etc/floor.yaml")
      try write(TestLists.policy("dd-ride"), folder.path + "/dd-ride.yaml")
      let checked = try run("policy", "check", "dd-ride.yaml", "--config", "etc/gatehouse.yaml")
      #expect(
        checked.exit == 1 && checked.output.contains("/etc/floor.yaml:3: min_length"),
        "\(checked.output) \(checked.errors)")
      let shown = try run("config", "show", "--config", "etc/gatehouse.yaml", "--data-dir", "data", "--output", "csv")
      for line in [
        "watch,\(folder.path)/etc/../policies", "lists,/lists", "data_dir,data",
        "policy.floor,\(folder.path)/etc/floor.yaml",
      ] {
        #expect(shown.output.contains(line), "\(shown.output)")
      }
    }
  }
}
