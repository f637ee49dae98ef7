import Foundation
import GatehouseWire

/// Keeps this device's session: the one place where a state is decided. Everything that changes it is one synchronous
/// step here; what arrives in between is judged against the record as it is by then.
actor SessionKeeper {
  let configuration: AuthConfiguration
  let requests: Requests
  let board: StateBoard
  var ledger: Ledger
  /// Whether the store was read, or the person decided without it.
  var isRestored = false
  /// When the current access token ends, on the continuous clock, where this process saw it come.
  private var lifetime: (token: String, until: Duration)?
  /// Why there is no session, where this process knows better than the record.
  private var reasonHere: SignedOutReason?
  /// Whether a session may be shown and used: always, unless the configuration has it locked.
  var isOpen: Bool
  /// When the app left the front, on the continuous clock.
  var leftAt: Duration?
  /// The question to the owner of the device that is under way.
  var asking: Promise<Result<Void, UnlockError>>?
  /// Calls that wait for the session to open.
  var waiting: [Promise<Bool>] = []
  var refreshing: RefreshRun?
  /// The proof under way that joins the session.
  var joining: Promise<Void>?
  var isSaving = false
  var isRevoking = false
  var isReloading = false
  /// The push token on its way to the server: one at a time, so that the server keeps the one that was set last.
  var pushing: Promise<Void>?
  /// The sign-in that a passkey may be made after, without a question.
  var upgradable: String?
  /// Redemptions on their way, by their codes.
  var redeeming: [String: Promise<Result<AuthState, AuthError>>] = [:]

  init(_ configuration: AuthConfiguration, _ board: StateBoard) {
    self.configuration = configuration
    self.board = board
    isOpen = !configuration.unlock.isOn
    requests = Requests(configuration: configuration)
    ledger = Ledger(configuration.store, key: configuration.storeKey)
  }

  /// The session, if there is one.
  var session: StoredSession? { ledger.record.session }

  /// An error of the client's own.
  func own(_ code: AuthError.Code) -> AuthError { requests.own(code) }
  func own(_ code: AuthError.Code, of provider: String) -> AuthError { requests.own(code, of: provider) }

  // MARK: Changes

  /// Changes the record, shows the state, and repeats the write later where the store did not take it.
  func change(_ change: @escaping Ledger.Change) {
    if !ledger.change(change) { saveLater() }
    show()
  }

  /// Shows where the person stands.
  func show() {
    guard isRestored else { return }
    // GUARD: client: a locked session is not shown
    var state = isLocked ? .locked : ledger.record.state
    if case .signedOut = state {
      if let reasonHere { state = .signedOut(reasonHere) }
    } else {
      reasonHere = nil
    }
    let shown = isLocked ? nil : ledger.record.session
    if board.show(state, shown?.warnings ?? [], AuthOffer.list(shown?.offers)) {
      configuration.log(AuthLogEntry(event: "state", outcome: state.name))
    }
    resumeWaiting()
  }

  /// Looks whether another process of the app changed the record. Throws where the store gives no answer.
  func look() throws(StoreError) {
    let had = ledger.record.session != nil
    try ledger.load()
    noteRemoval(had)
  }

  /// A session that was there before a look and is not after it was ended by another process.
  func noteRemoval(_ had: Bool) {
    if had, session == nil { reasonHere = .elsewhere }
    show()
  }

  /// Changes the record for a reason that this process knows, and that stands in the record.
  func end(_ change: @escaping Ledger.Change) {
    reasonHere = nil
    isRestored = true
    self.change(change)
  }

  // MARK: Sessions

  /// The session that a sign-in opened. The session before it is given back to the server; so is the new one where it
  /// belongs to a way through the hosted pages that is over by now. Throws `unauthenticated` then, and `unknown` for an
  /// answer that lacks what a sign-in answers.
  /// - Parameter mayUpgrade: whether a passkey may be made after it, without a question.
  func adopt(_ answer: Answer<SessionAnswer>, of flow: PendingHostedSignIn? = nil, mayUpgrade: Bool = false)
    throws(AuthError) -> AuthState
  {
    guard let session = StoredSession(answer, generation: UUID().uuidString, user: nil, now: configuration.clock.now)
    else { throw own(.unknown) }
    let device = answer.content.device?.id
    if flow == nil || ledger.record.hosted == flow { (isOpen, leftAt) = (true, nil) }
    if mayUpgrade { upgradable = session.generation }
    change { record in
      // GUARD: hosted: a way that is over opens no session
      guard flow == nil || record.hosted == flow else { return record.revoke(session.refreshToken) }
      if record.session?.id == session.id { record.session = nil }
      record.revokeSession()
      record.session = session
      record.reason = nil
      record.signUp = nil
      (record.flow, record.hosted) = (nil, nil)
      record.deviceID = device ?? record.deviceID
    }
    revokeLater()
    guard self.session?.generation == session.generation else { throw own(.unauthenticated) }
    note(session.accessToken, answer)
    return board.state
  }

  /// Remembers how long a new access token lives.
  func note(_ token: String, _ answer: Answer<SessionAnswer>) {
    lifetime = (token, answer.sentAt + .seconds(answer.content.expiresIn))
  }

  /// The remaining time of the session's access token. For a token that an earlier process received, the wall clock and
  /// its known error decide; never more than the token's whole life.
  func remaining(_ session: StoredSession) -> Duration {
    if let lifetime, lifetime.token == session.accessToken { return lifetime.until - configuration.clock.uptime }
    let serverTime = configuration.clock.now.addingTimeInterval(session.clockOffset)
    let seconds = session.accessExpires.timeIntervalSince(serverTime)
    return .seconds(min(max(seconds, -1), Double(session.accessLifetime)))
  }

  /// Writes what the store did not take, after 1, 2, … 30 seconds, until it does.
  func saveLater() {
    guard !isSaving else { return }
    isSaving = true
    Task {
      var pause = 1
      while !ledger.isSaved {
        do { try await configuration.clock.sleep(for: .seconds(pause)) } catch { break }
        do {
          try ledger.save()
          show()
          // A sign-out that was made before the store could be read has its token now.
          revokeLater()
        } catch {
          configuration.log(AuthLogEntry(event: "store", outcome: "\(error)"))
        }
        pause = min(30, pause * 2)
      }
      isSaving = false
    }
  }
}

