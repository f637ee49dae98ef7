/// Makes an account and signs it in.
package enum SignUpEndpoint: Endpoint {
  package static let row = EndpointRow(
    .post, "/v1/sign-up", 201, "Create an account and sign in",
    refuses: [.notFound, .validationFailed, .accountExists])

  package struct Input: Codable, Hashable, Sendable {
    /// The address; missing is a violation of `email.required`.
    package var email: String?
    /// The password; missing is a violation of `password.required`.
    package var password: String?
    /// Fields by the policy's names.
    package var profile: Profile?
    /// Names the session for the list of devices.
    package var device: Device?

    package init(email: String? = nil, password: String? = nil, profile: Profile? = nil, device: Device? = nil) {
      (self.email, self.password, self.profile, self.device) = (email, password, profile, device)
    }
  }

  package typealias Output = SignUpAnswer

  package static var successes: [(status: Int, output: any (Decodable & SendableMetatype).Type)] {
    [(status, SessionAnswer.self), (202, SignUpAnswer.Pending.self)]
  }

  /// 202 as long as a mail has to be read first.
  package static func status(of output: SignUpAnswer) -> Int {
    switch output {
    case .signedIn: status
    case .pending: 202
    }
  }

  /// Those of the session.
  package static func warnings(of output: SignUpAnswer) -> [RuleWarning] {
    switch output {
    case .signedIn(let answer): answer.warnings
    case .pending: []
    }
  }
}
