import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing
@testable import gatehouse

@Suite("What operators do is in the trail")
struct VerbTrailTests {
  struct Verb {
    let words: [String]
    /// The events that it must leave, among others.
    let events: [String]
    var input = ""

    init(_ line: String, _ events: String..., input: String = "") {
      words = line.split(separator: " ").map(String.init)
      self.events = events
      self.input = input
    }
  }

  static let verbs = [
    Verb("tenant create solo --policy solo.yaml", "tenant_created"),
    Verb("tenant set solo --display-name Solo", "tenant_changed"),
    Verb("tenant disable solo --yes", "tenant_changed"), Verb("tenant enable solo", "tenant_changed"),
    Verb("policy apply solo other.yaml --reason test --allow-weaker", "policy_applied"),
    Verb("policy rollback solo 1 --allow-weaker", "policy_rolled_back"),
    Verb("user create solo al@example.com", "user_created"),
    Verb("user create solo guest@elsewhere.example", "user_created", "policy_exception_used"),
    Verb("user set solo al@example.com name=Al", "user_updated"),
    Verb("user set solo --where name=Al name=Bo --background --yes", "backfill_ordered"),
    Verb("policy undo solo --yes", "backfill_undone"),
    Verb("user verify-email solo al@example.com", "email_verified"),
    Verb("user send-reset solo al@example.com", "authn_password_reset_request"),
    Verb("user disable solo al@example.com --yes", "user_disabled"),
    Verb("user enable solo al@example.com", "user_enabled"),
    Verb("user unlock solo al@example.com", "user_unlocked"),
    Verb("user mfa-reset solo al@example.com --reason desk --yes", "authn_mfa_reset"),
    Verb("limit clear solo --user al@example.com --yes", "limits_cleared"),
    Verb("push remove solo al@example.com --secret-file -", "push_token_removed", input: "rejected"),
    Verb("user revoke solo al@example.com --yes", "session_ended"),
    Verb("policy apply solo lean.yaml --reason lean --allow-weaker", "policy_applied"),
    Verb("policy purge solo name --yes", "user_updated"),
    Verb("user export solo al@example.com", "user_exported"),
    Verb("user erase solo al@example.com --yes", "user_deleted"),
    Verb("user delete solo guest@elsewhere.example --yes", "user_deleted"),
    Verb("user undelete solo guest@elsewhere.example", "user_restored"),
    Verb("user delete solo guest@elsewhere.example --yes --now", "user_deleted"),
    Verb("secret set solo client --secret-file -", "secret_changed", input: "hunter2"),
    Verb("secret remove solo client --yes", "secret_changed"), Verb("key rotate solo", "key_rotated"),
    Verb("key retire solo --yes -- $KEY", "key_rotated"),
    Verb("tenant host add solo auth.solo.example", "tenant_changed"),
    Verb("tenant host remove solo auth.solo.example --yes", "tenant_changed"),
    Verb(
      "tenant logo set solo -", "tenant_changed", input: #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>"#
    ),
    Verb("tenant logo remove solo --yes", "tenant_changed"),
    Verb(
      "provider logo set solo google -", "tenant_changed",
      input: #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>"#),
    Verb("provider logo remove solo google --yes", "tenant_changed"),
    Verb("webhook create solo https://hooks.solo.example/in", "webhook_created"),
    Verb("webhook rotate-secret solo $WEBHOOK", "webhook_changed"),
    Verb("webhook enable solo $WEBHOOK", "webhook_changed"),
    Verb("webhook delete solo $WEBHOOK --yes", "webhook_deleted"),
    Verb("mail retry --tenant solo", "mail_retried"), Verb("mail drop --tenant solo --yes", "mail_dropped"),
    Verb("admin create ci --scope policy:read --tenant solo", "admin_token_created"),
    Verb("admin revoke ci", "admin_token_revoked"), Verb("audit export solo", "audit_exported"),
  ]

  /// Words of verbs that stand for what another verb lists: how to list, and the member that is meant.
  private static let listed = [
    "$KEY": (["key", "list", "solo", "--output", "ndjson"], "kid"),
    "$WEBHOOK": (["webhook", "list", "solo", "--output", "ndjson"], "id"),
  ]

  /// Verbs that change something and leave no row in a tenant's trail, and why.
  private static let silent = [
    "tenant delete": "the trail goes with the tenant; InstallationLogTests",
    "db migrate": "concerns no tenant; InstallationLogTests",
    "floor apply": "concerns no tenant; FloorTests", "floor remove": "concerns no tenant; FloorTests",
    "mail send-test": "changes nothing stored", "policy promote": "a file of the operator's",
    "policy fmt": "a file of the operator's", "policy test": "a file of the operator's",
    "policy bundle": "a file for the tests of an app",
    "webhook test": "sends a message, and changes nothing stored",
    "audit cut": "needs entries that are old: AuditCutCommandTests",
    "key rewrap": "has nothing to do where there is one key-encryption key",
    "db restored": "DatabaseRestoredTests: it needs a moment that has been",
  ]

  @Test("T121 every verb that changes something is in the table")
  func complete() {
    let driven = Set(Self.verbs.map { $0.words.prefix(2).joined(separator: " ") })
    for command in Commands.all where command.mutating {
      #expect(driven.contains(command.name) || Self.silent[command.name] != nil, "\(command.name)")
    }
  }

  @Test("T121 each verb writes an audit row with time, actor, subject and outcome")
  func verbs() async throws {
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let policy = """
      schema: gatehouse/policy.v1
      tenant: solo
      app: {name: Solo, locales: [en]}
      identifiers:
        sign_in_with: [email]
        email: {normalize: lowercase, allowed_domains: [example.com]}
      password: {max_length: 128, rules: [{id: min8, min_length: 8}]}
      profile: {unknown_fields: reject, fields: {name: {type: string, max_length: 40}}}
      providers: {password: {use: sign_in}, google: {use: sign_in, audiences: [a.example]}}
      accounts: {undo_deletion: 14d}
      exceptions: [{email: guest@elsewhere.example, rule: email.allowed_domains, until: 2099-01-01, reason: a guest}]

      """
    try policy.write(to: directory.appending(path: "solo.yaml"), atomically: true, encoding: .utf8)
    try policy.replacing("max_length: 128", with: "max_length: 256").write(
      to: directory.appending(path: "other.yaml"), atomically: true, encoding: .utf8)
    try policy.replacing("name: {type", with: "motto: {type").write(
      to: directory.appending(path: "lean.yaml"), atomically: true, encoding: .utf8)
    let database = try await TestDatabase.make()
    let surroundings = try Binary.environment(database, in: directory, ["SUDO_USER": "olivia"])
    var known: Set<String> = []
    for verb in Self.verbs {
      let name = verb.words.prefix(2).joined(separator: " ")
      var words = verb.words
      for (index, word) in words.enumerated() {
        guard let (list, member) = Self.listed[word] else { continue }
        let printed = try Binary.run(list, in: directory, environment: surroundings).output
        let first = try JSONParser.parse(Array(printed.prefix { $0 != "\n" }.utf8))
        words[index] = try #require(first[member]?.string)
      }
      let outcome = try Binary.run(
        AnswerTests.asking(words), in: directory, environment: surroundings, input: verb.input)
      #expect(outcome.exit == 0, "\(name): \(outcome.errors)")
      try AnswerTests.expectAnswer(outcome, name)
      let rows = try Binary.run(
        ["audit", "search", "solo", "--limit", "1000", "--output", "ndjson"], in: directory, environment: surroundings
      ).output.split(separator: "\n").map(String.init)
      // Erased rows and sealed ones change; by their number and time they are the same.
      var told: [String: JSONValue] = [:]
      for row in rows {
        let value = try JSONParser.parse(Array(row.utf8))
        let key = "\(value["id"]?.string ?? row)"
        if known.insert(key).inserted, let event = value["event"]?.string { told[event] = value }
      }
      for event in verb.events {
        let row = try #require(told[event], "\(name): \(told.keys.sorted())")
        let actor = try #require(row["actor"]?.string)
        #expect(actor.hasPrefix("operator:uid ") && actor.hasSuffix("olivia by sudo)"), "\(name): \(actor)")
        #expect(row["outcome"] == .string("success") && row["at"]?.string?.hasSuffix("Z") == true)
        // An order is about many.
        if verb.words[0] == "user", event != "backfill_ordered" {
          #expect(row["account"]?.string?.utf8.count == 36, "\(name)")
        }
      }
    }
    let verified = try Binary.run(["audit", "verify", "solo"], in: directory, environment: surroundings)
    #expect(verified.exit == 0, "\(verified.output)")
    try await database.drop()
  }

  @Test("T120 a server that crashes prints nothing of its memory and leaves no core")
  func crash() async throws {
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let database = try await TestDatabase.make()
    let server = try RunningBinary(
      ["serve", "--dev", "--listen", "127.0.0.1:0", "--ops-listen", "127.0.0.1:0", "--log-format", "json"],
      in: directory,
      environment: try Binary.environment(database, in: directory, ["SWIFT_BACKTRACE": "enable=yes,color=no"]))
    defer { server.stop() }
    _ = try await server.line(with: "server.started")
    let limits = try String(contentsOfFile: "/proc/\(server.processIdentifier)/limits", encoding: .utf8)
    let core = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
    #expect(core.split(separator: " ").suffix(3).dropLast().allSatisfy { $0 == "0" }, "\(core)")
    kill(server.processIdentifier, SIGSEGV)
    #expect(server.ended() == .uncaughtSignal)
    for word in ["Backtrace", "Crash", "crashed", "Registers", "rsp", "Thread 0"] {
      #expect(!server.text.contains(word), "\(server.text.suffix(2000))")
    }
    try await database.drop()
  }
}
