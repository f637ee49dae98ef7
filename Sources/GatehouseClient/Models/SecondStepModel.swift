import Foundation

/// A form that asks for a code of a second factor: the second step of a sign-in, or the step `verifyMFA` of a session.
@MainActor
public final class SecondStepModel: FactorModel, Identifiable {
  /// Whether sign-ins on this device ask for no second factor for `rememberFor`.
  @Observed public var remembersDevice = false
  /// The time for which the device can be remembered; nil where it cannot.
  public let rememberFor: Duration?
  private let challenge: MFAChallenge?
  private let end: @MainActor (AuthError) -> Void

  /// A form for the session of now, whose policy asks for a second factor once more.
  public override init(_ client: AuthClient) {
    (challenge, rememberFor, end) = (nil, nil, { _ in })
    super.init(client)
    offer([.totp, .recoveryCode])
  }

  /// A form for a sign-in that was refused with `mfaRequired`. `end` is told when the challenge is over.
  init(
    _ client: AuthClient, _ challenge: MFAChallenge, _ refusal: AuthError, end: @escaping @MainActor (AuthError) -> Void
  ) {
    (self.challenge, rememberFor, self.end) = (challenge, challenge.rememberFor, end)
    super.init(client)
    offer(challenge.factors)
    // The account has factors that this version does not know: the server's sentence is all there is to show.
    if offeredFactors.isEmpty { show(refusal) }
  }

  /// Completes the sign-in, or proves the session. A wrong code leaves the form as it is, for another one.
  @discardableResult
  public func submit() async -> Bool {
    guard askedFactor != nil else { return false }
    let (client, challenge, remembers) = (client, challenge, remembersDevice && rememberFor != nil)
    let isDone = await submit(FormFaults(needed: [("code", factorCode)])) { () async throws(AuthError) in
      switch (factorProof, challenge) {
      case (.totp(let code), let challenge?):
        _ = try await client.verifyMFA(challenge, totp: code, rememberDevice: remembers)
      case (.recoveryCode(let code), let challenge?):
        _ = try await client.verifyMFA(challenge, recoveryCode: code, rememberDevice: remembers)
      case (let proof?, _): try await client.reauthenticate(proof)
      case (nil, _): break
      }
    }
    if isDone { factorCode = "" }
    if challenge != nil, let error, error.code == .codeExpired { end(error) }
    return isDone
  }
}