/// The keeper holds tokens: it shows nothing.
extension SessionKeeper: CustomReflectable {
  nonisolated var customMirror: Mirror { Mirror(self, children: []) }
}

extension StoredSession {
  /// Nil without a refresh token or a person: `user` is the person as known so far.
  init?(_ answer: Answer<SessionAnswer>, generation: String, user: AuthUser?, now: Date) {
    let content = answer.content
    guard let user = content.user.map(AuthUser.init) ?? user, let refreshToken = content.refreshToken else {
      return nil
    }
    let date = answer.date ?? now
    self.init(
      generation: generation, id: content.session.id, refreshToken: refreshToken,
      accessToken: content.accessToken, accessExpires: date.addingTimeInterval(TimeInterval(content.expiresIn)),
      accessLifetime: content.expiresIn, clockOffset: date.timeIntervalSince(now), user: user, access: content.access,
      next: Step.list(content.next, content.requirements),
      warnings: content.warnings.map(AuthWarning.init), offers: content.offers, claims: content.claims,
      attemptKey: nil, unknownSince: nil)
  }
}

extension StoredSession {
  /// Takes the answer's access token, in the place of the one before.
  mutating func take(_ answer: Answer<SessionAnswer>, at now: Date) {
    let date = answer.date ?? now
    accessToken = answer.content.accessToken
    claims = answer.content.claims
    accessExpires = date.addingTimeInterval(TimeInterval(answer.content.expiresIn))
    accessLifetime = answer.content.expiresIn
    clockOffset = date.timeIntervalSince(now)
  }
}

extension StoredSession.Step {
  /// The steps, each with the server's sentence where there is one.
  static func list(_ next: [String], _ requirements: [AccessRequirement]?) -> [Self] {
    next.map { need in Self(need: need, message: requirements?.first { $0.need == need }?.message) }
  }
}
