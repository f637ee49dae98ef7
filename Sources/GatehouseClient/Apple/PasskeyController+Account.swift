#if canImport(AuthenticationServices) && !os(watchOS) && !os(tvOS)
  import AuthenticationServices
  import Foundation

  // What iOS 26 and macOS 26 have.
  extension PasskeyController {
    /// Asks for an address, for the person's name where that is wanted, and for a passkey, on one screen. Nil on
    /// systems before iOS 26 and macOS 26, on a device that can make no passkey, and where the person has an account by
    /// Sign in with Apple: the app's own form asks then.
    public func makeAccount(_ creation: PasskeyCreation, asksForName: Bool) async throws(AuthError) -> PasskeyAccount? {
      guard #available(iOS 26, macOS 26, visionOS 26, *) else { return nil }
      let asked = ASAuthorizationAccountCreationProvider().createPlatformPublicKeyCredentialRegistrationRequest(
        acceptedContactIdentifiers: [.email], shouldRequestName: asksForName,
        relyingPartyIdentifier: creation.relyingParty, challenge: creation.challenge, userID: creation.userID)
      switch try await answer(to: asked, { $0.performRequests() }) {
      case .account(let account): return account
      case .noQuestion: return nil
      case .made, .used: throw AuthError(.unknown)
      }
    }

    /// Tells the person's passkey managers which passkeys the account has, and its name. No one is told on systems
    /// before iOS 26 and macOS 26.
    public func report(_ accepted: AcceptedPasskeys) async {
      guard #available(iOS 26, macOS 26, visionOS 26, *) else { return }
      let updater = ASCredentialUpdater()
      // A passkey is never reported as unknown: managers delete it for good. Those that the list lacks are hidden,
      // and come back with it.
      try? await updater.reportAllAcceptedPublicKeyCredentials(
        relyingPartyIdentifier: accepted.relyingParty, userHandle: accepted.userID,
        acceptedCredentialIDs: accepted.credentialIDs)
      try? await updater.reportPublicKeyCredentialUpdate(
        relyingPartyIdentifier: accepted.relyingParty, userHandle: accepted.userID, newName: accepted.userName)
    }
  }

  extension PasskeyAccount {
    /// Nil for a credential of another kind, and for an account without an address.
    init?(_ credential: any ASAuthorizationCredential) {
      guard #available(iOS 26, macOS 26, visionOS 26, *),
        let account = credential as? ASAuthorizationAccountCreationPlatformPublicKeyCredential,
        case .email(let email) = account.contactIdentifier,
        let passkey = PasskeyRegistration(account.credentialRegistration)
      else { return nil }
      let name = account.name.map { PersonNameComponentsFormatter.localizedString(from: $0, style: .long) }
      self.init(passkey: passkey, email: email.value, name: name.flatMap { $0.isEmpty ? nil : $0 })
    }

    /// Whether the system asks for no account now, so that the app's own form does.
    static func isNoQuestion(_ error: any Error) -> Bool {
      guard #available(iOS 26, macOS 26, visionOS 26, *), let error = error as? ASAuthorizationError else {
        return false
      }
      return error.code == .deviceNotConfiguredForPasskeyCreation || error.code == .preferSignInWithApple
    }
  }
#endif
