import Foundation

/// A form for people who forgot their password: the address first, then the code of the mail with a new password.
@MainActor
public final class ForgotPasswordModel: AuthModel {
  /// The step that the person has reached.
  public enum Step: Sendable, Hashable {
    /// The address is asked for.
    case address
    /// A mail was sent, if there is such an account; its code and a new password are asked for.
    case code
    /// The new password counts.
    case done
  }

  /// The address.
  @Observed public var email = ""
  /// The code of the mail.
  @Observed public var code = ""
  /// The new password.
  @Observed public var password = ""
  /// The new password once more; compared where it is not empty or `asksTwice` is set.
  @Observed public var confirmation = ""
  /// Whether the form has an input for the password once more.
  public var asksTwice = false
  /// The tenant's policy, once `load()` has it: its rules make `rows`.
  @Observed public private(set) var policy: AuthPolicy?
  /// The step that the person has reached.
  @Observed public private(set) var step = Step.address

  /// An empty form; with a policy that the app brings along, it has its rows before `load()`.
  public init(_ client: AuthClient, policy: AuthPolicy? = nil) {
    super.init(client)
    self.policy = policy
  }

  /// Gets the policy. Without a network the form works as well: the server judges.
  public func load() async { policy = (try? await client.policy()) ?? policy }

  /// The state of each rule for the new password, in the policy's order; empty before `load()`.
  public var rows: [ChecklistRow] {
    policy?.check(
      .resetPassword, input: "password", email: email, password: password, at: client.configuration.clock.now) ?? []
  }

  /// Whether the mail may be sent again.
  public var canResend: Bool { !isWorking && secondsLeft == 0 }

  /// Takes the step that the form shows.
  @discardableResult
  public func submit() async -> Bool {
    switch step {
    case .address: return await send()
    case .code: return await reset()
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
    let isSent = await submit(FormFaults(needed: [("email", email)])) { () async throws(AuthError) in
      wait = try await client.sendPasswordReset(to: email)
    }
    countDown(wait)
    if isSent { step = .code }
    return isSent
  }

  private func reset() async -> Bool {
    let (client, email, code, password) = (client, email, code, password)
    var faults = FormFaults(needed: [("code", code), ("password", password)], rows: rows)
    faults.compare(password, confirmation, asksTwice: asksTwice)
    let isSet = await submit(faults) { () async throws(AuthError) in
      try await client.resetPassword(email: email, code: code, new: password)
    }
    if isSet { step = .done }
    return isSet
  }
}
