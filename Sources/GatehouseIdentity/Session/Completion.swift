import Foundation
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// The one end of every way in: what was proven becomes a session, in one commit with everything that the way in
/// writes. No position in the code signs an account in, only proofs do.
struct Completion {
  /// The result of the way in.
  enum Arrival {
    /// An account that exists. The details stand in the audit row of the sign-in.
    case known([String: String])
    /// An account that this commit makes, with a mail that its limits may keep back, and counters that come last.
    case new(mail: [Change], counters: [Change])
  }

  let proofs: Proofs
  /// The account as it is after the commit.
  let user: StoredUser
  /// The decision of the door that the account passed.
  let decision: Decision
  let device: PresentedDevice
  let arrival: Arrival
  /// The hash of the password that was right, if one was checked: the session begins only while that one is stored.
  var password: String?
  /// The authority of the commit.
  var authority = Authority.anonymous
  /// The changes written before the session.
  var first: [Change] = []
  /// The changes written after the session, and so behind the account's lock.
  var then: (SessionAnswer) throws -> [Change] = { _ in [] }

  /// Opens the session. Throws the store's refusals; the way in knows what each of them means there.
  func commit(_ call: Call, _ services: Services) async throws -> SessionAnswer {
    let (session, changes, answer) = try opening(call, services)
    var all = first + changes
    all += try then(answer)
    all += call.exceptionsUsed(decision, services, actor: .user(user.id), user: user.id)
    switch arrival {
    case .known(let details):
      let found = ["device": device.isKnown ? "known" : "new"]
      all.append(
        .audit(
          call.entry(
            .signInSucceeded, services, actor: .user(user.id), user: user.id, session: session.id,
            details: details.merging(found) { own, _ in own })))
      try await services.store.open(call.tenant.id).commit(
        all + Mailing.newDevice(device, to: user, call, services), as: authority)
    case .new(let mail, let counters):
      try await services.store.open(call.tenant.id).commit(all, optional: mail, then: counters, as: .anonymous)
    }
    return answer
  }

  /// The session, the writes that open it, and the answer to give once they are committed.
  private func opening(_ call: Call, _ services: Services) throws -> (Session, [Change], SessionAnswer) {
    guard
      proofs.user == user.id,  // GUARD: completion: proofs of this account
      proofs.tenant == call.tenant.id  // GUARD: completion: proofs of this tenant
    else { throw Refusal(.forbidden) }
    let rules = call.policy.sessions
    let end = call.now.addingTimeInterval(TimeInterval(rules.refreshMaxTTL))
    let idle = call.now.addingTimeInterval(TimeInterval(rules.refreshIdleTTL))
    let session = Session(
      id: SessionID(services.clock.makeID()), user: user.id, createdAt: call.now, lastSeenAt: call.now,
      proofs: proofs, expiresAt: end, idleExpiresAt: min(idle, end),
      deviceName: device.device.name, device: device.device.id, place: call.place(services))
    let refresh = OpaqueToken.generate(.refresh)
    let changes: [Change] =
      (device.isKnown ? [] : [.device(.insert(device.device))]) + [
        .session(
          .insert(
            session, refresh: RefreshToken(hash: refresh.digest, session: session.id, createdAt: call.now),
            keeping: Int(rules.maxPerUser), on: device.isKnown ? device.device : nil, under: password)),
        .audit(
          call.entry(
            .sessionCreated, services, actor: .user(user.id), user: user.id, session: session.id,
            details: ["method": proofs.newest.method.reference])),
      ] + (call.attestKey.map { [.attest(.bindKey($0, user.id))] } ?? [])
    var present = user
    present.isOnline = true
    present.lastSeen = call.now
    var answer = try SessionAnswers.make(
      present, session, refreshToken: refresh.text.expose { $0 },
      standing: Standing(access: decision.access, next: decision.next), warnings: Warnings.make(decision, call),
      includeUser: true, call, services)
    answer.device = DeviceMark(id: device.token)
    return (session, changes, answer)
  }
}
