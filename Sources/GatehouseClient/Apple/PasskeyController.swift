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
  public struct PasskeyController {
    private let anchor: ASPresentationAnchor

    /// Passkeys by screens over a window.
    public init(over anchor: ASPresentationAnchor) { self.anchor = anchor }

    /// Makes a passkey, for `AuthClient.addPasskey(_:for:name:)`.
    public func make(_ creation: PasskeyCreation) async throws(AuthError) -> PasskeyRegistration {
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

    private func answer(to request: ASAuthorizationRequest, _ begin: (ASAuthorizationController) -> Void)
      async throws(AuthError) -> PasskeyAnswer
    {
      let promise = Promise<Result<PasskeyAnswer, AuthError>>()
      let (listener, presenter) = (PasskeyListener(promise), PasskeyPresenter(anchor))
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

  /// The system's answer, as values.
  private enum PasskeyAnswer: Sendable {
    case made(PasskeyRegistration)
    case used(PasskeyAssertion)

    /// Nil for a credential of another kind, and for one without a part.
    init?(_ credential: any ASAuthorizationCredential) {
      if let made = credential as? ASAuthorizationPlatformPublicKeyCredentialRegistration {
        guard let attestation = made.rawAttestationObject else { return nil }
        self = .made(
          PasskeyRegistration(
            credentialID: made.credentialID, clientDataJSON: made.rawClientDataJSON, attestationObject: attestation,
            transports: ["internal", "hybrid"]))
      } else if let used = credential as? ASAuthorizationPlatformPublicKeyCredentialAssertion {
        // The system may leave these out.
        let parts: (data: Data?, signature: Data?, user: Data?) = (
          used.rawAuthenticatorData, used.signature, used.userID
        )
        guard let data = parts.data, let signature = parts.signature else { return nil }
        self = .used(
          PasskeyAssertion(
            credentialID: used.credentialID, clientDataJSON: used.rawClientDataJSON, authenticatorData: data,
            signature: signature, userHandle: parts.user))
      } else {
        return nil
      }
    }
  }

  /// The end of a request. It is apart from the presenter, so that each is of the actor that its protocol says.
  private final class PasskeyListener: NSObject, ASAuthorizationControllerDelegate {
    private let promise: Promise<Result<PasskeyAnswer, AuthError>>

    init(_ promise: Promise<Result<PasskeyAnswer, AuthError>>) { self.promise = promise }

    func authorizationController(
      controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) {
      promise.fulfil(PasskeyAnswer(authorization.credential).map { .success($0) } ?? .failure(AuthError(.unknown)))
    }

    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {
      let isCancelled = (error as? ASAuthorizationError)?.code == .canceled
      promise.fulfil(.failure(AuthError(isCancelled ? .cancelled : .unknown)))
    }
  }

  /// Says over which window the system's screens open.
  private final class PasskeyPresenter: NSObject, ASAuthorizationControllerPresentationContextProviding {
    private let anchor: ASPresentationAnchor

    init(_ anchor: ASPresentationAnchor) { self.anchor = anchor }

    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor { anchor }
  }
#endif
