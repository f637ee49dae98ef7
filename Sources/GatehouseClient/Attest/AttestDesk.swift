import Foundation
import GatehouseWire

/// The place where requests get their assertions, one at a time: the server refuses a counter that arrives late, so the
/// next assertion is made when the request before it was answered.
final class AttestDesk: Sendable {
  private let keys: any AttestKeys
  private let keeper: SessionKeeper
  private let turns = Turns()
  /// The registration under way. It goes on without its callers.
  private let registering = Locked<Promise<Result<String?, AuthError>>?>(nil)

  init(_ keys: any AttestKeys, _ keeper: SessionKeeper) {
    self.keys = keys
    self.keeper = keeper
  }

  /// Whether the device can attest.
  var isSupported: Bool { keys.isSupported }
  /// How many requests wait for the one before them.
  var waiting: Int { turns.waiting }

  private var clock: any AuthClock { keeper.configuration.clock }
  private var requests: Requests { keeper.requests }

  /// Sends a request with an assertion of its own; without one where the server has no challenge, because its policy
  /// demands none any more.
  func send<Content>(
    _ request: HTTPCall, as operation: String, _ effort: inout AttestEffort, until: Duration,
    _ once: (HTTPCall) async throws(AuthError) -> Answer<Content>
  ) async throws(AuthError) -> Answer<Content> {
    // GUARD: client: assertions leave one after another
    guard await turns.take(within: until - clock.uptime) else { throw late }
    defer { turns.pass() }
    let signed = try await sign(request, operation, &effort, until)
    do throws(AuthError) {
      return try await once(signed)
    } catch {
      if error.code == .attestInvalid, let key = effort.refusedKey(at: clock.uptime) {
        await keeper.forget(attestKey: key)
      }
      throw error
    }
  }

  private func sign(_ request: HTTPCall, _ operation: String, _ effort: inout AttestEffort, _ until: Duration)
    async throws(AuthError) -> HTTPCall
  {
    effort.used = nil
    while let key = try await key(&effort, until), let challenge = try await challenge(until) {
      let hash = AttestedRequest.hash(challenge.text, operation, request.body ?? Data())
      switch try await assertion(by: key, hash, until) {
      case .success(let assertion):
        effort.used = (key, challenge.until)
        return request.attested(by: key, challenge.text, assertion)
      case .failure(let error):
        // A device that was restored, or an app that was installed anew, has another key.
        guard error == .keyInvalid, !effort.hasNewKey else { throw told(error) }
        await keeper.forget(attestKey: key)
      }
    }
    return request
  }

  private func assertion(by key: String, _ hash: Data, _ until: Duration) async throws(AuthError)
    -> Result<Data, AttestKeyError>
  {
    let (keys, promise) = (keys, Promise<Result<Data, AttestKeyError>>())
    Task {
      do throws(AttestKeyError) {
        promise.fulfil(.success(try await keys.assertion(by: key, over: hash)))
      } catch {
        promise.fulfil(.failure(error))
      }
    }
    guard let outcome = await promise.wait(within: until - clock.uptime) else { throw late }
    return outcome
  }

  /// A challenge for one use, and when it is of no use; nil where the policy demands no attestation.
  private func challenge(_ until: Duration? = nil) async throws(AuthError) -> (text: String, until: Duration)? {
    do throws(AuthError) {
      // Nothing is kept of a challenge that was not used.
      let call = Call(AttestChallengeEndpoint.self, Nothing(), mayRepeat: true)
      let answer = try await requests.send(call, until: until)
      return (answer.content.challenge, answer.sentAt + .seconds(answer.content.expiresIn))
    } catch {
      if error.code == .notFound { return nil }
      throw error
    }
  }

  /// The key of this installation, which is registered where there is none yet; nil where the policy demands no
  /// attestation.
  private func key(_ effort: inout AttestEffort, _ until: Duration) async throws(AuthError) -> String? {
    if let key = await keeper.attestKey, key.isAttested { return key.name }
    effort.hasNewKey = true
    let (promise, isNew) = registering.withLock { current in
      if let current { return (current, false) }
      let promise = Promise<Result<String?, AuthError>>()
      current = promise
      return (promise, true)
    }
    if isNew {
      Task {
        let outcome = await register()
        registering.withLock { $0 = nil }
        promise.fulfil(outcome)
      }
    }
    guard let outcome = await promise.wait(within: until - clock.uptime) else { throw late }
    return try outcome.get()
  }

  private func register() async -> Result<String?, AuthError> {
    do throws(AuthError) {
      guard let challenge = try await challenge() else { return .success(nil) }
      let (key, attestation) = try await attest(AttestedRequest.hash(of: challenge.text))
      // An answer that is lost leaves a key that may be registered: the next request with it tells.
      await keeper.keep(attestKey: StoredAttestKey(name: key, isAttested: true))
      let input = RegisterAttestKeyEndpoint.Input(
        attestation: attestation.base64EncodedString(), challenge: challenge.text, keyID: key)
      do throws(AuthError) {
        _ = try await requests.send(Call(RegisterAttestKeyEndpoint.self, input, mayRepeat: false))
      } catch {
        if !error.isTemporary { await keeper.forget(attestKey: key) }
        throw error
      }
      return .success(key)
    } catch {
      return .failure(error)
    }
  }

  /// A key and its attestation. A key that Apple's servers gave no answer about is tried again.
  private func attest(_ hash: Data) async throws(AuthError) -> (key: String, attestation: Data) {
    let kept = await keeper.attestKey?.name
    do throws(AttestKeyError) {
      return try await attest(kept, hash)
    } catch {
      guard kept != nil, error == .keyInvalid else { throw told(error) }
    }
    do throws(AttestKeyError) { return try await attest(nil, hash) } catch { throw told(error) }
  }

  private func attest(_ kept: String?, _ hash: Data) async throws(AttestKeyError) -> (key: String, attestation: Data) {
    let key = if let kept { kept } else { try await keys.makeKey() }
    await keeper.keep(attestKey: StoredAttestKey(name: key, isAttested: false))
    do throws(AttestKeyError) {
      return (key, try await keys.attest(key, over: hash))
    } catch {
      if error != .unavailable { await keeper.forget(attestKey: key) }
      throw error
    }
  }

  /// The app's error for that of the device.
  private func told(_ error: AttestKeyError) -> AuthError {
    keeper.configuration.log(AuthLogEntry(event: "attest", outcome: "\(error)"))
    return requests.own(error == .unsupported ? .attestUnsupported : .attestUnavailable)
  }

  private var late: AuthError { Task.isCancelled ? .cancelled : requests.own(.network) }
}
