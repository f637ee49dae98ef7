import Foundation
import GatehouseWire

extension AuthClient {
  /// A call of a stranger.
  func anonymous<E: Endpoint>(_ endpoint: E.Type, _ input: E.Input, key: String? = nil) async throws(AuthError)
    -> Answer<E.Output>
  {
    start()
    try await keeper.ready()
    return try await keeper.requests.send(Call(endpoint, input, key: key))
  }

  /// A call of the signed-in person: of the sign-in `generation`, where that is given, and of no later one. An access
  /// token that the server refuses is replaced once.
  func signedIn<E: Endpoint>(
    _ endpoint: E.Type, _ input: E.Input, of generation: String? = nil, key: String? = nil, mayRepeat: Bool? = nil
  ) async throws(AuthError) -> Answer<E.Output> {
    start()
    let session = try await keeper.living(for: .seconds(10))
    guard generation == nil || generation == session.generation else { throw keeper.requests.own(.unauthenticated) }
    var call = Call(endpoint, input, token: session.accessToken, key: key, mayRepeat: mayRepeat)
    do throws(AuthError) {
      return try await keeper.requests.send(call)
    } catch {
      if error.code == .accessLimited { await keeper.reloadSoon() }
      guard error.isAboutTheToken else { throw error }
      call.token = try await keeper.replacing(session).accessToken
      return try await keeper.requests.send(call)
    }
  }
}

extension AuthError {
  /// Whether the server refused the access token rather than the call.
  var isAboutTheToken: Bool { [.tokenExpired, .unauthenticated, .sessionRevoked].contains(code) }
}

extension SessionKeeper {
  /// Takes over the server's current answer about the person. When full access is new, or a claim changed, the tokens
  /// are replaced before the state shows it: a backend of the app reads the claims in them.
  func take(_ me: MeAnswer, of generation: String) async throws(AuthError) -> AuthState {
    guard let session, session.generation == generation else { return board.state }
    if me.access == "full", session.access != "full" {
      _ = try await replacing(session)
      return board.state
    }
    if let claims = me.claims, let known = session.claims, claims != known,
      (try? await replacing(session))?.claims == claims
    {
      return board.state
    }
    let user = AuthUser(me.user)
    let steps = StoredSession.Step.list(me.next, me.requirements)
    change { record in
      guard var session = record.session, session.generation == generation,
        session.user.updatedAt <= user.updatedAt
      else { return }
      (session.user, session.access, session.next) = (user, me.access, steps)
      session.offers = me.offers
      record.session = session
    }
    return board.state
  }

  /// Takes over the person's presence as the server has it.
  func take(_ presence: UserPresence, of generation: String) {
    change { record in
      guard record.session?.generation == generation else { return }
      record.session?.user.presence = presence
    }
  }

  /// Asks the server where the person stands.
  func reload() async throws(AuthError) -> AuthState {
    let session = try await living(for: .seconds(10))
    do throws(AuthError) {
      let me = try await requests.send(Call(ReadMeEndpoint.self, Nothing(), token: session.accessToken))
      return try await take(me.content, of: session.generation)
    } catch {
      guard error.isAboutTheToken else { throw error }
      // A refresh answers the person as well.
      _ = try await replacing(session)
      return board.state
    }
  }

  /// The same without a caller, at most once at a time.
  func reloadSoon() {
    guard !isReloading else { return }
    isReloading = true
    Task {
      _ = try? await reload()
      isReloading = false
    }
  }
}
