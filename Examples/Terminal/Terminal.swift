package import Foundation
package import GatehouseClient

/// The environment of a command: the client, and the output of its lines.
package struct Terminal: Sendable {
  package let client: AuthClient
  package let app: ExampleApp
  let log: Log

  /// One line for the person. It is out before the call returns: a reader behind a pipe sees it at once.
  package func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

  /// Where the person stands, in the app's words.
  package func show(_ state: AuthState) { say(app.describe(state)) }

  /// The password: of the option, or typed without an echo.
  package func password(_ arguments: Arguments, option: String = "password", prompt: String = "Password") throws
    -> String
  {
    if let given = arguments[option] { return given }
    guard let typed = getpass("\(prompt): ") else { throw UsageError("--\(option) is missing.") }
    return String(cString: typed)
  }

  /// A day, as every reader of the output writes it.
  package static func day(_ date: Date) -> String { date.formatted(.iso8601.year().month().day()) }

  /// Seconds, as a person reads them.
  package static func seconds(_ duration: Duration) -> String {
    let seconds = duration.components.seconds
    return seconds == 1 ? "1 second" : "\(seconds) seconds"
  }

  /// The sentence of an error, each rule that was broken, and how long to wait.
  static func lines(of error: AuthError) -> [String] {
    var lines = [error.message]
    if error.violations.count > 1 { lines += error.violations.map { "  \($0.input): \($0.sentence)" } }
    if let wait = error.retryAfter { lines.append("Try again in \(seconds(wait)).") }
    return lines
  }

  static func complain(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
}

/// The client's events: shown with `--verbose`, and awaited by commands that end the process.
final class Log: Sendable {
  private let isVerbose: Bool
  private let entries: AsyncStream<AuthLogEntry>
  private let feed: AsyncStream<AuthLogEntry>.Continuation

  init(isVerbose: Bool) {
    self.isVerbose = isVerbose
    (entries, feed) = AsyncStream.makeStream()
  }

  func take(_ entry: AuthLogEntry) {
    if isVerbose { Terminal.complain("\(entry.event): \(entry.outcome)") }
    feed.yield(entry)
  }

  /// Waits until a request was answered or failed, but not for long.
  func wait(for event: String, atMost limit: Duration) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [entries] in for await entry in entries where entry.event == event { return } }
      group.addTask { try? await Task.sleep(for: limit) }
      await group.next()
      group.cancelAll()
    }
  }
}
