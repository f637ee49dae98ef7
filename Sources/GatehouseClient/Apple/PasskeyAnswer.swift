#if canImport(AuthenticationServices) && !os(watchOS) && !os(tvOS)
  import AuthenticationServices
  import Foundation

  /// The system's answer, as values.
  enum PasskeyAnswer: Sendable {
    case made(PasskeyRegistration)
    case used(PasskeyAssertion)
    case account(PasskeyAccount)
    /// The system asks for no account now: the app's own form does.
    case noQuestion

    /// Nil for a credential of another kind, and for one without a part.
    init?(_ credential: any ASAuthorizationCredential) {
      if let made = credential as? ASAuthorizationPlatformPublicKeyCredentialRegistration {
        guard let passkey = PasskeyRegistration(made) else { return nil }
        self = .made(passkey)
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
      } else if let account = PasskeyAccount(credential) {
        self = .account(account)
      } else {
        return nil
      }
    }
  }

  extension PasskeyRegistration {
    /// Nil without a statement of the authenticator.
    init?(_ made: ASAuthorizationPlatformPublicKeyCredentialRegistration) {
      guard let attestation = made.rawAttestationObject else { return nil }
      self.init(
        credentialID: made.credentialID, clientDataJSON: made.rawClientDataJSON, attestationObject: attestation,
        transports: ["internal", "hybrid"])
    }
  }

  /// The end of a request. It is apart from the presenter, so that each is of the actor that its protocol says.
  final class PasskeyListener: NSObject, ASAuthorizationControllerDelegate {
    private let promise: Promise<Result<PasskeyAnswer, AuthError>>

    init(_ promise: Promise<Result<PasskeyAnswer, AuthError>>) { self.promise = promise }

    func authorizationController(
      controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) {
      promise.fulfil(PasskeyAnswer(authorization.credential).map { .success($0) } ?? .failure(AuthError(.unknown)))
    }

    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {
      if PasskeyAccount.isNoQuestion(error) { return promise.fulfil(.success(.noQuestion)) }
      let isCancelled = (error as? ASAuthorizationError)?.code == .canceled
      promise.fulfil(.failure(AuthError(isCancelled ? .cancelled : .unknown)))
    }
  }

  /// Says over which window the system's screens open.
  final class PasskeyWindow: NSObject, ASAuthorizationControllerPresentationContextProviding {
    private let anchor: ASPresentationAnchor

    init(_ anchor: ASPresentationAnchor) { self.anchor = anchor }

    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor { anchor }
  }
#endif
