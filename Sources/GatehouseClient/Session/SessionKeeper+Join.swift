import Foundation
import GatehouseWire

extension AuthClient {
  /// A call of the sign-in `generation` that proves who the person is. `session` finds the session in its answer, as it
  /// goes on.
  func join<E: Endpoint>(
    _ endpoint: E.Type, _ input: E.Input, of generation: String,
    _ session: @escaping @Sendable (E.Output) -> SessionAnswer
  ) async throws(AuthError) -> E.Output {
    start()
    return try await keeper.join(Call(endpoint, input, mayRepeat: false), of: generation, session)
  }
}

extension SessionKeeper {
  /// Sends a proof that joins the session. The server may raise the session by it: tokens of before are void from then
  /// on. So no refresh is under way meanwhile, and those that are wanted wait for the answer. A caller that is
  /// cancelled stops nothing: an answer that was not read would have been the session. An access token that the server
  /// refuses is replaced once.
  fileprivate func join<E: Endpoint>(
    _ call: Call<E>, of generation: String, _ session: @escaping @Sendable (E.Output) -> SessionAnswer
  ) async throws(AuthError) -> E.Output {
    var refused: StoredSession?
    while true {
      if let refused { _ = try await replacing(refused) } else { _ = try await living(for: .seconds(10)) }
      let turn = try await takeTurn()
      guard let sent = self.session, sent.generation == generation else {
        end(turn)
        throw own(.unauthenticated)
      }
      let outcome = Promise<Result<E.Output, AuthError>>()
      Task {
        let activity = BackgroundActivity("proof")
        let result = await self.send(call, in: sent, session)
        end(turn)
        outcome.fulfil(result)
        activity.end()
        revokeLater()
        pushLater()
      }
      guard let result = await outcome.wait() else { throw own(.cancelled) }
      do throws(AuthError) {
        return try result.get()
      } catch {
        guard error.isAboutTheToken, refused == nil else { throw error }
        refused = sent
      }
    }
  }

  /// Waits until no other proof and no refresh is under way, and keeps both away until its end.
  private func takeTurn() async throws(AuthError) -> Promise<Void> {
    while true {
      if let joining {
        if await joining.wait() == nil { throw own(.cancelled) }
      } else if let refreshing {
        guard let outcome = await refreshing.wait() else { throw own(.cancelled) }
        // It pauses, and goes on later.
        if case .failure(let error) = outcome, self.refreshing === refreshing { throw error }
      } else {
        let turn = Promise<Void>()
        joining = turn
        return turn
      }
    }
  }

  private func end(_ turn: Promise<Void>) {
    joining = nil
    turn.fulfil(())
  }

  private func send<E: Endpoint>(
    _ call: Call<E>, in sent: StoredSession, _ session: @Sendable (E.Output) -> SessionAnswer
  ) async -> Result<E.Output, AuthError> {
    var call = call
    call.token = sent.accessToken
    do throws(AuthError) {
      let answer = try await requests.send(call)
      take(answer.with(session(answer.content)), joining: sent)
      return .success(answer.content)
    } catch {
      return .failure(error)
    }
  }

  /// Takes over the session as it is after a proof. Where it was raised it has another id and refresh token; else the
  /// stored refresh token stays good, and a server of an earlier release answers another one in its place.
  private func take(_ answer: Answer<SessionAnswer>, joining sent: StoredSession) {
    let now = configuration.clock.now
    var joined = sent
    joined.join(answer, at: now)
    change { [joined] record in
      // GUARD: client: a proof joins the session that it was sent in
      if record.holds(sent) {
        record.session?.join(answer, at: now)
      } else if record.session == nil, record.reason == .revoked, joined.id != sent.id {
        // Another process met the end of the former id before the answer came. The person did not leave.
        (record.session, record.reason) = (joined, nil)
      } else if joined.id != sent.id {
        // The person left meanwhile.
        record.revoke(joined.refreshToken)
      }
    }
    if self.session?.accessToken == answer.content.accessToken { note(answer.content.accessToken, answer) }
  }
}

extension StoredRecord {
  /// Whether the session is this one, with any tokens.
  fileprivate func holds(_ other: StoredSession) -> Bool {
    session?.generation == other.generation && session?.id == other.id
  }
}

extension StoredSession {
  /// Goes on as the answer to a proof says.
  fileprivate mutating func join(_ answer: Answer<SessionAnswer>, at now: Date) {
    let content = answer.content
    // Without its refresh token, a session under another id could not go on.
    guard content.session.id == id || content.refreshToken != nil else { return }
    take(answer, at: now)
    (access, next) = (content.access, Step.list(content.next, content.requirements))
    offers = content.offers
    if let answered = content.user.map(AuthUser.init), user.updatedAt <= answered.updatedAt { user = answered }
    if let replaced = content.refreshToken { (refreshToken, attemptKey, unknownSince) = (replaced, nil, nil) }
    guard content.session.id != id else { return }
    id = content.session.id
    push?.isOwed = true
  }
}
