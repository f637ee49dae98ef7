import Foundation
package import GatehouseClient

/// A program around one tenant: what it calls itself, how it words where a person stands, and what it can do.
package struct ExampleApp: Sendable {
  /// As people call it.
  package let name: String
  package let tenant: String
  /// Where the hosted pages and providers send a person back to: addresses with this scheme open the app.
  package let scheme: String
  /// Sentences of its own in place of the server's.
  let sentences: [AuthError.Code: String]
  /// Options of `sign-up`, and the profile fields that they fill.
  let profile: KeyValuePairs<String, String>
  /// Where a person stands, in one line.
  let describe: @Sendable (AuthState) -> String
  /// Commands of this app alone.
  let commands: [Command]

  package init(
    name: String, tenant: String, scheme: String, sentences: [AuthError.Code: String] = [:],
    profile: KeyValuePairs<String, String>, commands: [Command] = [],
    describe: @escaping @Sendable (AuthState) -> String
  ) {
    self.name = name
    self.tenant = tenant
    self.scheme = scheme
    self.sentences = sentences
    self.profile = profile
    self.commands = commands
    self.describe = describe
  }

  /// One thing that the program does.
  package struct Command: Sendable {
    let usage: String
    let summary: String
    let run: @Sendable (Terminal, Arguments) async throws -> Void

    /// `usage` begins with the command's name.
    package init(
      _ usage: String, _ summary: String, run: @escaping @Sendable (Terminal, Arguments) async throws -> Void
    ) {
      self.usage = usage
      self.summary = summary
      self.run = run
    }

    var name: Substring { usage.prefix { $0 != " " } }
  }

  /// Runs the command line, and ends the process: 0, 1 for a refusal, 64 for a command line that cannot be understood.
  package func main() async -> Never {
    do {
      let arguments = try Arguments(CommandLine.arguments.dropFirst())
      let all = Self.everyApp(profile) + commands
      guard let word = arguments.words.first, !arguments.has("help") else {
        FileHandle.standardOutput.write(Data(help(all).utf8))
        Self.end(arguments.has("help") ? 0 : 64)
      }
      guard let command = all.first(where: { $0.name == word }) else {
        throw UsageError("There is no command \(word). --help names them.")
      }
      try await command.run(terminal(arguments), arguments)
      Self.end(0)
    } catch let error as AuthError {
      for line in Terminal.lines(of: error) { Terminal.complain(line) }
      Self.end(1)
    } catch let error as UsageError {
      Terminal.complain(error.text)
      Self.end(64)
    } catch {
      Terminal.complain("\(error)")
      Self.end(1)
    }
  }

  /// One client for the process, with the session in files.
  private func terminal(_ arguments: Arguments) throws -> Terminal {
    let address = arguments["server"] ?? "http://localhost:8080"
    guard let server = URL(string: address), server.host != nil else {
      throw UsageError("--server \(address) is not an address. It looks like https://auth.example.com.")
    }
    let log = Log(isVerbose: arguments.has("verbose"))
    let folder = arguments["store"].map { URL(fileURLWithPath: $0) }
    let configuration = AuthConfiguration(
      server: server, tenant: tenant, account: arguments["account"] ?? "main",
      store: folder.map { FileStore(folder: $0) },
      deviceName: arguments["device"] ?? "\(name) in a terminal", languages: [arguments["language"] ?? "en"],
      sentences: sentences, cacheFolder: folder ?? AuthConfiguration.systemCacheFolder, log: { log.take($0) })
    return Terminal(client: AuthClient(configuration), app: self, log: log)
  }

  private func help(_ commands: [Command]) -> String {
    let width = commands.map(\.usage.count).max() ?? 0
    let rows = commands.map { "  " + $0.usage.padding(toLength: width + 2, withPad: " ", startingAt: 0) + $0.summary }
    return """
      \(name), an example of the Swift client.

      \(rows.joined(separator: "\n"))

      --server URL        the server (http://localhost:8080)
      --store FOLDER      where the session is kept
      --account NAME      one of several signed-in accounts (main)
      --device NAME       what the list of devices calls this one
      --language TAG      the language of sentences (en)
      --verbose           what the client does, on standard error

      """
  }

  /// Without the clean-up of C libraries, which threads of the client still use.
  private static func end(_ code: Int32) -> Never { _exit(code) }
}
