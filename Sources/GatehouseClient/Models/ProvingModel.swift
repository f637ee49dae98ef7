import Foundation

/// A form that needs a fresh proof of the person: a second factor where the account has one (`askedFactor`), the
/// password, or the code of a mail for an account without one.
@MainActor
public class ProvingModel: FactorModel {
  /// The password of now.
  @Observed public var password = ""
  /// The code of the mail that `sendProofCode()` asked for.
  @Observed public var proofCode = ""
  /// Whether the account has no password, so that the form asks for a mailed code in its place.
  @Observed public internal(set) var asksForCode = false
  /// Whether the password, or the code of a mail, is taken in the place of the second factor that is asked for: a view
  /// offers `useOtherProof()`.
  @Observed public private(set) var offersOtherProof = false
  /// Seconds until the mail with the code may be sent again.
  @Observed public private(set) var secondsUntilCode = 0
  private var proofCountdown: Countdown?

  override init(_ client: AuthClient) {
    super.init(client)
    proofCountdown = Countdown(client.configuration.clock) { [weak self] seconds in self?.secondsUntilCode = seconds }
  }

  /// Mails the code. While the seconds count down, nothing is sent.
  @discardableResult
  public func sendProofCode() async -> Bool {
    guard secondsUntilCode == 0 else { return false }
    let client = client
    var wait: Duration?
    let isSent = await work { () async throws(AuthError) in wait = try await client.sendReauthenticationCode() }
    if let wait = wait ?? (error?.code == .cooldown ? error?.retryAfter : nil) { proofCountdown?.start(wait) }
    return isSent
  }

  /// Asks for the password, or the code of a mail, in the place of a second factor.
  public func useOtherProof() {
    guard offersOtherProof else { return }
    (factorCode, askedFactor) = ("", nil)
  }

  /// The proof as it was typed, besides that of a second factor; nil where nothing was.
  var proof: Reauthentication? {
    if asksForCode { return proofCode.isEmpty ? nil : .code(proofCode) }
    return password.isEmpty ? nil : .password(password)
  }

  /// Gives the proof that was typed by a request of its own, and forgets it: a code is good once, and what it was given
  /// for may be tried again. Returns a password, which goes along with the request itself.
  func given() async throws(AuthError) -> Reauthentication? {
    if askedFactor != nil {
      if try await proveByFactor() { forgetProof() }
      return nil
    }
    guard let proof else { return nil }
    if case .password = proof { return proof }
    try await client.reauthenticate(proof)
    forgetProof()
    return nil
  }

  /// The proof is given: the form forgets it.
  func forgetProof() {
    (password, proofCode) = ("", "")
    (factorCode, askedFactor) = ("", nil)
  }

  public override func show(_ error: AuthError?) {
    super.show(error)
    guard let error, error.code == .reauthenticationRequired else { return }
    asksForCode = error.methods.contains(.code) && !error.methods.contains(.password)
    offersOtherProof = askedFactor != nil && !Set(error.methods).isDisjoint(with: [.password, .code])
  }
}
