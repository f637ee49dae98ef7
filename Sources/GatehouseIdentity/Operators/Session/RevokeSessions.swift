package import GatehouseAdminWire
package import GatehouseWire

/// `gatehouse user revoke`: ends one session of a user, or all of them.
package enum RevokeSessions {
  package static func run(_ input: RevokeSessionsOperation.Input, _ call: OperatorCall) async throws -> Nothing {
    let one = try input.session.map { text in
      guard let id = SessionID(text: text) else {
        throw Refusal(.malformedRequest, detail: "\"\(text)\" is not a session's id")
      }
      return id
    }
    let (user, seen) = try await call.user(input.user, of: input.tenant)
    if let one, try await !call.store(of: seen).sessions(of: user.id).contains(where: { $0.id == one }) {
      throw OperatorError(
        .notFound, "\(user.reference) has no session \(one.text)",
        hint: "gatehouse user sessions \(seen.tenant.name) \(user.reference)")
    }
    try await end(one, of: user, seen, call)
    return Nothing()
  }

  /// Ends one session of a user, or all of them.
  static func end(_ one: SessionID?, of user: StoredUser, _ seen: Call, _ call: OperatorCall) async throws {
    let end: [Change] =
      if let one {
        [.device(.forget(of: one)), .session(.end(one, .revoked))]
      } else {
        [.device(.forgetAll(user.id, except: nil)), .session(.endAll(user.id, except: nil, .revoked))]
      }
    let author = try call.author()
    let last = LastSession(of: user, seen, call.services) { link in
      author.entry(.unlinked, call.services, user: user.id, details: ["provider": link.provider])
    }
    try await last.end(
      { one == nil || $0.id == one },
      end + [.audit(author.entry(.sessionEnded, call.services, user: user.id))], as: .operator)
  }
}
