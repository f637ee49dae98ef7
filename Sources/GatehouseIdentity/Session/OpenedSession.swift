import Foundation
import GatehousePolicy
import GatehousePrimitives
package import GatehouseWire

/// The value that a client gets for a session that was opened for it.
package protocol OpenedSession: Encodable, Sendable {
  /// The client of the session: that of the request, or a browser at the pages.
  static func client(_ call: Call) -> SessionClient

  init(_ opening: Opening) throws

  /// The value as the answer of a sign-up, which is kept for the request's key.
  var signUpAnswer: any Encodable { get }
}

/// A session that is about to be opened, and the credential of its client.
package struct Opening {
  let session: Session
  /// The account as it is after the commit.
  let user: StoredUser
  fileprivate let credential: SessionCredential
  fileprivate let device: PresentedDevice
  fileprivate let decision: Decision
  fileprivate let call: Call
  fileprivate let services: Services

  init(_ completion: Completion, for client: SessionClient, _ call: Call, _ services: Services) {
    let (idle, longest) = call.policy.sessions.lifetime(of: client, isShared: call.isAtSharedComputer)
    let end = call.now.addingTimeInterval(TimeInterval(longest))
    let device = completion.device
    user = completion.user
    session = Session(
      id: SessionID(services.clock.makeID()), user: user.id, createdAt: call.now, lastSeenAt: call.now,
      proofs: completion.proofs, expiresAt: end,
      idleExpiresAt: min(call.now.addingTimeInterval(TimeInterval(idle)), end),
      deviceName: device.device.name, device: device.device.id, place: call.place(services), client: client)
    credential = SessionCredential(of: session, at: call.now)
    self.device = device
    decision = completion.decision
    self.call = call
    self.services = services
  }

  /// The writes that open the session. `password`: see `Completion`.
  func changes(under password: String?) -> [Change] {
    (device.isKnown ? [] : [.device(.insert(device.device))]) + [
      .session(
        .insert(
          session, by: credential.stored, keeping: Int(call.policy.sessions.maxPerUser),
          on: device.isKnown ? device.device : nil, under: password)),
      .audit(
        call.entry(
          .sessionCreated, services, actor: .user(user.id), user: user.id, session: session.id,
          details: ["method": session.proofs.newest.method.reference])),
    ] + (call.attestKey.map { [.attest(.bindKey($0, user.id))] } ?? [])
  }
}

extension SessionAnswer: OpenedSession {
  package static func client(_ call: Call) -> SessionClient { call.client.session }

  package init(_ opening: Opening) throws {
    let (call, decision) = (opening.call, opening.decision)
    var present = opening.user
    present.isOnline = true
    present.lastSeen = call.now
    self = try SessionAnswers.make(
      present, opening.session, refreshToken: opening.credential.text.expose { $0 },
      standing: Standing(access: decision.access, next: decision.next), warnings: Warnings.make(decision, call),
      includeUser: true, call, opening.services)
    device = DeviceMark(id: opening.device.token)
  }

  package var signUpAnswer: any Encodable { SignUpAnswer.signedIn(self) }
}

/// The part of a session that a browser gets at the pages.
package struct PageSession: OpenedSession, Codable {
  package static func client(_ call: Call) -> SessionClient { .pages }

  /// The value of the session's cookie.
  package let secret: String
  /// The value of the device's cookie.
  package let device: String
  /// The steps that are missing for full access, as in the answer of a sign-in.
  package let next: [String]
  /// The user in this session, as the commit left them, for the rest of the request. Nil where the session was read
  /// from a kept answer, which does not hold it.
  package private(set) var signedIn: SignedIn?
  /// When the password that was just typed breaks rules that ask for a better one; nil where it breaks none.
  package private(set) var advice: PasswordAdvice?

  private enum CodingKeys: CodingKey { case secret, device, next }

  package init(secret: String, device: String, next: [String]) {
    self.secret = secret
    self.device = device
    self.next = next
  }

  package init(_ opening: Opening) {
    self.init(
      secret: opening.credential.text.expose { $0 }, device: opening.device.token, next: opening.decision.next)
    signedIn = SignedIn(session: opening.session, user: opening.user)
    advice = PasswordAdvice(opening.decision, by: opening.call.policy, at: opening.call.now)
  }

  package var signUpAnswer: any Encodable { self }
}

/// When a stored password has to become a better one.
package enum PasswordAdvice: String, Codable, Sendable {
  /// By rules that bind at each change, and prompt at a sign-in.
  case now
  /// By rules that bind from a day on.
  case later

  /// By the warnings of a sign-in. A rule that warns without a date is measured, and asks for nothing.
  fileprivate init?(_ decision: Decision, by policy: Policy, at instant: Date) {
    let broken = Set(decision.warnings.map(\.rule))
    let rules = policy.password.rules.filter { broken.contains($0.id) }
    if rules.contains(where: { $0.enforcement.mode(at: instant) == .enforce }) {
      self = .now
    } else if rules.contains(where: { $0.enforcement.from != nil }) {
      self = .later
    } else {
      return nil
    }
  }
}

/// The credential that a client presents from now on to use its session.
struct SessionCredential {
  /// In clear, for the client alone.
  let text: Secret<String>
  let stored: StoredCredential

  init(of session: Session, at now: Date) {
    let token = OpaqueToken.generate(session.client == .pages ? .pageSession : .refresh)
    text = token.text
    stored =
      switch session.client {
      case .app, .other:
        .refreshToken(RefreshToken(hash: token.digest, session: session.id, createdAt: now))
      case .pages: .page(hash: token.digest)
      }
  }
}

/// The stored part of a credential.
package enum StoredCredential: Sendable {
  case refreshToken(RefreshToken)
  /// SHA-256 of the cookie's value.
  case page(hash: [UInt8])
}

extension Sessions {
  /// Seconds: unused, and at all.
  func lifetime(of client: SessionClient, isShared: Bool = false) -> (idle: Int64, longest: Int64) {
    switch client {
    case .app, .other: return (refreshIdleTTL, refreshMaxTTL)
    case .pages:
      // GUARD: pages: a session at a shared computer is short
      let longest = isShared ? min(pageMaxTTL, Sessions.sharedTTL) : pageMaxTTL
      return (min(pageIdleTTL, longest), longest)
    }
  }

  /// Whether a session of a browser is as short as that of a computer that others use, too.
  package func isPerhapsShared(_ session: Session) -> Bool {
    session.client == .pages && pageSharedComputer
      && session.expiresAt.timeIntervalSince(session.createdAt) <= TimeInterval(Sessions.sharedTTL)
  }

  /// Seconds of a session of a browser at a computer that others use, too.
  private static let sharedTTL: Int64 = 3_600
}
