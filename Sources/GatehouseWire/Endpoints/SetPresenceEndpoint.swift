/// Says whether the caller is there.
public enum SetPresenceEndpoint: Endpoint {
  /// Its row.
  public static let row = EndpointRow(.put, "/v1/me/presence", 200, "Set online or offline")

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// Whether the person is there.
    public var online: Bool

    /// The whole of it.
    public init(online: Bool) {
      self.online = online
    }
  }

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// As it is now.
    public var presence: Presence

    /// The whole of it.
    public init(presence: Presence) {
      self.presence = presence
    }
  }
}
