/// One session in the list of devices.
public struct SessionRecord: Codable, Hashable, Sendable {
  /// The session's id.
  public var id: String
  /// What the device calls itself.
  public var device: Device
  /// Where the person signed in there, roughly, if the server was told to know places: town or region, and country (ISO 3166-1).
  public var place: String?
  /// When the person signed in there.
  public var createdAt: Timestamp
  /// When it was last used.
  public var lastSeenAt: Timestamp
  /// When it ends.
  public var expiresAt: Timestamp
  /// Whether it is the one that asks.
  public var current: Bool

  /// The whole of it.
  public init(
    id: String, device: Device, place: String? = nil, createdAt: Timestamp, lastSeenAt: Timestamp,
    expiresAt: Timestamp, current: Bool
  ) {
    self.id = id
    self.device = device
    self.place = place
    self.createdAt = createdAt
    self.lastSeenAt = lastSeenAt
    self.expiresAt = expiresAt
    self.current = current
  }

  enum CodingKeys: String, CodingKey {
    case id, device, place, current
    case createdAt = "created_at"
    case lastSeenAt = "last_seen_at"
    case expiresAt = "expires_at"
  }
}

/// Lists where the caller is signed in.
public enum ListSessionsEndpoint: Endpoint {
  /// Its row.
  public static let row = EndpointRow(.get, "/v1/me/sessions", 200, "List your sessions")

  /// What it takes.
  public typealias Input = Nothing

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// The sessions, newest first.
    public var items: [SessionRecord]

    /// The whole of it.
    public init(items: [SessionRecord]) {
      self.items = items
    }
  }
}

/// Ends one of the caller's sessions.
public enum EndSessionEndpoint: Endpoint {
  /// Its row.
  public static let row = EndpointRow(
    .delete, "/v1/me/sessions/{id}", 204, "End one session",
    refuses: [.notFound])

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The session's id.
    public var id: String

    /// The whole of it.
    public init(id: String) {
      self.id = id
    }
  }

  /// What it answers.
  public typealias Output = Nothing
}

/// Keeps the push token of the current session.
public enum KeepPushTokenEndpoint: Endpoint {
  /// Its row.
  public static let row = EndpointRow(.put, "/v1/me/sessions/current/push-token", 204, "Keep the device's push token")

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// From the platform; null forgets it.
    public var pushToken: String?
    /// `apns` or `fcm`.
    public var platform: String?

    /// The whole of it.
    public init(pushToken: String? = nil, platform: String? = nil) {
      self.pushToken = pushToken
      self.platform = platform
    }

    enum CodingKeys: String, CodingKey {
      case platform
      case pushToken = "push_token"
    }
  }

  /// What it answers.
  public typealias Output = Nothing
}
