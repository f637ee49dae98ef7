/// Says whether the caller is there.
package enum SetPresenceEndpoint: Endpoint {
  package static let row = EndpointRow(.put, "/v1/me/presence", 200, "Set online or offline")

  package struct Input: Codable, Hashable, Sendable {
    /// Whether the person is there.
    package var online: Bool

    package init(online: Bool) { self.online = online }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// As it is now.
    package var presence: Presence
    /// Seconds without a request after which the person counts as offline: the policy's `presence.idle`. Absent from
    /// servers before it.
    package var idleAfter: Int?

    package init(presence: Presence, idleAfter: Int? = nil) {
      (self.presence, self.idleAfter) = (presence, idleAfter)
    }
  }
}
