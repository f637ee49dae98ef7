#if canImport(AuthenticationServices) && !os(watchOS) && !os(tvOS)
  public import AuthenticationServices
  import Foundation

  /// The passkeys that the system keeps for the person, by its own screens over a window.
  ///
  /// The app names the relying party in its associated domains (`webcredentials:auth.example.com`). Each call throws
  /// `cancelled` when the person closes the screen or the task is cancelled, and where the device has no passkey that
  /// could answer.
  ///
  ///     let request = try await client.startPasskeySignIn()
  ///     let passkey = try await PasskeyController(over: window).use(request)
  ///     try await client.signIn(with: passkey, for: request)
  @MainActor
  public struct PasskeyController: PasskeyManager {
    private let window: @MainActor @Sendable () -> ASPresentationAnchor?

    /// Passkeys by screens over a window.
    public init(over anchor: ASPresentationAnchor) { window = { anchor } }

    /// Passkeys by screens over the window that is in front at that time, for `AuthConfiguration.passkeys`. Without a
    /// window a call throws `cancelled`.
    public nonisolated init(window: @escaping @MainActor @Sendable () -> ASPresentationAnchor?) { self.window = window }

    /// Makes a passkey, for `AuthClient.addPasskey(_:for:name:)`.
    public func make(_ creation: PasskeyCreation) async throws(AuthError) -> PasskeyRegistration {
      try await make(request(for: creation))
    }

    /// Makes a passkey without a question, shortly after a sign-in with a password that the person's passkey manager
    /// filled in. Throws `cancelled` where it does not, and on systems before iOS 18 and macOS 15.
    public func upgrade(_ creation: PasskeyCreation) async throws(AuthError) -> PasskeyRegistration {
      guard #available(iOS 18, macOS 15, visionOS 2, *) else { throw AuthError(.cancelled) }
      let asked = request(for: creation)
      asked.requestStyle = .conditional
      return try await make(asked)
    }

    private func request(for creation: PasskeyCreation)
      -> ASAuthorizationPlatformPublicKeyCredentialRegistrationRequest
    {
      let provider = ASAuthorizationPlatformPublicKeyCredentialProvider(
        relyingPartyIdentifier: creation.relyingParty)
      let asked = provider.createCredentialRegistrationRequest(
        challenge: creation.challenge, name: creation.userName, userID: creation.userID)
      asked.displayName = creation.displayName
      asked.userVerificationPreference = creation.userVerification == "required" ? .required : .preferred
      asked.attestationPreference = creation.attestation == "direct" ? .direct : .none
      if #available(iOS 17.4, macOS 14.4, visionOS 1.1, *) {
        asked.excludedCredentials = creation.excludedCredentials.map {
          ASAuthorizationPlatformPublicKeyCredentialDescriptor(credentialID: $0)
        }
      }
      return asked
    }

    private func make(_ asked: ASAuthorizationRequest) async throws(AuthError) -> PasskeyRegistration {
      guard case .made(let passkey) = try await answer(to: asked, { $0.performRequests() }) else {
        throw AuthError(.unknown)
      }
      return passkey
    }

    /// Lets the person use a passkey: for a sign-in, a second step or a fresh proof.
    public func use(_ request: PasskeyRequest) async throws(AuthError) -> PasskeyAssertion {
      try await use(request) { $0.performRequests() }
    }

    #if os(iOS) || os(visionOS)
      /// Passkeys stand above the keyboard.
      public var offersBesideInputs: Bool { true }

      /// Offers passkeys above the keyboard, where a text field has the content type `username`. The call waits until
      /// the person chooses one. A form cancels its task before it shows another screen of the system, and begins again
      /// with new options before `PasskeyRequest.expires`.
      public func offer(_ request: PasskeyRequest) async throws(AuthError) -> PasskeyAssertion {
        try await use(request) { $0.performAutoFillAssistedRequests() }
      }
    #endif

    private func use(_ request: PasskeyRequest, _ begin: (ASAuthorizationController) -> Void)
      async throws(AuthError) -> PasskeyAssertion
    {
      let provider = ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: request.relyingParty)
      let asked = provider.createCredentialAssertionRequest(challenge: request.challenge)
      asked.allowedCredentials = request.allowedCredentials.map {
        ASAuthorizationPlatformPublicKeyCredentialDescriptor(credentialID: $0)
      }
      asked.userVerificationPreference = request.userVerification == "required" ? .required : .preferred
      guard case .used(let passkey) = try await answer(to: asked, begin) else { throw AuthError(.unknown) }
      return passkey
    }

    func answer(to request: ASAuthorizationRequest, _ begin: (ASAuthorizationController) -> Void)
      async throws(AuthError) -> PasskeyAnswer
    {
      guard let anchor = window() else { throw AuthError(.cancelled) }
      let promise = Promise<Result<PasskeyAnswer, AuthError>>()
      let (listener, presenter) = (PasskeyListener(promise), PasskeyWindow(anchor))
      let controller = ASAuthorizationController(authorizationRequests: [request])
      (controller.delegate, controller.presentationContextProvider) = (listener, presenter)
      begin(controller)
      let outcome = await promise.wait()
      // The controller holds both weakly.
      withExtendedLifetime((listener, presenter)) {}
      guard let outcome else {
        controller.cancel()
        throw .cancelled
      }
      return try outcome.get()
    }
  }
#endif
