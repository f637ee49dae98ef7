import Foundation

/// The policy that was fetched last: in memory, and in a file for the next start of the app. The file holds what the
/// server tells everyone; one that cannot be read or written is as if it were not there.
final class PolicyCache: Sendable {
  struct Kept: Sendable {
    var policy: AuthPolicy
    var tag: String
  }

  /// The file's content: the answer as it came, and its tag.
  private struct Content: Codable {
    var tag: String
    var policy: Data
  }

  private struct Memory {
    var isRead = false
    var kept: Kept?
  }

  private let file: URL?
  private let memory = Locked(Memory())

  init(_ configuration: AuthConfiguration) {
    let name = SHA256.digest(configuration.base.utf8).prefix(8).map { String($0, radix: 16) }.joined(separator: "-")
    file = configuration.cacheFolder?.appendingPathComponent("policy-\(name).json")
  }

  var kept: Kept? {
    memory.withLock { memory in
      if !memory.isRead { (memory.isRead, memory.kept) = (true, read()) }
      return memory.kept
    }
  }

  func keep(_ policy: AuthPolicy, _ tag: String, _ body: Data) {
    memory.withLock { memory in
      memory = Memory(isRead: true, kept: Kept(policy: policy, tag: tag))
      write(Content(tag: tag, policy: body))
    }
  }

  private func read() -> Kept? {
    guard let file, let data = try? Data(contentsOf: file),
      let content = try? JSONDecoder().decode(Content.self, from: data),
      let policy = try? AuthPolicy(json: content.policy)
    else { return nil }
    return Kept(policy: policy, tag: content.tag)
  }

  private func write(_ content: Content) {
    guard let file, let data = try? JSONEncoder().encode(content) else { return }
    try? FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try? data.write(to: file, options: .atomic)
  }
}
