import Foundation
import GatehousePolicy

extension SignUpModel {
  /// Whether a passkey makes an account here: the policy has it, and so has this device.
  public var takesPasskeys: Bool { client.passkeys != nil && policy?.signsUpWithPasskeys == true }

  /// The field that a person's own name goes to: the first text of the form.
  private var nameField: String? { fields.first { $0.type == "string" }?.name }

  /// Makes an account with a passkey in the place of the password. As long as no address was typed, the system asks for
  /// address, name and passkey in one question, where it has such a question. Elsewhere the form's own inputs count,
  /// and the system asks for the passkey alone.
  ///
  /// A question that was closed is no error: the form stays as it is, and false is returned. Values that the server
  /// refuses stand in the form; the next try has the same passkey.
  @discardableResult
  public func submitWithPasskey() async -> Bool {
    guard let passkeys = client.passkeys, !isWorking else { return false }
    if TypedText.trimmed(email).isEmpty, refused == nil {
      let own = ["password", "email", nameField].compactMap(\.self)
      if let error = faults(besides: Set(own)).error(client) {
        show(error)
        return false
      }
      var isAsked = false
      let isDone = await work { () async throws(AuthError) in isAsked = try await askSystem(passkeys) }
      if !isDone || isAsked { return isDone }
    }
    return await submit(faults(besides: ["password"])) { () async throws(AuthError) in
      if let refused, refused.creation.expires > client.configuration.clock.now {
        return try await signUp(refused.passkey, refused.creation)
      }
      let creation = try await client.startPasskeySignUp(email: email)
      try await signUp(try await passkeys.make(creation), creation)
    }
  }

  /// Signs up with what the system asked for; false where it asks nothing.
  private func askSystem(_ passkeys: any PasskeyManager) async throws(AuthError) -> Bool {
    let client = client
    let creation = try await client.startPasskeySignUp()
    guard let account = try await passkeys.makeAccount(creation, asksForName: nameField != nil) else { return false }
    email = account.email
    if let nameField, let name = account.name, self[nameField].isEmpty { self[nameField] = name }
    try await signUp(account.passkey, creation)
    return true
  }

  /// A passkey whose values are refused is kept for the next try: another one would stay behind at the person's.
  private func signUp(_ passkey: PasskeyRegistration, _ creation: PasskeyCreation) async throws(AuthError) {
    let (client, email, profile) = (client, email, values)
    refused = nil
    do throws(AuthError) {
      _ = try await client.signUp(with: passkey, for: creation, email: email, profile: profile)
    } catch {
      if [.validationFailed, .accountExists].contains(error.code) { refused = (passkey, creation) }
      throw error
    }
  }
}
