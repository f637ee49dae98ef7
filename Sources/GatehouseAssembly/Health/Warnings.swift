import GatehouseIdentity
import GatehousePrimitives

/// The things that go wrong for people while the server itself is ready: told once when they begin and once when they
/// are over, and shown by `/readyz` and a metric meanwhile.
package final class Warnings: Sendable {
  package enum Name: String, Sendable, CaseIterable {
    /// Mails wait.
    case mail
    /// Webhooks fail, or were disabled for that.
    case webhooks
    /// Clients do not believe the certificate at an address of this installation.
    case edge
  }

  package enum News: Sendable {
    case began(Name, String)
    case over(Name)
  }

  private let found = LockBox<[Name: String]>([:])

  package init() {}

  /// The sentences of now.
  package var now: [Name: String] { found.withLock { $0 } }

  /// Notes a warning, or that there is none; nil where that is no news.
  func note(_ name: Name, _ sentence: String?) -> News? {
    let before = found.withLock { found in
      defer { found[name] = sentence }
      return found[name]
    }
    switch (before, sentence) {
    case (nil, let sentence?): return .began(name, sentence)
    case (_?, nil): return .over(name)
    case (nil, nil), (_?, _?): return nil
    }
  }

  /// A mail that waits longer than this is told, in seconds.
  private static let patience = 300

  static func sentence(_ backlog: MailBacklog) -> String? {
    guard backlog.oldest > patience else { return nil }
    return "\(backlog.waiting) mails wait, the oldest for \(backlog.oldest / 60) min: gatehouse mail send-test"
  }

  static func sentence(_ webhooks: BrokenWebhooks) -> String? {
    guard webhooks.disabled + webhooks.failing > 0 else { return nil }
    return "\(webhooks.disabled) webhooks are disabled after failures, and \(webhooks.failing) fail: gatehouse doctor"
  }
}
