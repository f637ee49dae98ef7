// A file with a key that a running server of an earlier version does not know: that server keeps the policy that it
// has.

package import Foundation
package import GatehousePolicyFile

package enum UnreadablePolicies {
  /// A server that was seen within this many seconds counts as running.
  package static let seconds = 600
  /// Words that a note names.
  private static let most = 5

  /// The servers that run.
  package static func running(_ services: Services) async throws -> [SeenServers] {
    try await services.servers.servers(seenWithin: seconds)
  }

  /// One sentence for each version of servers that cannot read the file; none where all can.
  package static func notes(_ file: PolicyFile, running: [SeenServers], now: Date) -> [String] {
    let words = PolicyVocabulary.words(of: file)
    return running.compactMap { servers in
      let known = Set(servers.vocabulary)
      let unknown = topmost(words.filter { !known.contains($0.word) })
      return unknown.isEmpty ? nil : sentence(servers, unknown, now)
    }
  }

  /// Without words below an unknown one: a map that is unknown says it for its keys.
  private static func topmost(_ words: [(word: String, line: Int)]) -> [(word: String, line: Int)] {
    let unknown = Set(words.map(\.word))
    return words.filter { word, _ in
      !word.indices.contains { index in
        (word[index] == "." || word[index] == "=") && unknown.contains(String(word[..<index]))
      }
    }
  }

  private static func sentence(_ servers: SeenServers, _ words: [(word: String, line: Int)], _ now: Date) -> String {
    let named = words.prefix(most).map { "\($0.word) (line \($0.line))" }.joined(separator: ", ")
    let rest = words.count > most ? " and \(words.count - most) more" : ""
    let minutes = max(0, Int(now.timeIntervalSince(servers.seenAt) / 60))
    let seen = minutes == 0 ? "just now" : minutes == 1 ? "a minute ago" : "\(minutes) minutes ago"
    let count = servers.count == 1 ? "a server" : "\(servers.count) servers"
    return """
      \(count) of version \(servers.version) (\(servers.newest), seen \(seen)) cannot read \(named)\(rest): it keeps the policy \
      that it has until it is upgraded
      """
  }
}
