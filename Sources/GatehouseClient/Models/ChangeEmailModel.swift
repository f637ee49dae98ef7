import Foundation

/// A form that changes the address: the new one first, then the code of the mail that it gets. The old address counts
/// until then.
@MainActor
public final class ChangeEmailModel: ProvingModel {
  /// The step that the person has reached.
  public enum Step: Sendable, Hashable {
    /// The new address is asked for.
    case address
    /// A mail was sent to it; its code is asked for.
    case code
    /// The new address counts.
    case done
  }

  /// The new address.
  @Observed public var email = ""
  /// The code of the mail.
  @Observed public var code = ""
  /// The step that the person has reached.
  @Observed public private(set) var step = Step.address
  /// The tenant's policy, once `load()` has it: its rules make `rows`.
  @Observed public private(set) var policy: AuthPolicy?

  /// An empty form.
  public override init(_ client: AuthClient) { super.init(client) }

  /// Gets the policy. Without a network the form works as well: the server judges.
  public func load() async { policy = (try? await client.policy()) ?? policy }

  /// The state of each rule for the new address, in the policy's order; empty before `load()`.
  public var rows: [ChecklistRow] {
    policy?.check(.changeEmail, input: "email", email: email, at: client.configuration.clock.now) ?? []
  }

  /// Whether the mail may be sent again.
  public var canResend: Bool { !isWorking && secondsLeft == 0 }

  /// Takes the step that the form shows.
  @discardableResult
  public func submit() async -> Bool {
    switch step {
    case .address: return await send()
    case .code: return await confirm()
    case .done: return true
    }
  }

  /// Sends the mail again. While the seconds count down, nothing is sent.
  @discardableResult
  public func resend() async -> Bool {
    guard step == .code, canResend else { return false }
    return await send()
  }

  /// Back to the address, with everything that was typed.
  public func back() { step = .address }

  private func send() async -> Bool {
    let (client, email) = (client, email)
    var wait: Duration?
    let isSent = await submit(FormFaults(needed: [("email", email)], rows: rows)) { () async throws(AuthError) in
      wait = try await client.changeEmail(to: email, proof: try await given())
    }
    countDown(wait)
    if isSent { step = .code }
    return isSent
  }

  private func confirm() async -> Bool {
    let (client, email, code) = (client, email, code)
    let isConfirmed = await submit(FormFaults(needed: [("code", code)])) { () async throws(AuthError) in
      _ = try await client.confirmEmailChange(email: email, code: code)
    }
    if isConfirmed {
      // Passkeys show the account's address.
      Task { await client.reportPasskeys() }
      forgetProof()
      (self.email, self.code, step) = ("", "", .done)
    }
    return isConfirmed
  }
}
