import GatehouseAdminWire
import GatehouseIdentity
import GatehousePolicy
import GatehousePolicyFile
import Glibc

/// `gatehouse __complete WORD…`: the words that may follow those of a line, one on a line. Shells call it while a
/// person types: it writes nothing, starts nothing, says nothing of a failure, and ends within a second.
enum CompletionWords {
  static let word = "__complete"
  /// The longest that a person waits, in seconds.
  private static let patience: UInt32 = 1

  static func run(_ words: [String], _ terminal: Terminal, _ surroundings: Surroundings) async {
    limitTime()
    guard let place = Place(words) else { return }
    let found = (try? await names(for: place, terminal, surroundings)) ?? []
    try? terminal.data(plain(found).map { $0 + "\n" }.joined())
  }

  private static func limitTime() {
    signal(SIGALRM) { _ in _exit(0) }
    alarm(patience)  // GUARD: completion: no longer than a second
  }

  /// A shell reads the words as text of its own: only letters, digits and marks that mean nothing to it pass.
  static func plain(_ words: [String]) -> [String] {
    words.filter { word in
      // GUARD: completion: no word that a shell acts on
      word.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || "-_.:=".utf8.contains(byte)
      }
    }
  }

  private static func names(for place: Place, _ terminal: Terminal, _ surroundings: Surroundings) async throws
    -> [String]
  {
    switch place.completes {
    case .nothing, .file, .directory: return []
    case .words(let words): return words
    case .tenant, .field, .rule: break
    }
    let invocation = Invocation(
      command: place.command, values: place.values, terminal: terminal, surroundings: surroundings)
    if let server = try RemoteServer.of(invocation) {
      return try await names(for: place, .remote(RemoteBackend(server, stated: nil)))
    }
    let assembly = try await Assembly.open(try Config.load(invocation), for: .look, terminal, keyless: true)
    let call = OperatorCall(Person.operatorHere(invocation), assembly.services, requestID: "complete")
    let found = try? await names(for: place, .inProcess(call))
    await assembly.close()
    return found ?? []
  }

  private static func names(for place: Place, _ backend: OperatorBackend) async throws -> [String] {
    if place.completes == .tenant {
      return try await backend.send(ListTenantsOperation.self, .init(limit: 1000)).items.map(\.name)
    }
    guard let tenant = place.tenant else { return [] }
    let text = try await backend.send(ShowPolicyOperation.self, .init(tenant: tenant)).text
    guard case .success(let file) = PolicyFile.read(Array(text.utf8), name: tenant, as: .stored(.current)) else {
      return []
    }
    if place.completes == .rule { return RuleExplanation.ids(of: file.policy) }
    let fields = file.policy.profile.fields.map(\.name)
    return place.isAssignment ? fields.map { $0 + "=" } : ["email"] + fields
  }
}

extension CompletionWords {
  /// The place behind the words of a line, which may be unfinished.
  struct Place {
    let command: Command
    var completes = Completes.nothing
    var values = Parser.Values()
    /// The tenant that the line names.
    var tenant: String?
    /// Whether a field is followed by its value.
    var isAssignment = false

    init?(_ words: [String]) {
      guard let command = Commands.all.first(where: { words.starts(with: $0.words) }) else { return nil }
      self.command = command
      var arguments = command.arguments[...]
      var rest = words.dropFirst(command.words.count)
      while let word = rest.popFirst() {
        guard word.hasPrefix("--"), word.utf8.count > 2 else {
          guard let argument = arguments.first else { continue }
          if argument.completes == .tenant || argument.name.contains("TENANT") { tenant = word }
          if argument.count == .one || argument.count == .optional { arguments = arguments.dropFirst() }
          continue
        }
        let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1).map(String.init)
        guard let flag = command.flags.first(where: { $0.name == parts.first }), flag.takesValue else { continue }
        guard let value = parts.count > 1 ? parts[1] : rest.popFirst() else {
          completes = flag.completes
          return
        }
        if flag.problem(with: value) == nil { values.flags[flag.name] = [value] }
      }
      completes = arguments.first?.completes ?? .nothing
      isAssignment = arguments.first?.name.contains("=") ?? false
    }
  }
}
