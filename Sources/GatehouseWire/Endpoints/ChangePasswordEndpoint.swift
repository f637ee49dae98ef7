/// Changes the caller's password and ends the other sessions.
package enum ChangePasswordEndpoint: Endpoint {
  package static let row = EndpointRow(
    .post, "/v1/me/password", 200, "Change the password",
    refuses: .freshProof + [.notFound, .validationFailed])
  package static let details: String? = AccessRise.details

  package struct Input: Codable, Hashable, Sendable {
    /// The new one.
    package var password: String
    /// The password until now.
    package var currentPassword: String

    package init(currentPassword: String, password: String) {
      (self.currentPassword, self.password) = (currentPassword, password)
    }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// Rules that the new password breaks but that do not bind yet. Absent from earlier servers, whose answer is empty.
    package var warnings: [RuleWarning]?

    package init(warnings: [RuleWarning]) { self.warnings = warnings }
  }

  /// Those of the new password.
  package static func warnings(of output: Output) -> [RuleWarning] { output.warnings ?? [] }
}
