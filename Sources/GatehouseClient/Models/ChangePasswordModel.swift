import Foundation

/// A form that changes the password of the signed-in person. It ends the person's other sessions. Of an account with a
/// second factor it asks for a code (`askedFactor`), unless one was used just now.
@MainActor
public final class ChangePasswordModel: FactorModel {
  /// The password of now.
  @Observed public var current = ""
  /// The new password.
  @Observed public var password = ""
  /// The new password once more; compared where it is not empty or `asksTwice` is set.
  @Observed public var confirmation = ""
  /// Whether the new password counts.
  @Observed public private(set) var isDone = false
  /// The rules that the new password breaks, and that do not refuse yet.
  @Observed public private(set) var advice: [AuthWarning] = []
  /// The tenant's policy, once `load()` has it: its rules make `rows`.
  @Observed public private(set) var policy: AuthPolicy?
  /// Whether the form has an input for the password once more.
  public var asksTwice = true

  /// An empty form.
  public override init(_ client: AuthClient) { super.init(client) }

  /// Gets the policy. Without a network the form works as well: the server judges.
  public func load() async { policy = (try? await client.policy()) ?? policy }

  /// The state of each rule for the new password, in the policy's order; empty before `load()`.
  public var rows: [ChecklistRow] {
    policy?.check(
      .changePassword, input: "password", email: client.state.user?.email, password: password,
      at: client.configuration.clock.now) ?? []
  }

  /// Changes the password, if the form has no fault that it sees itself. Afterwards the form is empty.
  @discardableResult
  public func submit() async -> Bool {
    let (client, current, password) = (client, current, password)
    var faults = FormFaults(needed: [("current_password", current), ("password", password)], rows: rows)
    faults.compare(password, confirmation, asksTwice: asksTwice)
    isDone = false
    var warnings: [AuthWarning] = []
    let isChanged = await submit(faults) { () async throws(AuthError) in
      try await proveByFactor()
      warnings = try await client.changePassword(current: current, new: password)
    }
    guard isChanged else { return false }
    (self.current, self.password, confirmation) = ("", "", "")
    (advice, isDone) = (warnings, true)
    return true
  }
}
