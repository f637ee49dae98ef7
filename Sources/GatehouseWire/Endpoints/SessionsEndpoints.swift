/// One session in the list of devices.
package struct SessionRecord: Codable, Hashable, Sendable {
  /// The session's id.
  package var id: String
  /// The name that the device gives itself.
  package var device: Device
  /// Where the person signed in there, roughly, if the server was told to know places: town or region, and country (ISO
  /// 3166-1).
  package var place: String?
  /// Whether this session made the request.
  package var current: Bool
  /// When the person signed in there.
  package var createdAt: Timestamp
  /// When it was last used.
  package var lastSeenAt: Timestamp
  /// When it ends.
  package var expiresAt: Timestamp

  package init(
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
}

/// Lists where the caller is signed in.
package enum ListSessionsEndpoint: Endpoint {
  package static let row = EndpointRow(.get, "/v1/me/sessions", 200, "List your sessions")

  package typealias Input = Nothing

  package struct Output: Codable, Hashable, Sendable {
    /// The sessions, newest first.
    package var items: [SessionRecord]

    package init(items: [SessionRecord]) { self.items = items }
  }
}

/// Ends one of the caller's sessions.
package enum EndSessionEndpoint: Endpoint {
  package static let row = EndpointRow(
    .delete, "/v1/me/sessions/{id}", 204, "End one session",
    refuses: [.notFound])

  package struct Input: Codable, Hashable, Sendable {
    /// The session's id.
    package var id: String

    package init(id: String) { self.id = id }
  }

  package typealias Output = Nothing
}

/// Keeps the push token of the current session.
package enum KeepPushTokenEndpoint: Endpoint {
  package static let row = EndpointRow(.put, "/v1/me/sessions/current/push-token", 204, "Keep the device's push token")

  package struct Input: Codable, Hashable, Sendable {
    /// `apns` or `fcm`.
    package var platform: String?
    /// From the platform; null forgets it.
    package var pushToken: String?

    package init(pushToken: String? = nil, platform: String? = nil) {
      (self.pushToken, self.platform) = (pushToken, platform)
    }
  }

  package typealias Output = Nothing
}
