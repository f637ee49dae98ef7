import Foundation

/// A form that signs in with a password or a passkey. A sign-in leads to another state of the client, which
/// `SessionModel` shows.
@MainActor
public final class SignInModel: AuthModel {
  /// The address.
  @Observed public var email = ""
  /// The password.
  @Observed public var password = ""
  /// The tenant's policy, as kept, or once `load()` has it: whether passkeys sign in.
  @Observed public private(set) var policy: AuthPolicy?
  /// The form of the second step, where the server asks for one: `submit()` returned false, and nothing went wrong. Nil
  /// again when the step is over.
  @Observed public private(set) var secondStep: SecondStepModel?
  /// Whether the second step is there: for a sheet, whose end leads back.
  public var asksForSecondStep: Bool {
    get { secondStep != nil }
    set { if !newValue, secondStep != nil { back() } }
  }
  /// Whether passkeys of the tenant's relying party before may be what the person has: the system found none of
  /// today's, or its question was closed. A view offers `submitWithPasskey(former: true)`.
  @Observed public internal(set) var hasFormerPasskeys = false
  /// The address that the server makes wait.
  private var refusedEmail: String?
  /// The passkeys that are offered beside the input for the address.
  var offering: Task<PasskeyAssertion?, Never>?

  /// An empty form.
  public override init(_ client: AuthClient) {
    policy = client.policies.kept?.policy
    super.init(client)
  }

  /// Gets the policy. Without a network the one before stays.
  public func load() async { policy = (try? await client.policy()) ?? policy }

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
    secondStep = SecondStepModel(client, challenge, error) { [weak self] error in
      self?.show(error)
      if error == nil { self?.tellPasskeys() }
    }
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
    if isDone { tellPasskeys() }
    return isDone
  }

  /// Signs in with the ID token of a provider's own SDK.
  @discardableResult
  public func submit(with provider: String, idToken: String, nonce: String?) async -> Bool {
    let client = client
    return await enter { () async throws(AuthError) in
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
    if isSignedIn { tellPasskeys() }
    return isSignedIn
  }
}
