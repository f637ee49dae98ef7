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
  /// Whether the form has an input for the password once more.
  public var asksTwice = true

  /// An empty form.
  public override init(_ client: AuthClient) { super.init(client) }

  /// The text of a profile field, for a view's input. An empty text is no value.
  public subscript(field: String) -> String {
    get { profile[field]?.string ?? "" }
    set { profile[field] = newValue.isEmpty ? nil : .string(newValue) }
  }

  /// Whether address and password have something in them.
  public var canSubmit: Bool { !isWorking && !email.isEmpty && !password.isEmpty }

  /// Signs up. Returns whether it succeeded; `message` and `fieldErrors` say why not.
  @discardableResult
  public func submit() async -> Bool {
    let (client, email, password, profile) = (client, email, password, profile)
    let isSame = !asksTwice || password == confirmation
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
