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
  var then: (Opened) throws -> [Change] = { _ in [] }

  /// Opens the session. Throws the store's refusals; the way in knows what each of them means there.
  func commit(_ call: Call, _ services: Services) async throws -> Opened {
    let (session, changes, opened) = try opening(call, services)
    var all = first + changes
    all += try then(opened)
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
        all + Messaging.newDevice(device, to: user, call, services), as: authority)
    case .new(let mail, let counters):
      try await services.store.open(call.tenant.id).commit(all, optional: mail, then: counters, as: .anonymous)
    }
    return opened
  }

  /// The session, the writes that open it, and what its client gets once they are committed.
  private func opening(_ call: Call, _ services: Services) throws -> (Session, [Change], Opened) {
    guard
      proofs.user == user.id,  // GUARD: completion: proofs of this account
      proofs.tenant == call.tenant.id  // GUARD: completion: proofs of this tenant
    else { throw Refusal(.forbidden) }
    let rules = call.policy.sessions
    let (idle, longest) = rules.lifetime(of: call.client)
    let end = call.now.addingTimeInterval(TimeInterval(longest))
    let session = Session(
      id: SessionID(services.clock.makeID()), user: user.id, createdAt: call.now, lastSeenAt: call.now,
      proofs: proofs, expiresAt: end, idleExpiresAt: min(call.now.addingTimeInterval(TimeInterval(idle)), end),
      deviceName: device.device.name, device: device.device.id, place: call.place(services), client: call.client)
    let credential = SessionCredential(of: session)
    let changes: [Change] =
      (device.isKnown ? [] : [.device(.insert(device.device))]) + [
        .session(
          .insert(
            session, by: credential.stored, keeping: Int(rules.maxPerUser), on: device.isKnown ? device.device : nil,
            under: password)),
        .audit(
          call.entry(
            .sessionCreated, services, actor: .user(user.id), user: user.id, session: session.id,
            details: ["method": proofs.newest.method.reference])),
      ] + (call.attestKey.map { [.attest(.bindKey($0, user.id))] } ?? [])
    return (session, changes, try opened(session, credential, call, services))
  }

  private func opened(_ session: Session, _ credential: SessionCredential, _ call: Call, _ services: Services) throws
    -> Opened
  {
    switch call.client {
    case .pages:
      return .pages(
        PageSession(secret: credential.text.expose { $0 }, device: device.token, next: decision.next))
    case .app:
      var present = user
      present.isOnline = true
      present.lastSeen = call.now
      var answer = try SessionAnswers.make(
        present, session, refreshToken: credential.text.expose { $0 },
        standing: Standing(access: decision.access, next: decision.next), warnings: Warnings.make(decision, call),
        includeUser: true, call, services)
      answer.device = DeviceMark(id: device.token)
      return .app(answer)
    }
  }
}
