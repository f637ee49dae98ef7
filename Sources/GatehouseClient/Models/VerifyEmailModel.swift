import Foundation

/// A screen that waits until the address is confirmed: by the mail's code here, or by its link in a browser.
@MainActor
public final class VerifyEmailModel: AuthModel {
  /// The code of the mail.
  @Observed public var code = ""

  /// A screen that waits.
  public override init(_ client: AuthClient) { super.init(client) }

  /// The address that the mail went to.
  public var email: String? {
    if case .awaitingEmail(let email) = client.state { return email }
    return client.state.user?.email
  }

  /// Whether the mail may be sent again.
  public var canResend: Bool { !isWorking && secondsLeft == 0 }

  /// Confirms the address with the code.
  @discardableResult
  public func submit() async -> Bool {
    let (client, code) = (client, code)
    return await submit(FormFaults(needed: [("code", code)])) { () async throws(AuthError) in
      _ = try await client.confirmEmail(code: code)
    }
  }

  /// Sends the mail again, and counts down until the next. While it counts, nothing is sent.
  @discardableResult
  public func resend() async -> Bool {
    guard canResend else { return false }
    let (client, email) = (client, email)
    var wait: Duration?
    let isSent = await work { () async throws(AuthError) in wait = try await client.sendEmailVerification(to: email) }
    countDown(wait)
    return isSent
  }

  /// "I've verified my email": asks the server. Returns whether the address is confirmed.
  @discardableResult
  public func check() async -> Bool {
    let client = client
    let isAnswered = await work { () async throws(AuthError) in _ = try await client.reload() }
    return isAnswered && client.state.user?.isEmailVerified == true
  }

  /// Asks the server every few seconds, until the address is confirmed or the task is cancelled: for a screen that goes
  /// on by itself when the person confirmed in a browser. Errors are not shown.
  public func watch(every pause: Duration = .seconds(5)) async {
    while client.state.user?.isEmailVerified == false {
      do { try await client.configuration.clock.sleep(for: pause) } catch { return }
      guard !isWorking else { continue }
      _ = try? await client.reload()
    }
  }
}
