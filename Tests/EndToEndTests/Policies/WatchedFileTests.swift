import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("What is said of a watched policy file")
struct WatchedFileTests {
  /// A file beside DD Ride's live policy, and what is said of it.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    var file = "dd-ride.yaml"
    let edit: @Sendable (String) throws -> String
    let kind: PolicyFileTrouble.Kind?
    var isRefused = false
    var isDrifted = false
    var command = ""

    var testDescription: String { name }
  }

  static let rows: [Row] = [
    Row(name: "what is live", edit: { $0 }, kind: nil),
    Row(
      name: "an unknown key", edit: { $0 + "nonsense: 1\n" }, kind: .wrong, isRefused: true,
      command: "gatehouse policy check "),
    Row(
      name: "no policy at all", edit: { _ in "" }, kind: .wrong, isRefused: true, command: "gatehouse policy check "),
    Row(
      name: "a test that fails", edit: { $0.replacing("allowed_domains: [ksu.edu]", with: "allowed_domains: [k.edu]") },
      kind: .failingTests, isRefused: true, command: "gatehouse policy test "),
    Row(
      name: "another tenant's policy", edit: { _ in try TestLists.policy("messai") }, kind: .otherTenant,
      isRefused: true, command: "mv "),
    Row(
      name: "a weaker policy",
      edit: { $0.replacing("[ksu.edu]", with: "[ksu.edu, wichita.edu]") },
      kind: .weaker, isRefused: true, isDrifted: true, command: "--allow email.allowed_domains --reason WHY"),
    Row(
      name: "a policy that could be applied", edit: { $0 + "# edited\n" }, kind: .differs, isDrifted: true,
      command: "gatehouse policy apply dd-ride "),
    Row(
      name: "a right file of no tenant", file: "solo.yaml",
      edit: { _ in "schema: gatehouse/policy.v1\ntenant: solo\napp: {name: Solo}\npassword: {rules: []}\n" },
      kind: .unmade, isDrifted: true, command: "gatehouse tenant create solo --policy "),
    Row(
      name: "a wrong file of no tenant", file: "solo.yaml", edit: { _ in "nonsense: 1\n" }, kind: .wrong,
      isRefused: true, command: "gatehouse policy check "),
    Row(
      name: "a name that is not a tenant's", file: "DD Ride.yaml", edit: { $0 }, kind: .misnamed, isRefused: true,
      command: "mv '"),
  ]

  /// Runs a look at a directory with this one file.
  private func withFile(
    _ name: String, _ text: String, _ body: (_ directory: String, _ path: String) async throws -> Void
  ) async throws {
    let directory = try TestFolder.make("watched")
    try text.write(toFile: "\(directory)/\(name)", atomically: true, encoding: .utf8)
    try await body(directory, "\(directory)/\(name)")
  }

  private func watch(_ apps: ThreeApps, _ directory: String, createsTenants: Bool = false) -> WatchPolicies {
    WatchPolicies(
      directory: directory, createsTenants: createsTenants, allowsWeaker: false, apps.server.services)
  }

  private func revisions(_ apps: ThreeApps, of tenant: String = "dd-ride") async throws -> [Int] {
    let record = try await Tenants.find(tenant, apps.server.services)
    return try await apps.server.services.store.open(record.id).revisions(limit: 10).map(\.number)
  }

  @Test("a file that a first look finds is compared, judged and not applied", arguments: rows)
  func table(row: Row) async throws {
    try await ThreeApps.share { apps in
      try await withFile(row.file, try row.edit(try TestLists.policy("dd-ride"))) { directory, path in
        let watch = watch(apps, directory)
        _ = await watch.look()
        #expect(watch.troubles.map(\.kind) == (row.kind.map { [$0] } ?? []))
        let trouble = watch.troubles.first
        #expect(trouble?.isRefused ?? false == row.isRefused)
        #expect(trouble?.isDrifted ?? false == row.isDrifted)
        #expect(trouble?.command.contains(row.command) ?? true)
        #expect((trouble?.why.contains(path) ?? true) || row.kind == .misnamed, "\(trouble?.why ?? "")")
        // A doctor judges it by the same function.
        let doctor = try await WatchedFile(row.file, in: directory)?
          .verdict(consent: Policies.Consent(), apps.server.services).trouble
        #expect(doctor == trouble)
        #expect(try await revisions(apps) == [1])
      }
    }
  }

  @Test("a wrong file says code, line and that its tenant was never made; the right one makes it in development")
  func neverMade() async throws {
    try await ThreeApps.run { apps in
      try await withFile("solo.yaml", "schema: gatehouse/policy.v1\ntenant: solo\nnonsense: 1\n") { directory, path in
        let watch = watch(apps, directory, createsTenants: true)
        guard case .trouble(let trouble)? = await watch.look().first else {
          Issue.record("nothing is said")
          return
        }
        #expect(trouble.why.hasPrefix("there is no tenant \"solo\", its first file is refused: \(path):"))
        #expect(trouble.code?.hasPrefix("P") == true && trouble.line != nil)
        #expect(await watch.look().isEmpty, "it is said once")
        try "schema: gatehouse/policy.v1\ntenant: solo\napp: {name: Solo}\npassword: {rules: []}\n".write(
          toFile: path, atomically: true, encoding: .utf8)
        guard case .created("solo")? = await watch.look().first else {
          Issue.record("the tenant is not made")
          return
        }
        #expect(watch.troubles.isEmpty)
      }
    }
  }

  @Test("a file that was applied is drift once the command line applies another text, and never wins")
  func elsewhere() async throws {
    try await ThreeApps.run { apps in
      let services = apps.server.services
      let text = try TestLists.policy("dd-ride")
      try await withFile("dd-ride.yaml", text) { directory, path in
        let watch = watch(apps, directory)
        _ = await watch.look()
        try (text + "# two\n").write(toFile: path, atomically: true, encoding: .utf8)
        guard case .applied("dd-ride", 2)? = await watch.look().first else {
          Issue.record("not applied")
          return
        }
        try await TenantLoader(services).loadAll()
        #expect(await watch.look().isEmpty)
        let ride = try await Tenants.find("dd-ride", services)
        _ = try await Policies.apply(
          text, file: "old.yaml", to: ride, author: Author(.operator("test"), name: "olivia", reason: ""), services)
        try await TenantLoader(services).loadAll()
        guard case .trouble(let trouble)? = await watch.look().first else {
          Issue.record("nothing is said")
          return
        }
        #expect(trouble.kind == .differs && trouble.live?.revision == 3 && trouble.live?.author == "olivia")
        #expect(trouble.why == "\(path) is revision 2, and revision 3 is live")
        #expect(trouble.command == "gatehouse policy show dd-ride > \(path)")
        for _ in 0..<3 { #expect(await watch.look().isEmpty) }
        #expect(try await revisions(apps) == [3, 2, 1])
        // The text of the live revision: nothing is left to say, and nothing to apply.
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        guard case .unchanged("dd-ride", 3)? = await watch.look().first else {
          Issue.record("the file says what is live")
          return
        }
        #expect(watch.troubles.isEmpty)
        #expect(try await revisions(apps) == [3, 2, 1])
      }
    }
  }

  @Test("a file that appears while a server watches is not an edit, and one that an editor saves is")
  func appearing() async throws {
    try await ThreeApps.run { apps in
      let text = try TestLists.policy("dd-ride")
      try await withFile("dd-ride.yaml", text) { directory, path in
        let watch = watch(apps, directory)
        _ = await watch.look()
        // An editor that removes the file before it writes the new one.
        try FileManager.default.removeItem(atPath: path)
        _ = await watch.look()
        try (text + "# saved\n").write(toFile: path, atomically: true, encoding: .utf8)
        guard case .applied("dd-ride", 2)? = await watch.look().first else {
          Issue.record("not applied")
          return
        }
        try FileManager.default.removeItem(atPath: path)
        for _ in 0..<20 { _ = await watch.look() }
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        guard case .trouble(let trouble)? = await watch.look().first else {
          Issue.record("nothing is said")
          return
        }
        #expect(trouble.kind == .differs)
        #expect(try await revisions(apps) == [2, 1])
        // What is said of a file goes with it.
        try FileManager.default.removeItem(atPath: path)
        _ = await watch.look()
        #expect(watch.troubles.isEmpty)
      }
    }
  }

  @Test("a file that cannot be read is said so, and its edit is applied once it can be")
  func unreadable() async throws {
    try await ThreeApps.run { apps in
      let text = try TestLists.policy("dd-ride")
      try await withFile("dd-ride.yaml", text) { directory, path in
        let watch = watch(apps, directory)
        _ = await watch.look()
        // Not a mode: root reads everything.
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        guard case .trouble(let trouble)? = await watch.look().first else {
          Issue.record("nothing is said")
          return
        }
        #expect(trouble.kind == .unreadable && trouble.why == "\(path) cannot be read: it is not a regular file")
        #expect(await watch.look().isEmpty)
        try FileManager.default.removeItem(atPath: path)
        try (text + "# two\n").write(toFile: path, atomically: true, encoding: .utf8)
        guard case .applied("dd-ride", 2)? = await watch.look().first else {
          Issue.record("not applied")
          return
        }
        #expect(watch.troubles.isEmpty)
      }
    }
  }

  @Test("an edit that would lock people out is refused and drift, and what is said of it names no account")
  func lockout() async throws {
    try await ThreeApps.run { apps in
      _ = try await apps.rider("ann@ksu.edu")
      let code = try #require(try await apps.server.latestMail(to: "ann@ksu.edu")?.code)
      let body = #"{"email":"ann@ksu.edu","code":"\#(code)","password":"Wildcat1"}"#
      #expect(try await apps.ride.post("/v1/email-verification/confirm", body).status == 200)
      let text = PolicyText.withoutTests(try TestLists.policy("dd-ride"))
        .replacing("requires: [email_verified]", with: "requires: [email_verified, \"profile:chapterId\"]")
      try await withFile("dd-ride.yaml", text) { directory, _ in
        let watch = watch(apps, directory)
        _ = await watch.look()
        let trouble = try #require(watch.troubles.first)
        #expect(trouble.kind == .lockout && trouble.isRefused && trouble.isDrifted)
        #expect(trouble.command.hasSuffix("--allow-lockout --reason WHY"))
        #expect(trouble.why.contains("1 of 1 would lose full access") && !trouble.why.contains("ann@"))
      }
    }
  }

  @Test("a directory that is gone is said once, and what was known of its files is kept")
  func lost() async throws {
    try await ThreeApps.share { apps in
      try await withFile("dd-ride.yaml", "nonsense: 1\n") { directory, _ in
        let watch = watch(apps, directory)
        _ = await watch.look()
        try FileManager.default.moveItem(atPath: directory, toPath: directory + "-away")
        guard case .lost(let why)? = await watch.look().first else {
          Issue.record("nothing is said")
          return
        }
        #expect(why == "No such file or directory" && watch.lost == why)
        #expect(await watch.look().isEmpty)
        #expect(watch.troubles.map(\.kind) == [.wrong])
        try FileManager.default.moveItem(atPath: directory + "-away", toPath: directory)
        #expect(await watch.look().isEmpty)
        #expect(watch.lost == nil && watch.troubles.map(\.kind) == [.wrong])
      }
    }
  }
}
