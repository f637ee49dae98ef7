import CPlatform
import Glibc

/// The one executable: `serve` and every verb of the operator.
@main
struct Gatehouse {
  /// The version of the product (https://semver.org).
  static let version = "0.1.0"

  static func main() async {
    // A reader that went away shows as an error of write(2), not as a signal.
    signal(SIGPIPE, SIG_IGN)
    // Keys and passwords pass through here, in commands as in the server.
    if platform_keep_memory_private() != 0 {
      Terminal(.ofThisProcess).note("gatehouse: core dumps cannot be switched off: \(String(cString: strerror(errno)))")
    }
    let surroundings = Surroundings.ofThisProcess
    let terminal = Terminal(surroundings)
    let exit = await run(Array(CommandLine.arguments.dropFirst()), terminal, surroundings)
    Glibc.exit(exit.rawValue)
  }

  /// Runs one command line and says what went wrong with it.
  static func run(_ words: [String], _ terminal: Terminal, _ surroundings: Surroundings) async -> Exit {
    if words.isEmpty {
      // Nothing was asked for: a mistake, which help answers.
      terminal.note(Commands.help.overview)
      return .usage
    }
    if words[0] == CompletionWords.word {
      await CompletionWords.run(Array(words.dropFirst()), terminal, surroundings)
      return .ok
    }
    var terminal = terminal
    if Answer.isWanted(words) { terminal.answer = Answer() }
    let (exit, failure) = await perform(words, terminal, surroundings)
    if let failure { terminal.report(failure) }
    do { try terminal.end(failure) } catch {
      terminal.report(error)
      return error.exit
    }
    return exit
  }

  private static func perform(
    _ words: [String], _ terminal: Terminal, _ surroundings: Surroundings
  ) async -> (Exit, Failure?) {
    do {
      switch try Parser(commands: Commands.all, nouns: Commands.nouns).parse(try checked(words)) {
      case .help(let words): try terminal.data(Commands.help.text(for: words))
      case .version: try terminal.data("gatehouse \(version)\n")
      case .run(let command, let values):
        terminal.answer?.begin(command)
        let exit = try await command.run(
          Invocation(command: command, values: values, terminal: terminal, surroundings: surroundings))
        return (exit, nil)
      }
      return (.ok, nil)
    } catch let failure as Failure {
      return (failure.exit, failure)
    } catch {
      // INVARIANT: every error a command lets through is a Failure; anything else must not print what it holds.
      return (.unavailable, Failure(.unavailable, "an unexpected error of type \(type(of: error))"))
    }
  }

  /// Words that were not UTF-8 arrive with replacement characters; they would name something else.
  private static func checked(_ words: [String]) throws(Failure) -> [String] {
    guard !words.contains(where: { $0.unicodeScalars.contains("\u{FFFD}") }) else {
      throw Failure(.usage, "the command line is not valid UTF-8")
    }
    return words
  }
}

extension Surroundings {
  /// The environment and user of this process.
  static var ofThisProcess: Surroundings {
    var environment: [String: String] = [:]
    var next = environ
    // SAFETY: environ is a list of C strings that ends with NULL; nothing changes it while it is read.
    while let pair = next.pointee {
      let text = String(cString: pair)
      if let equals = text.firstIndex(of: "=") {
        environment[String(text[..<equals])] = String(text[text.index(after: equals)...])
      }
      next += 1
    }
    return Surroundings(
      environment: environment, userID: geteuid(), loginUserID: loginUserIDOfThisProcess,
      accountName: accountNameHere, installation: Installation(executable: Installation.executable))
  }
}
