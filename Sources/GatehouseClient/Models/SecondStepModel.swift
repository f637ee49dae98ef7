import Foundation

/// A form that asks for a second factor: the second step of a sign-in, or the step `verifyMFA` of a session.
@MainActor
public final class SecondStepModel: FactorModel, Identifiable {
  /// Whether sign-ins on this device ask for no second factor for `rememberFor`.
  @Observed public var remembersDevice = false
  /// The time for which the device can be remembered; nil where it cannot.
  public let rememberFor: Duration?
  private let challenge: MFAChallenge?
  /// The options for a passkey: those of the challenge, or of the last refusal, which voids those before.
  private var request: PasskeyRequest?
  private let end: @MainActor (AuthError?) -> Void

  /// A form for the session of now, whose policy asks for a second factor once more.
  public override init(_ client: AuthClient) {
    (challenge, rememberFor, end) = (nil, nil, { _ in })
    super.init(client)
    offer([.totp, .passkey, .recoveryCode])
  }

  /// A form for a sign-in that was refused with `mfaRequired`. `end` is told when the challenge is over: nil where the
  /// person is in.
  init(
    _ client: AuthClient, _ challenge: MFAChallenge, _ refusal: AuthError,
    end: @escaping @MainActor (AuthError?) -> Void
  ) {
    (self.challenge, rememberFor, self.end) = (challenge, challenge.rememberFor, end)
    request = challenge.passkey
    super.init(client)
    offer(challenge.factors.filter { $0 != .passkey || challenge.passkey != nil })
    // The account has factors that this version does not know, or that are of no use here: the server's sentence is all
    // there is to show.
    if offeredFactors.isEmpty { show(refusal) }
  }

  /// Offers the factors that the account has. A challenge says which these are; for a session the server is asked, and
  /// where it cannot be, each kind is offered.
  public func load() async {
    guard challenge == nil, let ways = try? await client.startReauthentication() else { return }
    offer(ways.methods.map { FactorKind(rawValue: $0.rawValue) })
  }

  /// Completes the sign-in, or proves the session. A wrong code leaves the form as it is, for another one; so does a
  /// passkey whose question was closed.
  @discardableResult
  public func submit() async -> Bool {
    guard let askedFactor else { return false }
    let faults = askedFactor == .passkey ? FormFaults() : FormFaults(needed: [("code", factorCode)])
    let isDone = await submit(faults) { () async throws(AuthError) in
      guard let challenge else {
        if askedFactor == .passkey { return try await proveByPasskey() }
        guard let factorProof else { return }
        return try await client.reauthenticate(factorProof)
      }
      try await verify(challenge)
    }
    if isDone { factorCode = "" }
    guard challenge != nil else { return isDone }
    if isDone { end(nil) } else if let error, error.code == .codeExpired { end(error) }
    return isDone
  }

  private func verify(_ challenge: MFAChallenge) async throws(AuthError) {
    let (client, remembers) = (client, remembersDevice && rememberFor != nil)
    switch factorProof {
    case .totp(let code): _ = try await client.verifyMFA(challenge, totp: code, rememberDevice: remembers)
    case .recoveryCode(let code):
      _ = try await client.verifyMFA(challenge, recoveryCode: code, rememberDevice: remembers)
    default:
      guard let passkeys, let request else { throw await client.keeper.own(.passkeysUnavailable) }
      let passkey = try await passkeys.use(request)
      _ = try await client.verifyMFA(challenge, passkey: passkey, rememberDevice: remembers)
    }
  }

  public override func show(_ error: AuthError?) {
    super.show(error)
    if let next = error?.passkey { request = next }
  }
}
