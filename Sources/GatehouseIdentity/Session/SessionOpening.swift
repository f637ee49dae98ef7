import Foundation
import GatehousePolicy
import GatehousePrimitives
import GatehouseWire

/// A session about to be opened: the writes that open it, and the answer to give once they are committed.
struct SessionOpening {
  let session: Session
  let changes: [Change]
  let answer: SessionAnswer

  /// The one place where a proof becomes a session.
  ///
  /// `account` is as it will be after the commit; `password` is the hash of the one that was right, if one was checked.
  init(
    _ proof: Proof, _ account: Account, password: String? = nil, device: PresentedDevice, standing: Standing,
    warnings: [RuleWarning], _ call: Call, _ services: Services
  ) throws {
    guard proof.account == account.id, proof.tenant == call.tenant.id else { throw Refusal(.forbidden) }
    let rules = call.policy.sessions
    let end = call.now.addingTimeInterval(TimeInterval(rules.refreshMaxTTL))
    let idle = call.now.addingTimeInterval(TimeInterval(rules.refreshIdleTTL))
    session = Session(
      id: SessionID(services.clock.makeID()), account: account.id, createdAt: call.now, lastSeenAt: call.now,
      authenticatedAt: proof.at, methods: [proof.method.rawValue], expiresAt: end, idleExpiresAt: min(idle, end),
      deviceName: device.device.name, device: device.device.id,
      place: call.place(services))
    let refresh = OpaqueToken.generate(.refresh)
    changes =
      (device.isKnown ? [] : [.insertDevice(device.device)]) + [
        .insertSession(
          session, refresh: RefreshToken(hash: refresh.digest, session: session.id, createdAt: call.now),
          keeping: Int(rules.maxPerUser), on: device.isKnown ? device.device : nil, under: password),
        .audit(
          call.entry(
            .sessionCreated, services, actor: .user(account.id), account: account.id, session: session.id,
            details: ["method": proof.method.rawValue])),
      ] + (call.attestKey.map { [.bindAttestKey($0, account.id)] } ?? [])
    var present = account
    present.isOnline = true
    present.lastSeen = call.now
    var answer = try SessionAnswers.make(
      present, session, refreshToken: refresh.text.expose { $0 }, standing: standing, warnings: warnings,
      includeUser: true, call,
      services)
    answer.device = DeviceMark(id: device.token)
    self.answer = answer
  }
}

/// How a person stands with the policy at this moment.
struct Standing {
  var access: Access
  var next: [String]
}

enum SessionAnswers {
  /// The session answer for a session that is, or is about to be, in the store.
  static func make(
    _ account: Account, _ session: Session, refreshToken: String?, standing: Standing, warnings: [RuleWarning],
    includeUser: Bool, _ call: Call, _ services: Services
  ) throws -> SessionAnswer {
    SessionAnswer(
      accessToken: try AccessTokens.issue(
        account, session, access: standing.access, call, id: services.clock.makeID()),
      expiresIn: Int(call.policy.sessions.accessTokenTTL), refreshToken: refreshToken,
      session: SessionSummary(
        id: session.id.text, createdAt: Timestamp(session.createdAt), expiresAt: Timestamp(session.expiresAt)),
      user: includeUser ? Views.user(account, .present(call.now), call, to: .`self`) : nil,
      access: standing.access.rawValue,
      next: standing.next, requirements: Requirements.make(standing.next, call), warnings: warnings,
      policy: PolicyMark(revision: call.tenant.revision))
  }
}
