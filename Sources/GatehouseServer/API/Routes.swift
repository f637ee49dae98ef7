import GatehouseIdentity
import GatehousePolicy
import GatehouseWire

/// The end-user API as one table, in the order of the documentation. A route that is not here does not exist.
package enum Routes {
  package static let all: [Route] = [
    Route(PasswordCheckEndpoint.self, .anonymous, PasswordCheck.run),
    Route(ExplainEndpoint.self, .anonymous, Explain.run),
    Route(AttestChallengeEndpoint.self, .anonymous, RegisterAttestKey.challenge),
    Route(RegisterAttestKeyEndpoint.self, .anonymous, RegisterAttestKey.run),
    Route(SignUpEndpoint.self, .anonymous, traits: .isEven, isIdempotent: true, attests: .signUp, SignUp.run),
    Route(SignInEndpoint.self, .anonymous, traits: .isEven, attests: .signIn, SignIn.run),
    Route(VerifyFactorEndpoint.self, .anonymous, attests: .signIn, VerifyFactor.run),
    Route(StartPasskeySignUpEndpoint.self, .anonymous, StartPasskeySignUp.run),
    Route(
      CompletePasskeySignUpEndpoint.self, .anonymous, traits: .isEven, isIdempotent: true, attests: .signUp,
      CompletePasskeySignUp.run),
    Route(StartPasskeySignInEndpoint.self, .anonymous, PasskeySignIn.start),
    Route(CompletePasskeySignInEndpoint.self, .anonymous, attests: .signIn, PasskeySignIn.complete),
    Route(ProviderSignInEndpoint.self, .anonymous, attests: .federatedSignUp, ProviderSignIn.run),
    Route(StartBrowserSignInEndpoint.self, .anonymous, traits: .bindsBrowser, BrowserSignIn.start),
    Route(CompleteBrowserSignInEndpoint.self, .anonymous, attests: .federatedSignUp, BrowserSignIn.complete),
    Route(TokenEndpoint.self, .anonymous, takesRetryKey: true, Token.run),
    Route(StartReauthenticationEndpoint.self, .user, StartReauthentication.run),
    Route(ReauthenticateEndpoint.self, .user, takesRetryKey: true, Reauthenticate.run),
    Route(SendReauthenticationCodeEndpoint.self, .user, isIdempotent: true, ReauthenticationCode.send),
    Route(SignOutEndpoint.self, .userOrExpired, SignOut.run),

    Route(ReadMeEndpoint.self, .user, Me.read),
    Route(UpdateMeEndpoint.self, .user, Me.update),
    Route(DeleteMeEndpoint.self, .user, Me.delete),
    Route(ExportMeEndpoint.self, .user, ExportMe.run),
    Route(SetPresenceEndpoint.self, .user, SetPresence.run),
    Route(ListSessionsEndpoint.self, .user, ListSessions.run),
    Route(EndSessionEndpoint.self, .user, EndSession.run),
    Route(KeepPushTokenEndpoint.self, .user, KeepPushToken.run),

    Route(ListFactorsEndpoint.self, .user, Factors.list),
    Route(StartTOTPEndpoint.self, .user, StartTOTP.run),
    Route(ConfirmTOTPEndpoint.self, .user, ConfirmTOTP.run),
    Route(StartPasskeyEndpoint.self, .user, StartPasskey.run),
    Route(AddPasskeyEndpoint.self, .user, AddPasskey.run),
    Route(RenameFactorEndpoint.self, .user, Factors.rename),
    Route(RemoveFactorEndpoint.self, .user, Factors.remove),
    Route(MakeRecoveryCodesEndpoint.self, .user, RecoveryCodes.make),

    Route(StartLinkEndpoint.self, .user, traits: .bindsBrowser, Links.start),
    Route(CompleteLinkEndpoint.self, .user, Links.complete),
    Route(ProviderTokenEndpoint.self, .user, ProviderToken.run),
    Route(UnlinkEndpoint.self, .user, Unlink.run),

    Route(ChangePasswordEndpoint.self, .user, ChangePassword.run),
    Route(RequestEmailChangeEndpoint.self, .user, traits: .isEven, isIdempotent: true, EmailChange.request),
    Route(ConfirmEmailChangeEndpoint.self, .optional, EmailChange.confirm),
    Route(UndoEmailChangeEndpoint.self, .anonymous, UndoEmailChange.run),
    Route(SendEmailVerificationEndpoint.self, .optional, traits: .isEven, isIdempotent: true, EmailVerification.send),
    Route(ConfirmEmailVerificationEndpoint.self, .optional, traits: .isEven, EmailVerification.confirm),
    Route(RequestPasswordResetEndpoint.self, .anonymous, traits: .isEven, isIdempotent: true, PasswordReset.request),
    Route(ConfirmPasswordResetEndpoint.self, .anonymous, traits: .isEven, PasswordReset.confirm),

    Route(ReadUserEndpoint.self, .user, Users.read),
    Route(ListUsersEndpoint.self, .user, Users.list),
    Route(UpdateUserEndpoint.self, .user, Users.update),
  ]
}
