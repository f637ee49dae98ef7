import Foundation
import GatehouseWire

extension SessionKeeper {
  /// Pauses before a refresh is tried again.
  private static let pauses: [Duration] = [.milliseconds(500), .seconds(2), .seconds(4), .seconds(10)]
  /// The time after which callers are told of failures, as those of other calls are.
  private static let patience = Duration.seconds(3)
  /// A refresh token that the server does not know ends the session when it is still unknown after that: a database
  /// that was restored may have lost a commit that another server has.
  static let unknownFor = 30.0
  /// One try.
  private static let deadline = Duration.seconds(10)

  /// The session with an access token that is good for `minTTL`, or as good as a new one.
  func living(for minTTL: Duration) async throws(AuthError) -> StoredSession {
    try await opened()
    guard let session else { throw own(.unauthenticated) }
    let rest = remaining(session)
    if rest > minTTL { return session }
    guard let outcome = await refresh().wait() else { throw own(.cancelled) }
    switch outcome {
    case .success(let session): return session
    case .failure(let error):
      // A token that is still valid is better than an error.
      if let session = self.session, remaining(session) > .zero { return session }
      throw error
    }
  }

  /// The same sign-in's session with another access token than the refused one. A call begun as one person is never
  /// sent again as another one who signed in meanwhile.
  func replacing(_ refused: StoredSession) async throws(AuthError) -> StoredSession {
    try await opened()
    guard let session else { throw own(.unauthenticated) }
    let fresh: StoredSession
    if session.accessToken == refused.accessToken {
      guard let outcome = await refresh().wait() else { throw own(.cancelled) }
      fresh = try outcome.get()
    } else {
      fresh = session
    }
    // GUARD: client: a call stays with its person
    guard fresh.generation == refused.generation else { throw own(.unauthenticated) }
    return fresh
  }

  /// A refresh that has no caller. A session that is locked rests.
  func refreshSoon() { if !isLocked { _ = refresh() } }

  /// The refresh on its way, or a new one. It goes on when callers are cancelled, and while the system lets the app
  /// finish.
  func refresh() -> RefreshRun {
    if let refreshing { return refreshing }
    let run = RefreshRun()
    refreshing = run
    let before = session
    Task {
      let activity = BackgroundActivity("refresh")
      // A proof that is under way may void the tokens of now: its answer has others.
      while let joining { _ = await joining.wait() }
      let joined = joined(since: before)
      let outcome = if let joined { RefreshRun.Outcome.success(joined) } else { await repeatedly(run) }
      refreshing = nil
      run.end(outcome)
      activity.end()
      revokeLater()
      pushLater()
    }
    return run
  }

  /// The session, where a proof gave it other tokens.
  private func joined(since before: StoredSession?) -> StoredSession? {
    guard let session, let before, session.generation == before.generation,
      session.accessToken != before.accessToken, remaining(session) > .seconds(30)
    else { return nil }
    return session
  }

  private enum Try {
    case done(StoredSession)
    case failed(AuthError)
    case lost(AuthError)
  }

  /// Answers that were lost are asked for again, under the same key.
  private func repeatedly(_ run: RefreshRun) async -> Result<StoredSession, AuthError> {
    var pauses = Self.pauses[...]
    let clock = configuration.clock
    let start = clock.uptime
    let until = start + Requests.deadline
    while true {
      switch await once(until: min(configuration.clock.uptime + Self.deadline, until)) {
      case .done(let session): return .success(session)
      case .failed(let error): return .failure(error)
      case .lost(let error):
        let pause = max(pauses.popFirst() ?? until, error.retryAfter ?? .zero)
        guard clock.uptime + pause < until else { return .failure(error) }
        let sleep = Task { try await clock.sleep(for: pause) }
        if clock.uptime + pause - start < Self.patience {
          _ = await sleep.result
        } else {
          await run.pause(after: error, sleep)
        }
      }
    }
  }

