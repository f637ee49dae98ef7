import Foundation

/// A form that needs a fresh proof of the person: the password, or the code of a mail for an account without one.
@MainActor
public class ProvingModel: AuthModel {
  /// The password of now.
  @Observed public var password = ""
  /// The code of the mail that `sendProofCode()` asked for.
  @Observed public var proofCode = ""
  /// Whether the account has no password, so that the form asks for a mailed code in its place.
  @Observed public internal(set) var asksForCode = false
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

  /// The proof as it was typed; nil where nothing was.
  var proof: Reauthentication? {
    if asksForCode { return proofCode.isEmpty ? nil : .code(proofCode) }
    return password.isEmpty ? nil : .password(password)
  }

  /// The proof is given: the form forgets it.
  func forgetProof() { (password, proofCode) = ("", "") }

  public override func show(_ error: AuthError?) {
    super.show(error)
    guard let error, error.code == .reauthenticationRequired else { return }
    asksForCode = error.methods.contains(.code) && !error.methods.contains(.password)
  }
}
