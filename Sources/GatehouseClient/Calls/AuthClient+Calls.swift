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

  /// A call of the signed-in person. An access token that the server refuses is replaced once.
  func signedIn<E: Endpoint>(
    _ endpoint: E.Type, _ input: E.Input, key: String? = nil, mayRepeat: Bool? = nil
  ) async throws(AuthError) -> Answer<E.Output> {
    start()
    let token = try await keeper.living(for: .seconds(10)).accessToken
    do throws(AuthError) {
      return try await keeper.requests.send(Call(endpoint, input, token: token, key: key, mayRepeat: mayRepeat))
    } catch {
      if error.code == .accessLimited { await keeper.reloadSoon() }
      guard [.tokenExpired, .unauthenticated, .sessionRevoked].contains(error.code) else { throw error }
      let fresh = try await keeper.replacing(token).accessToken
      return try await keeper.requests.send(Call(endpoint, input, token: fresh, key: key, mayRepeat: mayRepeat))
    }
  }
}

extension SessionKeeper {
  /// What the server says of the person now. When full access is new, the tokens are replaced before the state shows it: the claim is
  /// in them.
  func take(_ me: MeAnswer, of generation: String) async throws(AuthError) -> AuthState {
    guard let session, session.generation == generation else { return board.state }
    if me.access == "full", session.access != "full" {
      _ = try await replacing(session.accessToken)
      return board.state
    }
    let user = AuthUser(me.user)
    let steps = StoredSession.Step.list(me.next, me.requirements)
    change { record in
      guard var session = record.session, session.generation == generation,
        session.user.updatedAt <= user.updatedAt
      else { return }
      (session.user, session.access, session.next) = (user, me.access, steps)
      record.session = session
    }
    return board.state
  }

  /// Asks the server where the person stands.
  func reload() async throws(AuthError) -> AuthState {
    let session = try await living(for: .seconds(10))
    do throws(AuthError) {
      let me = try await requests.send(Call(ReadMeEndpoint.self, Nothing(), token: session.accessToken))
      return try await take(me.content, of: session.generation)
    } catch {
      guard [.tokenExpired, .unauthenticated, .sessionRevoked].contains(error.code) else { throw error }
      // A refresh answers the person as well.
      _ = try await replacing(session.accessToken)
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
