import GatehousePrimitives
package import GatehouseWire

/// Everything that operators do with what is stored, as one table. What is not here neither the admin API nor
/// `gatehouse --server` can do.
package enum AdminRoutes {
  package static let all: [AdminRoute] = [
    AdminRoute(ListTenantsOperation.self, TenantOperations.list),
    AdminRoute(CreateTenantOperation.self, isIdempotent: true, TenantOperations.create),
    AdminRoute(ShowTenantOperation.self, TenantOperations.show),
    AdminRoute(SetTenantOperation.self, TenantOperations.set),
    AdminRoute(DeleteTenantOperation.self, TenantOperations.delete),

    AdminRoute(CheckPolicyOperation.self, PolicyOperations.check),
    AdminRoute(ShowPolicyOperation.self, PolicyOperations.show),
    AdminRoute(ApplyPolicyOperation.self, PolicyOperations.apply),
    AdminRoute(ApplyPoliciesOperation.self, PolicyOperations.applyAll),
    AdminRoute(RollbackPolicyOperation.self, PolicyOperations.rollback),
    AdminRoute(ListPolicyRevisionsOperation.self, PolicyOperations.revisions),
    AdminRoute(DiffPolicyOperation.self, PolicyOperations.diff),
    AdminRoute(PolicyImpactOperation.self, PolicyImpactVerb.run),
    AdminRoute(ExplainPolicyOperation.self, PolicyExplanation.run),

    AdminRoute(ListUsersOperation.self, UserOperations.list),
    AdminRoute(CreateUserOperation.self, isIdempotent: true, UserOperations.create),
    AdminRoute(ShowUserOperation.self, UserOperations.show),
    AdminRoute(SetUserOperation.self, UserOperations.change),
    AdminRoute(DeleteUserOperation.self, UserOperations.delete),
    AdminRoute(VerifyUserEmailOperation.self, UserOperations.verify),
    AdminRoute(SendUserResetOperation.self, UserOperations.sendReset),
    AdminRoute(UnlockUserOperation.self, UserOperations.unlock),
    AdminRoute(ListLimitsOperation.self, LimitOperations.list),
    AdminRoute(ClearLimitsOperation.self, LimitOperations.clear),
    AdminRoute(ListUserSessionsOperation.self, UserOperations.sessions),
    AdminRoute(RevokeSessionsOperation.self, UserOperations.revoke),
    AdminRoute(ListPushTokensOperation.self, PushTokenOperations.list),
    AdminRoute(RemovePushTokenOperation.self, PushTokenOperations.remove),
    AdminRoute(ExportUserOperation.self, DataRightsOperations.export),
    AdminRoute(EraseUserOperation.self, DataRightsOperations.erase),

    AdminRoute(ListHostsOperation.self, HostOperations.list),
    AdminRoute(AddHostOperation.self, HostOperations.add),
    AdminRoute(AllowHostOperation.self, HostOperations.allow),
    AdminRoute(VerifyHostOperation.self, HostOperations.verify),
    AdminRoute(RemoveHostOperation.self, HostOperations.remove),

    AdminRoute(ListWebhooksOperation.self, WebhookOperations.list),
    AdminRoute(CreateWebhookOperation.self, isIdempotent: true, WebhookOperations.create),
    AdminRoute(ShowWebhookOperation.self, WebhookOperations.show),
    AdminRoute(DeleteWebhookOperation.self, WebhookOperations.delete),
    AdminRoute(RotateWebhookSecretOperation.self, WebhookOperations.rotateSecret),
    AdminRoute(EnableWebhookOperation.self, WebhookOperations.enable),
    AdminRoute(TestWebhookOperation.self, WebhookOperations.test),

    AdminRoute(PreviewMailOperation.self, MailOperations.preview),
    AdminRoute(SendTestMailOperation.self, MailOperations.sendTest),

    AdminRoute(ListKeysOperation.self, KeyOperations.list),
    AdminRoute(RotateKeysOperation.self, KeyOperations.rotate),
    AdminRoute(RetireKeyOperation.self, KeyOperations.retire),
    AdminRoute(ShowKeySetOperation.self, KeyOperations.keySet),
    AdminRoute(RewrapKeysOperation.self, KeyOperations.rewrap),
    AdminRoute(ListSecretsOperation.self, SecretOperations.list),
    AdminRoute(SetSecretOperation.self, SecretOperations.set),
    AdminRoute(RemoveSecretOperation.self, SecretOperations.remove),

    AdminRoute(SearchAuditOperation.self, AuditOperations.search),
    AdminRoute(VerifyAuditOperation.self, AuditOperations.verify),
    AdminRoute(ExportAuditOperation.self, AuditOperations.export),

    AdminRoute(ListAdminTokensOperation.self, AdminTokens.list),
    AdminRoute(CreateAdminTokenOperation.self, isIdempotent: true, AdminTokens.create),
    AdminRoute(RevokeAdminTokenOperation.self, AdminTokens.revoke),
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
