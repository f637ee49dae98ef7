/// A value that holds a password, a token or a code. Printing, logging or dumping it shows the type's name and nothing
/// else.
package protocol Confidential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Confidential {
  /// The type's name.
  package var description: String { "\(Self.self)(…)" }
  /// The type's name.
  package var debugDescription: String { description }
  /// Nothing to see.
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension SignUpEndpoint.Input: Confidential {}
extension SignInEndpoint.Input: Confidential {}
extension TokenEndpoint.Input: Confidential {}
extension ReauthenticateEndpoint.Input: Confidential {}
extension VerifyFactorEndpoint.Input: Confidential {}
extension StartTOTPEndpoint.Output: Confidential {}
extension ConfirmTOTPEndpoint.Input: Confidential {}
extension ConfirmTOTPEndpoint.Output: Confidential {}
extension MakeRecoveryCodesEndpoint.Output: Confidential {}
extension SignOutEndpoint.Input: Confidential {}
extension DeleteMeEndpoint.Input: Confidential {}
extension PasswordCheckEndpoint.Input: Confidential {}
extension ExplainEndpoint.Input: Confidential {}
extension KeepPushTokenEndpoint.Input: Confidential {}
extension ChangePasswordEndpoint.Input: Confidential {}
extension RequestEmailChangeEndpoint.Input: Confidential {}
extension ConfirmEmailChangeEndpoint.Input: Confidential {}
extension UndoEmailChangeEndpoint.Input: Confidential {}
extension ConfirmEmailVerificationEndpoint.Input: Confidential {}
extension ConfirmPasswordResetEndpoint.Input: Confidential {}
extension ProviderSignInEndpoint.Input: Confidential {}
extension CompleteBrowserSignInEndpoint.Input: Confidential {}
extension CompleteLinkEndpoint.Input: Confidential {}
extension UnlinkEndpoint.Input: Confidential {}
extension AuthorizationStart: Confidential {}
extension ProviderTokenEndpoint.Output: Confidential {}
extension SessionAnswer: Confidential {}
extension DataExport: Confidential {}
