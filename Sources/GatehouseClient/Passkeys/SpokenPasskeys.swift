extension AuthClient {
  /// The person's passkeys, whose errors have the client's sentences in the person's language.
  var passkeys: (any PasskeyManager)? { configuration.passkeys.map { SpokenPasskeys($0, keeper) } }
}

/// A source of passkeys with the client's sentences for its errors.
private struct SpokenPasskeys: PasskeyManager {
  private let base: any PasskeyManager
  private let keeper: SessionKeeper

  nonisolated init(_ base: any PasskeyManager, _ keeper: SessionKeeper) { (self.base, self.keeper) = (base, keeper) }

  var offersBesideInputs: Bool { base.offersBesideInputs }

  func make(_ creation: PasskeyCreation) async throws(AuthError) -> PasskeyRegistration {
    do throws(AuthError) { return try await base.make(creation) } catch { throw await keeper.own(error.code) }
  }

  func use(_ request: PasskeyRequest) async throws(AuthError) -> PasskeyAssertion {
    do throws(AuthError) { return try await base.use(request) } catch { throw await keeper.own(error.code) }
  }

  func offer(_ request: PasskeyRequest) async throws(AuthError) -> PasskeyAssertion {
    do throws(AuthError) { return try await base.offer(request) } catch { throw await keeper.own(error.code) }
  }

  func upgrade(_ creation: PasskeyCreation) async throws(AuthError) -> PasskeyRegistration {
    try await base.upgrade(creation)
  }

  func makeAccount(_ creation: PasskeyCreation, asksForName: Bool) async throws(AuthError) -> PasskeyAccount? {
    do throws(AuthError) {
      return try await base.makeAccount(creation, asksForName: asksForName)
    } catch { throw await keeper.own(error.code) }
  }

  func report(_ accepted: AcceptedPasskeys) async { await base.report(accepted) }
}
