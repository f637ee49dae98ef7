import Foundation
import GatehouseWire

extension AuthClient {
  /// Begins a sign-in with a passkey. It names no account: the person chooses a passkey of theirs. Throws `notFound`
  /// where the policy has no sign-in by passkeys, and `passkeysUnavailable` where the server has none for this tenant.
  ///
  /// A form that waits for the person to choose (`performAutoFillAssistedRequests`) asks anew before `expires`.
  public func startPasskeySignIn() async throws(AuthError) -> PasskeyRequest {
    let answer = try await anonymous(StartPasskeySignInEndpoint.self, Nothing()).content
    return PasskeyRequest(
      id: answer.challengeID, options: answer.publicKey, expires: end(in: answer.expiresIn),
      formerOptions: answer.formerPublicKey)
  }

  /// Signs in with a passkey. One that verified its user is both factors; of another one `mfaRequired` may ask for a
  /// second. Throws `passkeyInvalid` for a passkey that the server does not know or does not take: `AuthError.passkey`
  /// has the options of the next try then. After `codeExpired` the sign-in begins again; so does one whose call had no
  /// answer, for it is not sent again.
  @discardableResult
  public func signIn(with passkey: PasskeyAssertion, for request: PasskeyRequest) async throws(AuthError) -> AuthState {
    let input = CompletePasskeySignInEndpoint.Input(
      challengeID: request.id, credential: passkey.answer, device: await device())
    do throws(AuthError) {
      return try await keeper.adopt(atDoor(.signIn, CompletePasskeySignInEndpoint.self, input))
    } catch {
      throw error.under(request.id, until: request.expires)
    }
  }

  /// Begins to add a passkey. Demands a fresh proof (`reauthenticationRequired`). Throws `notFound` where the policy
  /// has no passkeys, and `passkeysUnavailable` where the server has none for this tenant.
  public func startPasskey() async throws(AuthError) -> PasskeyCreation {
    let generation = try await generation()
    // A second beginning takes the place of the first, which no passkey was made from.
    let answer = try await signedIn(StartPasskeyEndpoint.self, Nothing(), of: generation, mayRepeat: true).content
    return PasskeyCreation(id: answer.challengeID, options: answer.publicKey, expires: end(in: answer.expiresIn))
  }

  /// Adds the passkey that the system made; `name` is that of the factor in the list. It is a proof as well: the
  /// session goes on with new tokens, and a push token is sent again where the server has the session under another id.
  /// The first factor comes with recovery codes, which are shown this once. An answer that is refused ends the
  /// enrolment: `startPasskey()` begins another one.
  ///
  /// A call that had no answer is not sent again: the passkey may be a factor by then, as `factors()` tells, and where
  /// the session was given another id by the lost answer, the state becomes `signedOut(.revoked)`.
  public func addPasskey(_ passkey: PasskeyRegistration, for creation: PasskeyCreation, name: String? = nil)
    async throws(AuthError) -> AddedFactor
  {
    let generation = try await generation()
    let input = AddPasskeyEndpoint.Input(challengeID: creation.id, credential: passkey.answer, name: name)
    let answer = try await join(AddPasskeyEndpoint.self, input, of: generation) { $0.session }
    return AddedFactor(factor: SecondFactor(answer.factor), recoveryCodes: answer.recoveryCodes ?? [])
  }

  /// Asks for the ways to a fresh proof that are open to the account, with the options for a passkey where it is one.
  public func startReauthentication() async throws(AuthError) -> ReauthenticationWays {
    let generation = try await generation()
    // A second beginning takes the place of the first, which was not shown.
    let answer = try await signedIn(StartReauthenticationEndpoint.self, Nothing(), of: generation, mayRepeat: true)
      .content
    var ways = ReauthenticationWays(methods: answer.methods.map(Reauthentication.Method.init), passkey: nil)
    if let id = answer.challengeID, let options = answer.publicKey {
      ways.passkey = PasskeyRequest(id: id, options: options, expires: end(in: answer.expiresIn ?? 0))
    }
    return ways
  }

  /// Proves again who the person is by a passkey, as `reauthenticate(_:)` does by other means. Throws `passkeyInvalid`
  /// with the options of the next try in `AuthError.passkey`. After `codeExpired` the proof begins again.
  public func reauthenticate(passkey: PasskeyAssertion, for request: PasskeyRequest) async throws(AuthError) {
    let generation = try await generation()
    let input = ReauthenticateEndpoint.Input(passkey: passkey.answer, challengeID: request.id)
    do throws(AuthError) {
      _ = try await join(ReauthenticateEndpoint.self, input, of: generation) { $0 }
    } catch {
      throw error.under(request.id, until: request.expires)
    }
  }

  func end(in seconds: Int) -> Date {
    configuration.clock.now.addingTimeInterval(TimeInterval(max(0, seconds)))
  }
}

/// The ways to a fresh proof that are open to an account.
public struct ReauthenticationWays: Sendable, Hashable {
  /// The ways, in the order in which they are offered.
  public var methods: [Reauthentication.Method]
  /// The options for a passkey; nil where none can be used here.
  public var passkey: PasskeyRequest?
}
