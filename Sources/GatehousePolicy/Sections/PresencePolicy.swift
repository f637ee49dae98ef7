/// When a person counts as online, and who sees it.
public struct PresencePolicy: Sendable, Hashable {
  /// The readers of a person's presence besides that person and the administrators.
  public enum Visibility: String, Sendable, Hashable, CaseIterable {
    /// The person and administrators, as for a profile field.
    case `self`
    /// Every signed-in user of the tenant with full access.
    case users
  }

  /// Seconds since the last request of a session within which its person counts as online.
  public var idle: Int64
  /// The readers of presence.
  public var visibleTo: Visibility

  /// The defaults are those of a file that is silent.
  public init(idle: Int64 = 1200, visibleTo: Visibility = .users) {
    self.idle = idle
    self.visibleTo = visibleTo
  }
}
