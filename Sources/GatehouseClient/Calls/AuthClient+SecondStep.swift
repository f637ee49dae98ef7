public import Foundation
import GatehouseWire

extension AuthClient {
  /// Completes a sign-in that was refused with `mfaRequired` by six digits of the authenticator app. The session is
  /// that of a sign-in. `codeInvalid` leaves the challenge as it is: another code may follow. After `codeExpired` the
  /// person signs in anew; so does one whose call had no answer, and finds the challenge used. With `rememberDevice`
  /// sign-ins on this device ask for no second factor for the challenge's `rememberFor`.
  @discardableResult
  public func verifyMFA(_ challenge: MFAChallenge, totp code: String, rememberDevice: Bool = false)
    async throws(AuthError) -> AuthState
  {
    try await verify(challenge, .init(challengeID: challenge.id, totp: code), rememberDevice)
  }

  /// The same by a recovery code, each of which is good once. Case, spaces and hyphens do not matter.
  @discardableResult
  public func verifyMFA(_ challenge: MFAChallenge, recoveryCode code: String, rememberDevice: Bool = false)
    async throws(AuthError) -> AuthState
  {
    try await verify(challenge, .init(challengeID: challenge.id, recoveryCode: code), rememberDevice)
  }

  /// The same by a passkey, which answers the options of `MFAChallenge.passkey`. Each refusal, of a passkey or of a
  /// code, voids these: those of the next try are in `AuthError.passkey`.
  @discardableResult
  public func verifyMFA(_ challenge: MFAChallenge, passkey: PasskeyAssertion, rememberDevice: Bool = false)
    async throws(AuthError) -> AuthState
  {
    try await verify(challenge, .init(challengeID: challenge.id, passkey: passkey.answer), rememberDevice)
  }

  /// A code is taken once, so a request whose answer was lost is not sent again.
  private func verify(_ challenge: MFAChallenge, _ input: VerifyFactorEndpoint.Input, _ rememberDevice: Bool)
    async throws(AuthError) -> AuthState
  {
    var input = input
    input.rememberDevice = rememberDevice ? true : nil
    do throws(AuthError) {
      return try await keeper.adopt(atDoor(.signIn, VerifyFactorEndpoint.self, input), mayUpgrade: true)
    } catch {
      throw error.under(challenge.id, until: challenge.expires)
    }
  }
}

/// A sign-in that waits for a second factor, as `AuthError.challenge` has it. It lives in memory alone.
public struct MFAChallenge: Sendable, Hashable {
  /// A secret of the person's.
  let id: String
  /// The factors of which one is asked for, in the order in which they are offered.
  public let factors: [FactorKind]
  /// The time at which it ends, on the clock of the device. It also ends after five wrong codes.
  public let expires: Date
  /// The time for which the device can be remembered; nil where the policy remembers none.
  public let rememberFor: Duration?
  /// The options for a passkey; nil where none is asked for.
  public let passkey: PasskeyRequest?
}

/// A challenge holds a secret: it shows nothing.
extension MFAChallenge: CustomStringConvertible, CustomReflectable {
  /// The type's name.
  public var description: String { "MFAChallenge(…)" }
  /// Nothing within.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The kind of a second factor. The set is open: a later server may know more.
public struct FactorKind: RawRepresentable, Sendable, Hashable {
  /// The kind's word.
  public var rawValue: String
  /// A kind.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// An authenticator app, which shows six digits (RFC 6238).
  public static let totp = FactorKind(rawValue: "totp")
  /// A passkey.
  public static let passkey = FactorKind(rawValue: "passkey")
  /// A recovery code, for the day on which the app is lost.
  public static let recoveryCode = FactorKind(rawValue: "recovery_code")
}

extension ProblemAnswer {
  /// The challenge of the refusal, which begins now.
  func challenge(at now: Date) -> MFAChallenge? {
    guard let challengeID else { return nil }
    let expires = now.addingTimeInterval(TimeInterval(max(0, expiresIn ?? 0)))
    return MFAChallenge(
      id: challengeID, factors: (factors ?? []).map(FactorKind.init), expires: expires,
      rememberFor: rememberFor.map { .seconds($0) },
      passkey: passkey?.options.map { PasskeyRequest(id: challengeID, options: $0, expires: expires) })
  }

  /// The options of the next try, of a refusal that is no challenge. The call knows the challenge that they are under.
  func nextTry(at now: Date) -> PasskeyRequest? {
    guard challengeID == nil, let options = passkey?.options else { return nil }
    return PasskeyRequest(id: "", options: options, expires: now)
  }
}