  /// One try. The time that it has begins before the record is read: a request that leaves later, when other processes
  /// may have gone on by two tokens, would look like that of a copy.
  private func once(until: Duration) async -> Try {
    let before = session
    let key = UUID().uuidString
    do {
      // The key is in the store before it leaves: a process that is killed now asks for the same successor when it is
      // back.
      // GUARD: client: the key is stored before it leaves
      try ledger.changeStored { if $0.session?.attemptKey == nil { $0.session?.attemptKey = key } }
    } catch {
      configuration.log(AuthLogEntry(event: "store", outcome: "\(error)"))
      return .lost(own(error))
    }
    noteRemoval(before != nil)
    guard let sent = session, let key = sent.attemptKey else { return .failed(own(.unauthenticated)) }
    if sent.accessToken != before?.accessToken, remaining(sent) > .seconds(30) {
      return .done(sent)  // Another process was faster.
    }
    let input = TokenEndpoint.Input(refreshToken: sent.refreshToken, include: "user")
    do throws(AuthError) {
      let call = Call(TokenEndpoint.self, input, key: key, mayRepeat: false)
      return try await take(requests.send(call, until: until), sent)
    } catch {
      return refused(error, sent)
    }
  }

  /// An answer replaces only the token that was sent. For a session that was ended meanwhile it comes too late.
  private func take(_ answer: Answer<SessionAnswer>, _ sent: StoredSession) async throws(AuthError) -> Try {
    guard
      let new = StoredSession(
        answer, generation: sent.generation, user: session?.user ?? sent.user, now: configuration.clock.now)
    else { throw own(.unknown) }
    change { record in
      // GUARD: client: an answer replaces the token that was sent
      guard record.session?.refreshToken == sent.refreshToken else { return }
      // A refresh judges no value, and leaves what the server has of the device.
      var new = new
      (new.warnings, new.push) = (record.session?.warnings, record.session?.push)
      record.session = new
    }
    guard let session else { return .failed(own(.unauthenticated)) }
    if session.accessToken == new.accessToken { note(new.accessToken, answer) }
    return .done(session)
  }

  /// Only a definite no to the stored token ends a session.
  private func refused(_ error: AuthError, _ sent: StoredSession) -> Try {
    switch error.code {
    case .accountDisabled: return ended(.disabled, error, sent)
    case .sessionRevoked: return ended(.revoked, error, sent)
    case .refreshTokenInvalid:
      // GUARD: client: an unknown token ends a session at the second answer
      if isUnknownForLong(sent) { return ended(.expired, error, sent) }
      return unknown(error, sent)
    case .conflict:
      if let newer = newer(than: sent) { return .done(newer) }
      // The server gave this token's successor before, and knows a later one. No process of the device has that: a
      // copy of the record is in use elsewhere. The next try is a new request, and as such a replay, which ends the
      // session for both.
      guard isUnknownForLong(sent) else { return unknown(error, sent) }
      // GUARD: client: a copy of the record that is in use ends the session
      change { record in if record.session?.refreshToken == sent.refreshToken { record.session?.attemptKey = nil } }
      return .lost(error)
    case .cancelled: return .lost(own(.network))
    default:
      if let newer = newer(than: sent) { return .done(newer) }
      return error.isTemporary ? .lost(error) : .failed(error)
    }
  }

  /// The session that another process stored meanwhile: as good as an answer.
  private func newer(than sent: StoredSession) -> StoredSession? {
    guard (try? look()) != nil, let session, session.refreshToken != sent.refreshToken, remaining(session) > .zero
    else {
      return nil
    }
    return session
  }

  private func isUnknownForLong(_ sent: StoredSession) -> Bool {
    sent.unknownSince.map { abs(configuration.clock.now.timeIntervalSince($0)) >= Self.unknownFor } ?? false
  }

  /// Notes that the server does not know the token, or knows more than this device, and asks again in half a minute.
  private func unknown(_ error: AuthError, _ sent: StoredSession) -> Try {
    let now = configuration.clock.now
    change { record in
      guard record.session?.refreshToken == sent.refreshToken else { return }
      if record.session?.unknownSince == nil { record.session?.unknownSince = now }
    }
    askAgainLater()
    return .failed(error)
  }

  private func ended(_ reason: SignedOutReason, _ error: AuthError, _ sent: StoredSession) -> Try {
    // The record decides: another process may have stored a newer token.
    change { record in
      guard record.session?.refreshToken == sent.refreshToken else { return }
      record.signOut(reason)
    }
    if let session { return .done(session) }
    return .failed(error)
  }

  private func askAgainLater() {
    Task {
      try? await configuration.clock.sleep(for: .seconds(Self.unknownFor + 1))
      if session?.unknownSince != nil { refreshSoon() }
    }
  }
}
