public import Foundation

/// One address a rule does not bind, until a day; listed, audited, and it expires by itself.
public struct PolicyException: Sendable, Hashable {
  /// Compared in normalised form.
  public var email: String
  /// Id of the rule.
  public var rule: String
  /// The last day it holds (through 24:00 UTC).
  public var until: Day
  /// For the audit.
  public var reason: String
  /// Where the file says so.
  public let position: SourcePosition

  /// `until` is the last day.
  public init(email: String, rule: String, until: Day, reason: String, position: SourcePosition = .none) {
    self.email = email
    self.rule = rule
    self.until = until
    self.reason = reason
    self.position = position
  }

  /// Whether the exception still holds at an instant.
  public func holds(at instant: Date) -> Bool {
    instant.timeIntervalSince1970 < Double(until.startSeconds + 86_400)
  }
}
