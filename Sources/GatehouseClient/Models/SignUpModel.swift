import Foundation

/// A form that makes an account.
@MainActor
public final class SignUpModel: AuthModel {
  /// The address.
  @Observed public var email = ""
  /// The password.
  @Observed public var password = ""
  /// The password once more; compared when it is not empty or `asksTwice` is set.
  @Observed public var confirmation = ""
  /// Profile fields by the names that the tenant's policy gives them.
  @Observed public var profile: Profile = [:]
  /// The tenant's policy, once `load()` has it: its fields are the form's inputs, and its rules make `rows`.
  @Observed public private(set) var policy: AuthPolicy?
  /// Whether the form has an input for the password once more.
  public var asksTwice = true

  /// An empty form; with a policy that the app brings along, it has its inputs and rows before `load()`.
  public init(_ client: AuthClient, policy: AuthPolicy? = nil) {
    super.init(client)
    self.policy = policy
  }

  /// The text of a profile field, for a view's input. An empty text is no value; it is sent as a value of the field's
  /// type.
  public subscript(field: String) -> String {
    get { profile[field]?.string ?? "" }
    set { profile[field] = newValue.isEmpty ? nil : .string(newValue) }
  }

  /// Gets the policy. Without a network the form works as well: the server judges.
  public func load() async { policy = (try? await client.policy()) ?? policy }

  private var values: Profile { policy?.typed(profile) ?? profile }

  /// The state of each rule for the text typed so far, in the policy's order; empty before `load()`.
  public var rows: [ChecklistRow] {
    policy?.check(.signUp, email: email, password: password, profile: values, at: client.configuration.clock.now) ?? []
  }

  /// Whether neither address nor password is empty, and no rule is broken that the server would refuse.
  public var canSubmit: Bool {
    !isWorking && !email.isEmpty && !password.isEmpty && !rows.contains { $0.mark == .unmet }
  }

  /// Signs up. Returns whether it succeeded; `message` and `fieldErrors` say why not.
  @discardableResult
  public func submit() async -> Bool {
    let (client, email, password, profile) = (client, email, password, values)
    let isSame = (!asksTwice && confirmation.isEmpty) || password == confirmation
    return await work { () async throws(AuthError) in
      guard isSame else { throw client.passwordsDiffer }
      _ = try await client.signUp(email: email, password: password, profile: profile)
    }
  }
}

extension AuthClient {
  /// The two inputs of a new password differ. The server is not asked.
  var passwordsDiffer: AuthError {
    let text =
      configuration.sentences[.passwordsDiffer]
      ?? Sentences.text(.passwordsDiffer, languages: configuration.languages)
    return AuthError(
      .passwordsDiffer, message: text,
      violations: [.init(input: "confirmation", rule: AuthError.Code.passwordsDiffer.rawValue, message: text)])
  }
}
