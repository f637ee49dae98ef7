/// Signs in with a password.
package enum SignInEndpoint: Endpoint {
  package static let row = EndpointRow(
    .post, "/v1/sign-in", 200, "Sign in with a password",
    refuses: .wrongPassword + .opening + [.notFound])

  package struct Input: Codable, Hashable, Sendable {
    /// The address.
    package var email: String
    /// The password.
    package var password: String
    /// Names the session for the list of devices.
    package var device: Device?

    package init(email: String, password: String, device: Device? = nil) {
      (self.email, self.password, self.device) = (email, password, device)
    }
  }

  package typealias Output = SessionAnswer
}
