/// Ends sessions.
package enum SignOutEndpoint: Endpoint {
  package static let row = EndpointRow(.post, "/v1/sign-out", 204, "Sign out here, elsewhere or everywhere")

  package struct Input: Codable, Hashable, Sendable {
    /// `this` (default), `others` or `all`.
    package var scope: String?
    /// Serves instead of an access token that has expired.
    package var refreshToken: String?

    package init(scope: String? = nil, refreshToken: String? = nil) {
      (self.scope, self.refreshToken) = (scope, refreshToken)
    }
  }

  package typealias Output = Nothing
}
