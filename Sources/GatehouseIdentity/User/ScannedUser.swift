/// A person as read by a walk over all people of a tenant.
package struct ScannedUser: Sendable {
  package var user: StoredUser
  /// Whether a session of the person's was used within the last 30 days.
  package var isActive: Bool
  /// The result of the last sign-in for the password; nil while nothing was measured.
  package var compliance: Compliance?
  /// Providers at which the person alone has an identity.
  package var signInIdentities: [String]

  package init(user: StoredUser, isActive: Bool, compliance: Compliance?, signInIdentities: [String]) {
    self.user = user
    self.isActive = isActive
    self.compliance = compliance
    self.signInIdentities = signInIdentities
  }
}

/// One bit about a password, measured while rules only warn: never a length, never a class.
package struct Compliance: Sendable, Equatable {
  /// SHA-256 of the rules it was measured by, stages left out: `Compliance.digest`.
  package var rules: [UInt8]
  package var complies: Bool

  package init(rules: [UInt8], complies: Bool) {
    self.rules = rules
    self.complies = complies
  }
}
