import Foundation
import GatehouseWire

extension SessionKeeper {
  /// Pauses before a code is sent again.
  private static let pauses: [Duration] = [.milliseconds(500), .seconds(2)]

  /// Ends a way through the hosted pages with the address that came back. An address that is not the way's answer
  /// leaves the way open: the true one may still come.
  func finish(_ flow: PendingHostedSignIn, at address: URL, as device: Device?) async throws(AuthError) -> AuthState {
    let outcome = try outcome(of: flow, at: address)
    switch outcome {
    case .code(let code): return try await redeem(code, of: flow, as: device)
    case .refused(let word):
      change { $0.end(flow) }
      configuration.log(AuthLogEntry(event: "hosted", outcome: "refused"))
      throw own(word == AuthError.Code.accessDenied.rawValue ? .accessDenied : .unknown)
    }
  }

  private func outcome(of flow: PendingHostedSignIn, at address: URL) throws(AuthError) -> HostedReturn.Outcome {
    do throws(HostedReturn.Refusal) {
      let outcome = try HostedReturn(address, to: flow, issuer: configuration.issuer).outcome
      // GUARD: hosted: a way is given up in the end
      if flow.expires > configuration.clock.now { return outcome }
    } catch {
      guard case .address(let theirs) = error else {
        configuration.log(AuthLogEntry(event: "hosted", outcome: error.word))
        throw own(.codeInvalid)
      }
      configuration.log(
        AuthLogEntry(event: "hosted", outcome: "\(error.word) \(theirs) is not \(configuration.issuer)"))
      throw own(server: configuration.issuer, differsFrom: theirs)
    }
    change { $0.end(flow) }
    configuration.log(AuthLogEntry(event: "hosted", outcome: "expired"))
    throw own(.codeExpired)
  }

  private func own(server ours: String, differsFrom theirs: String) -> AuthError {
    let code = AuthError.Code.serverAddressDiffers
    let sentence = Sentences.text(server: ours, differsFrom: theirs, languages: configuration.languages)
    return AuthError(code, message: configuration.sentences[code] ?? sentence)
  }

  /// The state after a code is redeemed. An app is often opened with one address twice: calls with one code are one
  /// redemption. It goes on when callers are cancelled, and while the system lets the app finish.
  private func redeem(_ code: String, of flow: PendingHostedSignIn, as device: Device?) async throws(AuthError)
    -> AuthState
  {
    let promise = redeeming[code] ?? begin(code, of: flow, as: device)
    guard let outcome = await promise.wait() else { throw own(.cancelled) }
    return try outcome.get()
  }

  private func begin(_ code: String, of flow: PendingHostedSignIn, as device: Device?)
    -> Promise<Result<AuthState, AuthError>>
  {
    let promise = Promise<Result<AuthState, AuthError>>()
    redeeming[code] = promise
    Task {
      let activity = BackgroundActivity("sign-in")
      let input = TokenEndpoint.Input(code: code, codeVerifier: flow.verifier, device: device)
      let outcome: Result<AuthState, AuthError>
      do throws(AuthError) {
        outcome = .success(try adopt(try await sent(input), of: flow))
      } catch {
        if !error.isTemporary && error.code != .cancelled { change { $0.end(flow) } }
        outcome = .failure(error)
      }
      redeeming[code] = nil
      promise.fulfil(outcome)
      activity.end()
    }
    return promise
  }

  /// The answer to a code. A request that was lost is sent again: most are lost before the server sees them, on a
  /// connection that died while the app was behind the browser. A code that is refused then was taken by the lost
  /// request, whose session is lost: to the person the network failed.
  private func sent(_ input: TokenEndpoint.Input) async throws(AuthError) -> Answer<SessionAnswer> {
    let until = configuration.clock.uptime + Requests.deadline
    var pauses = Self.pauses[...]
    var wasLost = false
    while true {
      do throws(AuthError) {
        return try await requests.send(Call(TokenEndpoint.self, input, mayRepeat: false), until: until)
      } catch {
        if wasLost, error.code == .codeInvalid { throw own(.network) }
        guard error.code == .network, let pause = pauses.popFirst(), configuration.clock.uptime + pause < until else {
          throw error
        }
        wasLost = true
        do { try await configuration.clock.sleep(for: pause) } catch { throw own(.cancelled) }
      }
    }
  }
}
