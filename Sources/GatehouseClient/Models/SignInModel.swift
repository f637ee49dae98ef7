import Foundation

/// A form that signs in with a password. `submit()` leads to another state of the client, which `SessionModel` shows.
@MainActor
public final class SignInModel: AuthModel {
  /// The address.
  @Observed public var email = ""
  /// The password.
  @Observed public var password = ""
  /// The form of the second step, where the server asks for one: `submit()` returned false, and nothing went wrong.
  @Observed public private(set) var secondStep: SecondStepModel?
  /// Whether the second step is there: for a sheet, whose end leads back.
  public var asksForSecondStep: Bool {
    get { secondStep != nil }
    set { if !newValue, secondStep != nil { back() } }
  }
  /// The address that the server makes wait.
  private var refusedEmail: String?

  /// An empty form.
  public override init(_ client: AuthClient) { super.init(client) }

  /// Whether neither input is empty, and the server does not make this address wait.
  public var canSubmit: Bool {
    !isWorking && !email.isEmpty && !password.isEmpty && (secondsLeft == 0 || email != refusedEmail)
  }

  /// Back from the second step, with everything that was typed.
  public func back() { show(nil) }

  /// A refusal that asks for a second step is no error. A step that is over leads back, with its sentence.
  public override func show(_ error: AuthError?) {
    guard let error, let challenge = error.challenge else {
      secondStep = nil
      return super.show(error)
    }
    super.show(nil)
    secondStep = SecondStepModel(client, challenge, error) { [weak self] error in self?.show(error) }
  }

  /// Signs in, if neither input is empty. Returns whether it succeeded; `message` says why not, or `secondStep` asks
  /// for more.
  @discardableResult
  public func submit() async -> Bool {
    let (client, email, password) = (client, email, password)
    let faults = FormFaults(needed: [("email", email), ("password", password)])
    let isDone = await submit(faults) { () async throws(AuthError) in
      _ = try await client.signIn(email: email, password: password)
    }
    if error?.retryAfter != nil { refusedEmail = email }
    return isDone
  }

  /// Signs in with the ID token of a provider's own SDK.
  @discardableResult
  public func submit(with provider: String, idToken: String, nonce: String?) async -> Bool {
    let client = client
    return await work { () async throws(AuthError) in
      _ = try await client.signIn(with: provider, idToken: idToken, nonce: nonce)
    }
  }

  /// Signs in with a provider's own SDK. A screen of the SDK that the person closed is no error: the form stays as it
  /// is, and false is returned.
  @discardableResult
  public func submit(with provider: ProviderSignIn) async -> Bool {
    let client = client
    var isSignedIn = false
    _ = await work { () async throws(AuthError) in
      guard let token = try await provider.run(for: client) else { return }
      _ = try await client.signIn(
        with: provider.provider, idToken: token.idToken, nonce: token.nonce, profile: token.profile)
      isSignedIn = true
    }
    return isSignedIn
  }
}
