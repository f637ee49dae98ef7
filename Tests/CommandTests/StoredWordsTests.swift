import Foundation
import GatehouseAssembly
import GatehousePolicy
import GatehousePolicyFile
import GatehousePrimitives
import GatehouseTesting
import GatehouseAdminWire
import GatehouseWire
import Testing

@testable import GatehouseIdentity
@testable import gatehouse

/// What a build before this one wrote or sent, and what other programs read, keeps its words: see `Words/`.
@Suite("Stored and wire words")
struct StoredWordsTests {
  private static let user = UserID(SealedWords.id(2))

  @Test("events, actors and details of the audit log")
  func audit() throws {
    var words = WordList()
    words.add("events and their outcomes", AuditEvent.allCases.map { "\($0.rawValue) \($0.outcome)" })
    let actors: [Actor] = [
      .anonymous, .user(Self.user), .administrator(Self.user), .operator("ann"), .system("deliver_mail"),
    ]
    words.add("actors", actors.map(\.text))
    words.add("names of the server's jobs as actors", try SourceWords.jobActors())
    words.add("members of details", try SourceWords.details())
    words.add("faults that a check finds", AuditFinding.Kind.self)
    words.add("kinds of files", [AuditFile.kind])
    try words.expect("audit")
  }

  @Test("names of limits, of counters and of conditions")
  func limits() throws {
    var words = WordList()
    words.add("limits of policies", Limits.Name.self)
    words.add("counters that servers share", LimitRule.names)
    words.add("names of waits in answers", [Limiting.backOff, Limiting.disabledPassword])
    words.add("conditions of commits", StoreError.Condition.self)
    try words.expect("limits")
  }

  @Test("codes of refusals and of findings")
  func codes() throws {
    var words = WordList()
    words.add("codes of refusals, with their status", ErrorCode.allCases.map { "\($0.rawValue) \($0.entry.status)" })
    words.add("codes of findings in policies", DiagnosticCode.self)
    words.add("scopes of admin tokens", AdminScope.self)
    words.add("rights of administrators", Admins.Right.self)
    try words.expect("codes")
  }

  @Test("purposes, kinds, states and prefixes that rows and messages hold")
  func kinds() throws {
    var words = WordList()
    words.add("purposes of codes", CodePurpose.self)
    words.add("purposes of tickets", Ticket.Purpose.self)
    words.add("kinds of mails", MessageKind.self)
    words.add("channels of messages", ChannelID.self)
    words.add("kinds of contacts", Contact.Kind.self)
    words.add("events of webhooks", WebhookEvent.self)
    words.add("ends of sessions", SessionEnd.self)
    words.add("states of links", LinkedIdentity.State.self)
    words.add("states of signing keys", StoredSigningKey.State.self)
    words.add("platforms of push tokens", PushToken.Platform.self)
    words.add("grounds on which a host is allowed", Hosts.Word.self)
    words.add("doors", Door.self)
    words.add("methods of proofs, with their reference", Proof.Method.known.map { "\($0.name) \($0.reference)" })
    words.add("levels of authentication", AuthenticationLevel.self)
    words.add("prefixes of tokens", OpaqueToken.Kind.all.map(\.prefix))
    try words.expect("kinds")
  }

  @Test("names of settings, of environment variables and of policy keys")
  func settings() throws {
    var words = WordList()
    words.add("settings", Settings.all.map(\.key))
    words.add("their variables", Settings.all.map(\.variable))
    words.add("other variables", try SourceWords.variables())
    words.add("keys of policies", PolicyVocabulary.words)
    words.add(
      "commands and flags of their own",
      Commands.all.flatMap { command in [command.name] + command.ownFlags.map { "\(command.name) --\($0.name)" } })
    words.add("flags", Set(Commands.all.flatMap { $0.flags.map { "--\($0.name)" } }))
    try words.expect("settings")
  }

  @Test("events of the log, and what an operator reads of work beside requests")
  func log() throws {
    var words = WordList()
    words.add("events of the log", try SourceWords.logEvents())
    words.add("levels of the log", LogLevel.self)
    words.add("other failures of gatehouse_failures_total", ServerEvent.Failure.self)
    try words.expect("log")
  }

  @Test("words in code that no list holds are still there")
  func literals() throws {
    let literals = try SourceWords.literals()
    let missing = try SourceWords.heldLiterals().filter { !literals.contains($0) }
    #expect(missing == [])
  }
}
