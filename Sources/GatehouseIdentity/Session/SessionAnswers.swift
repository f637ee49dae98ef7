import GatehousePolicy
import GatehouseWire

/// How a person stands with the policy at this moment.
struct Standing {
  var access: Access
  var next: [String]
}

enum SessionAnswers {
  /// The session answer for a session that is, or is about to be, in the store.
  static func make(
    _ user: StoredUser, _ session: Session, refreshToken: String?, standing: Standing, warnings: [RuleWarning],
    includeUser: Bool, _ call: Call, _ services: Services
  ) throws -> SessionAnswer {
    SessionAnswer(
      accessToken: try AccessTokens.issue(
        user, session, access: standing.access, call, id: services.clock.makeID()),
      expiresIn: Int(call.policy.sessions.accessTokenTTL), refreshToken: refreshToken,
      session: SessionSummary(
        id: session.id.text, createdAt: Timestamp(session.createdAt), expiresAt: Timestamp(session.expiresAt)),
      user: includeUser ? Views.user(user, .present(call.now), call, to: .`self`) : nil,
      access: standing.access.rawValue,
      next: standing.next, requirements: Requirements.make(standing.next, call), offers: Offers.make(user, call),
      warnings: warnings,
      policy: PolicyMark(revision: call.tenant.revision),
      claims: AccessTokens.revision(user, access: standing.access, call))
  }
}

/// Steps that a person may take and that nothing waits for.
enum Offers {
  /// Nil where there is none.
  static func make(_ user: StoredUser, _ call: Call) -> [String]? {
    call.tenant.relyingParty != nil && call.policy.offersPasskey(to: user.facts, at: call.now) ? ["add_passkey"] : nil
  }
}
