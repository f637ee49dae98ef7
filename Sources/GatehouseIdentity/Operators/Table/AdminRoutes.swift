import GatehousePrimitives
package import GatehouseAdminWire
import GatehouseWire

/// Every operation of operators on stored data, as one table. Neither the admin API nor `gatehouse --server` has an
/// operation that is missing here.
package enum AdminRoutes {
  package static let all: [AdminRoute] = [
    AdminRoute(ListTenantsOperation.self, ListTenants.run),
    AdminRoute(CreateTenantOperation.self, isIdempotent: true, CreateTenant.run),
    AdminRoute(ShowTenantOperation.self, ShowTenant.run),
    AdminRoute(SetTenantOperation.self, SetTenant.run),
    AdminRoute(DeleteTenantOperation.self, DeleteTenant.run),

    AdminRoute(CheckPolicyOperation.self, CheckPolicy.run),
    AdminRoute(ShowPolicyOperation.self, ShowPolicy.run),
    AdminRoute(ApplyPolicyOperation.self, ApplyPolicy.run),
    AdminRoute(ApplyPoliciesOperation.self, ApplyPolicies.run),
    AdminRoute(RollbackPolicyOperation.self, RollbackPolicy.run),
    AdminRoute(ListPolicyRevisionsOperation.self, ListPolicyRevisions.run),
    AdminRoute(DiffPolicyOperation.self, DiffPolicy.run),
    AdminRoute(DiffRevisionsOperation.self, DiffRevisions.run),
    AdminRoute(PolicyImpactOperation.self, PolicyImpact.run),
    AdminRoute(ExplainPolicyOperation.self, ExplainPolicy.run),
    AdminRoute(PurgePolicyFieldOperation.self, PurgePolicyField.run),
    AdminRoute(ListBackfillsOperation.self, ListBackfills.run),

    AdminRoute(ListUsersOperation.self, ListUsers.run),
    AdminRoute(CreateUserOperation.self, isIdempotent: true, CreateUser.run),
    AdminRoute(ShowUserOperation.self, ShowUser.run),
    AdminRoute(SetUserOperation.self, SetUser.run),
    AdminRoute(DeleteUserOperation.self, DeleteUser.run),
    AdminRoute(ChangeUsersOperation.self, ChangeUsers.run),
    AdminRoute(ListDeletedUsersOperation.self, ListDeletedUsers.run),
    AdminRoute(UndeleteUserOperation.self, UndeleteUser.run),
    AdminRoute(UndeleteUsersOperation.self, UndeleteUsers.run),
    AdminRoute(UndoBackfillOperation.self, UndoBackfill.run),
    AdminRoute(VerifyUserEmailOperation.self, VerifyUserEmail.run),
    AdminRoute(SendUserResetOperation.self, SendUserReset.run),
    AdminRoute(UnlockUserOperation.self, UnlockUser.run),
    AdminRoute(ListUserFactorsOperation.self, ListUserFactors.run),
    AdminRoute(ResetUserFactorsOperation.self, ResetUserFactors.run),
    AdminRoute(ListLimitsOperation.self, ListLimits.run),
    AdminRoute(SumLimitsOperation.self, SumLimits.run),
    AdminRoute(ClearLimitsOperation.self, ClearLimits.run),
    AdminRoute(ListUserSessionsOperation.self, ListUserSessions.run),
    AdminRoute(RevokeSessionsOperation.self, RevokeSessions.run),
    AdminRoute(ListPushTokensOperation.self, ListPushTokens.run),
    AdminRoute(RemovePushTokenOperation.self, RemovePushToken.run),
    AdminRoute(ExportUserOperation.self, ExportUser.run),
    AdminRoute(EraseUserOperation.self, EraseUser.run),

    AdminRoute(ListHostsOperation.self, ListHosts.run),
    AdminRoute(AddHostOperation.self, AddHost.run),
    AdminRoute(AllowHostOperation.self, AllowHost.run),
    AdminRoute(VerifyHostOperation.self, VerifyHost.run),
    AdminRoute(RemoveHostOperation.self, RemoveHost.run),

    AdminRoute(SetLogoOperation.self, SetLogo.run),
    AdminRoute(ShowLogoOperation.self, ShowLogo.run),
    AdminRoute(RemoveLogoOperation.self, RemoveLogo.run),

    AdminRoute(ListWebhooksOperation.self, ListWebhooks.run),
    AdminRoute(CreateWebhookOperation.self, isIdempotent: true, CreateWebhook.run),
    AdminRoute(ShowWebhookOperation.self, ShowWebhook.run),
    AdminRoute(DeleteWebhookOperation.self, DeleteWebhook.run),
    AdminRoute(RotateWebhookSecretOperation.self, RotateWebhookSecret.run),
    AdminRoute(EnableWebhookOperation.self, EnableWebhook.run),
    AdminRoute(TestWebhookOperation.self, TestWebhook.run),

    AdminRoute(PreviewMailOperation.self, PreviewMail.run),
    AdminRoute(SendTestMailOperation.self, SendTestMail.run),
    AdminRoute(ListWaitingMailsOperation.self, ListWaitingMails.run),
    AdminRoute(RetryWaitingMailsOperation.self, RetryWaitingMails.run),
    AdminRoute(DropWaitingMailsOperation.self, DropWaitingMails.run),

    AdminRoute(ListKeysOperation.self, ListKeys.run),
    AdminRoute(RotateKeysOperation.self, RotateKeys.run),
    AdminRoute(RetireKeyOperation.self, RetireKey.run),
    AdminRoute(ShowKeySetOperation.self, ShowKeySet.run),
    AdminRoute(RewrapKeysOperation.self, RewrapKeys.run),
    AdminRoute(ListSecretsOperation.self, ListSecrets.run),
    AdminRoute(SetSecretOperation.self, SetSecret.run),
    AdminRoute(RemoveSecretOperation.self, RemoveSecret.run),

    AdminRoute(SearchAuditOperation.self, SearchAudit.run),
    AdminRoute(SearchAllAuditOperation.self, SearchAllAudit.run),
    AdminRoute(VerifyAuditOperation.self, VerifyAudit.run),
    AdminRoute(ExportAuditOperation.self, ExportAudit.run),
    AdminRoute(CutAuditOperation.self, CutAudit.run),

    AdminRoute(ListAdminTokensOperation.self, ListAdminTokens.run),
    AdminRoute(CreateAdminTokenOperation.self, isIdempotent: true, CreateAdminToken.run),
    AdminRoute(RevokeAdminTokenOperation.self, RevokeAdminToken.run),
  ]

  /// Does an operation in this process, through the table.
  package static func run<O: AdminOperation>(_ operation: O.Type, _ input: O.Input, _ call: OperatorCall) async throws
    -> O.Output
  {
    guard let route = all.first(where: { $0.is(operation) }),
      let object = try JSONEncoding.value(input, spelling: .contract).object
    else { throw Refusal(.notFound) }
    let answer = try await route.run(object, call) ?? .object(JSONObject())
    if let nothing = Nothing() as? O.Output { return nothing }
    return try StrictDecoder.decode(O.Output.self, from: answer, spelling: .contract)
  }
}
