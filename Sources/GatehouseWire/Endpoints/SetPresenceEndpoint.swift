/// Says whether the caller is there.
public enum SetPresenceEndpoint: Endpoint {
  /// PUT.
  public static let method = Method.put
  /// Where it lives.
  public static let path = "/v1/me/presence"
  /// The status of a success.
  public static let status = 200
  /// What it does.
  public static let summary = "Set online or offline"

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
