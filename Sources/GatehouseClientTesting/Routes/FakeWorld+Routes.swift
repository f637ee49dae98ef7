import GatehouseWire

extension FakeWorld {
  /// Every route of the contract that the client calls, but for the policy and the export, whose contents are data of
  /// their own.
  static let routes: [FakeRoute] = [
    FakeRoute(AttestChallengeEndpoint.self) { try $0.challenge($2) },
    FakeRoute(RegisterAttestKeyEndpoint.self) { try $0.register($1, $2) },
    FakeRoute(SignUpEndpoint.self, isKeyed: true) { try $0.signUp($1, $2) },
    FakeRoute(SignInEndpoint.self) { try $0.signIn($1, $2) },
    FakeRoute(VerifyFactorEndpoint.self) { try $0.verify($1, $2) },
    FakeRoute(ProviderSignInEndpoint.self) { try $0.signIn($1, $2) },
    FakeRoute(TokenEndpoint.self) { try $0.token($1, $2) },
    FakeRoute(ReauthenticateEndpoint.self) { try $0.reauthenticate($1, $2) },
    FakeRoute(SendReauthenticationCodeEndpoint.self, isKeyed: true) { try $0.sendProof($1, $2) },
    FakeRoute(SignOutEndpoint.self) { try $0.signOut($1, $2) },
    FakeRoute(ReadMeEndpoint.self) { try $0.me(of: $0.caller($2).account, $2.languages) },
    FakeRoute(UpdateMeEndpoint.self) { try $0.update($1, $2) },
    FakeRoute(DeleteMeEndpoint.self) { try $0.delete($1, $2) },
    FakeRoute(SetPresenceEndpoint.self) { try $0.setPresence($1, $2) },
    FakeRoute(KeepPushTokenEndpoint.self) { try $0.setPushToken($1, $2) },
    FakeRoute(ListSessionsEndpoint.self) { try $0.listSessions($2) },
    FakeRoute(EndSessionEndpoint.self) { try $0.endSession($1, $2) },
    FakeRoute(ListFactorsEndpoint.self) { try $0.listFactors($2) },
    FakeRoute(StartTOTPEndpoint.self) { try $0.startTOTP($1, $2) },
    FakeRoute(ConfirmTOTPEndpoint.self) { try $0.confirmTOTP($1, $2) },
    FakeRoute(RenameFactorEndpoint.self) { try $0.rename($1, $2) },
    FakeRoute(RemoveFactorEndpoint.self) { try $0.remove($1, $2) },
    FakeRoute(MakeRecoveryCodesEndpoint.self) { try $0.makeRecoveryCodes($2) },
    FakeRoute(ReadUserEndpoint.self) { try $0.user($1, $2) },
    FakeRoute(ListUsersEndpoint.self) { try $0.users($1, $2) },
    FakeRoute(SendEmailVerificationEndpoint.self, isKeyed: true) { try $0.sendVerification($1, $2) },
    FakeRoute(ConfirmEmailVerificationEndpoint.self) { try $0.confirm($1, $2) },
    FakeRoute(RequestPasswordResetEndpoint.self, isKeyed: true) { try $0.requestReset($1, $2) },
    FakeRoute(ConfirmPasswordResetEndpoint.self) { try $0.reset($1, $2) },
    FakeRoute(ChangePasswordEndpoint.self) { try $0.changePassword($1, $2) },
    FakeRoute(RequestEmailChangeEndpoint.self, isKeyed: true) { try $0.changeEmail($1, $2) },
    FakeRoute(ConfirmEmailChangeEndpoint.self) { try $0.confirmChange($1, $2) },
    FakeRoute(StartLinkEndpoint.self) { try $0.startLink($1, $2) },
    FakeRoute(CompleteLinkEndpoint.self) { try $0.completeLink($1, $2) },
    FakeRoute(UnlinkEndpoint.self) { try $0.unlink($1, $2) },
    FakeRoute(ProviderTokenEndpoint.self) { try $0.providerToken($1, $2) },
  ]
}
