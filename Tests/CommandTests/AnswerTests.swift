import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import gatehouse

@Suite("Every command answers a script with one JSON document")
struct AnswerTests {
  /// The line with `--output json`, before the words that no flag follows.
  static func asking(_ words: [String]) -> [String] {
    let end = words.firstIndex(of: "--") ?? words.endIndex
    return words[..<end] + ["--output", "json"] + words[end...]
  }

  /// Fails unless standard output is one document that agrees with the exit code.
  static func expectAnswer(_ outcome: Binary.Outcome, _ name: String) throws {
    // The manual is longer than a document that the program itself takes.
    let answer = try? JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    let place: Comment = "\(name): \(outcome.output.prefix(300)) \(outcome.errors.prefix(300))"
    #expect(answer?["version"] as? Int == JSONOutput.version, place)
    #expect((answer?["kind"] as? String)?.isEmpty == false, place)
    #expect(answer?["item"] != nil || answer?["items"] != nil || answer?["error"] != nil, place)
    guard let failure = answer?["error"] as? [String: Any] else {
      // A difference or a finding is an answer; what went wrong is an error.
      #expect([0, 1, 7, 130].contains(outcome.exit), place)
      return
    }
    #expect(failure["exit"] as? Int == Int(outcome.exit), place)
    #expect(failure["reason"] as? String == Exit(rawValue: outcome.exit)?.word, place)
    #expect((failure["messages"] as? [String])?.isEmpty == false, place)
    #expect(!outcome.errors.isEmpty, place)
  }

  /// A line of each command that leaves no row in a trail. Those that do are the verbs of `VerbTrailTests`.
  private static let lines = [
    "serve --config missing.yaml", "tenant list", "tenant show solo", "tenant delete solo --yes",
    "policy check solo.yaml", "policy test solo.yaml", "policy explain solo password.min8", "policy fmt solo.yaml",
    "policy doors solo.yaml", "policy prove solo.yaml", "policy schema", "policy bundle solo.yaml", "policy init solo",
    "policy diff solo solo.yaml", "policy impact solo solo.yaml", "policy promote solo.yaml min8",
    "policy history solo", "policy backfills solo", "policy show solo", "user list solo",
    "user show solo al@example.com",
    "user sessions solo al@example.com", "user factors solo al@example.com", "limit list solo",
    "push list solo al@example.com", "secret list solo",
    "webhook list solo", "webhook show solo 0000", "webhook test solo 0000", "key list solo", "key jwks solo",
    "key rewrap", "mail outbox solo", "mail queue", "mail preview solo verify_email",
    "mail send-test solo ops@example.com --dry-run", "page preview solo.yaml --out pages", "provider list solo",
    "provider test solo google", "admin list", "audit tail solo", "audit search solo", "audit events",
    "audit verify solo", "audit cut solo --before 2020-01-01 --to copy.ndjson", "db status", "db migrate --dry-run",
    "db roles", "db restored", "doctor", "floor show", "floor history", "floor apply solo.yaml --dry-run",
    "floor remove --dry-run", "config show", "config check", "config example", "help", "version",
    "completion bash", "man",
  ]

  @Test("no command is missing, and each takes --output json")
  func complete() {
    let driven = Self.lines + VerbTrailTests.verbs.map { $0.words.joined(separator: " ") }
    for command in Commands.all {
      #expect(driven.contains { ($0 + " ").hasPrefix(command.name + " ") }, "\(command.name)")
      #expect(command.flags.contains { $0.name == "output" && $0.choices.contains("json") }, "\(command.name)")
    }
  }

  @Test("a mistake on the line is an answer too", arguments: Commands.all.map(\.name))
  func mistakes(_ name: String) throws {
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let outcome = try Binary.run(
      name.split(separator: " ").map(String.init) + ["--no-such-flag", "--output=json"], in: directory)
    #expect(outcome.exit == 2)
    try Self.expectAnswer(outcome, name)
    #expect(outcome.output.contains("\"kind\":\"error\""))
  }

  @Test("each command answers with data, or says why not")
  func answers() async throws {
    try await SoloGround.run { ground in
      for line in ["tenant create solo --policy solo.yaml", "user create solo al@example.com"] {
        #expect(try ground.run(line).exit == 0, "\(line)")
      }
      for line in Self.lines {
        let words = line.split(separator: " ").map(String.init)
        try Self.expectAnswer(try ground.run(Self.asking(words)), line)
      }
    }
  }

  @Test("the answer of a refusal has the code of the operation")
  func refusal() async throws {
    let directory = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: directory) }
    let database = try await TestDatabase.make()
    let outcome = try Binary.run(
      ["user", "show", "nobody", "al@example.com", "--output", "json"], in: directory,
      environment: try Binary.environment(database, in: directory))
    let failure = try JSONParser.parse(Array(outcome.output.utf8))["error"]
    #expect(outcome.exit == 3)
    #expect(failure?["code"]?.string == "not_found")
    #expect(failure?["reason"]?.string == "not_found")
    try await database.drop()
  }

  @Test("only a flag asks for an answer, and nothing after two dashes")
  func wanted() {
    #expect(Answer.isWanted(["user", "list", "--output", "json"]))
    #expect(Answer.isWanted(["hlep", "--output=json"]))
    #expect(!Answer.isWanted(["user", "list", "--output", "ndjson"]))
    #expect(!Answer.isWanted(["user", "list", "--", "--output", "json"]))
  }

  @Test("items that are written as they come are one document, also when it ends with a failure")
  func streamed() throws {
    let answer = Answer()
    let text = answer.next("{\"a\":1}") + answer.next("{\"a\":2}") + answer.rest(Failure(.conflict, "changed"))
    let parsed = try JSONParser.parse(Array(text.utf8))
    #expect(parsed["items"]?.array?.count == 2)
    #expect(parsed["error"]?["exit"]?.integer == 5)
  }
}
