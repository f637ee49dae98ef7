import GatehouseIdentity
import GatehousePolicy
import GatehouseWire

/// The end-user API as one table, in the order of the documentation. What is not here does not exist.
package enum Routes {
  package static let all: [Route] = [
    Route(PasswordCheckEndpoint.self, .nobody, CheckPassword.run),
    Route(ExplainEndpoint.self, .nobody, Explain.run),
    Route(AttestChallengeEndpoint.self, .nobody, RegisterAttestKey.challenge),
    Route(RegisterAttestKeyEndpoint.self, .nobody, RegisterAttestKey.run),
    Route(SignUpEndpoint.self, .nobody, traits: .isEven, isIdempotent: true, attests: .signUp, SignUp.run),
    Route(SignInEndpoint.self, .nobody, traits: .isEven, attests: .signIn, SignIn.run),
    Route(ProviderSignInEndpoint.self, .nobody, attests: .federatedSignUp, ProviderSignIn.run),
    Route(StartProviderSignInEndpoint.self, .nobody, traits: .bindsBrowser, BrowserSignIn.start),
    Route(CompleteProviderSignInEndpoint.self, .nobody, attests: .federatedSignUp, BrowserSignIn.complete),
    Route(TokenEndpoint.self, .nobody, takesRetryKey: true, Refresh.run),
    Route(ReauthenticateEndpoint.self, .user, takesRetryKey: true, Reauthenticate.run),
    Route(SignOutEndpoint.self, .userOrExpired, SignOut.run),

    Route(ReadMeEndpoint.self, .user, Me.read),
    Route(UpdateMeEndpoint.self, .user, Me.update),
    Route(DeleteMeEndpoint.self, .user, Me.delete),
    Route(ExportMeEndpoint.self, .user, ExportPerson.run),
    Route(PresenceEndpoint.self, .user, SetPresence.run),
    Route(ListSessionsEndpoint.self, .user, ListSessions.run),
    Route(EndSessionEndpoint.self, .user, EndSession.run),
    Route(PushTokenEndpoint.self, .user, KeepPushToken.run),

    Route(StartLinkEndpoint.self, .user, traits: .bindsBrowser, LinkProvider.start),
    Route(CompleteLinkEndpoint.self, .user, LinkProvider.complete),
    Route(ProviderTokenEndpoint.self, .user, ProviderToken.run),
    Route(UnlinkEndpoint.self, .user, UnlinkProvider.run),

    Route(ChangePasswordEndpoint.self, .user, ChangePassword.run),
    Route(ChangeEmailEndpoint.self, .user, traits: .isEven, isIdempotent: true, ChangeEmail.request),
    Route(ConfirmEmailChangeEndpoint.self, .optional, ChangeEmail.confirm),
    Route(UndoEmailChangeEndpoint.self, .nobody, UndoEmailChange.run),
    Route(SendEmailVerificationEndpoint.self, .optional, traits: .isEven, isIdempotent: true, VerifyEmail.send),
    Route(ConfirmEmailVerificationEndpoint.self, .optional, traits: .isEven, VerifyEmail.confirm),
    Route(RequestPasswordResetEndpoint.self, .nobody, traits: .isEven, isIdempotent: true, ResetPassword.request),
    Route(ConfirmPasswordResetEndpoint.self, .nobody, traits: .isEven, ResetPassword.confirm),

    Route(ReadUserEndpoint.self, .user, Users.read),
    Route(ListUsersEndpoint.self, .user, Users.list),
    Route(UpdateUserEndpoint.self, .user, Users.update),
  ]
}
