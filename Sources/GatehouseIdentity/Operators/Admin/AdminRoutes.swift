import GatehousePrimitives
package import GatehouseWire

/// Everything that operators do with what is stored, as one table. What is not here neither the admin API nor
/// `gatehouse --server` can do.
package enum AdminRoutes {
  package static let all: [AdminRoute] = [
    AdminRoute(ListTenantsOperation.self, TenantOperations.list),
    AdminRoute(ShowTenantOperation.self, TenantOperations.show),

    AdminRoute(CheckPolicyOperation.self, PolicyOperations.check),
    AdminRoute(ShowPolicyOperation.self, PolicyOperations.show),
    AdminRoute(ApplyPolicyOperation.self, PolicyOperations.apply),
    AdminRoute(ApplyPoliciesOperation.self, PolicyOperations.applyAll),
    AdminRoute(RollbackPolicyOperation.self, PolicyOperations.rollback),
    AdminRoute(ListPolicyRevisionsOperation.self, PolicyOperations.revisions),
    AdminRoute(DiffPolicyOperation.self, PolicyOperations.diff),
    AdminRoute(PolicyImpactOperation.self, PolicyImpactVerb.run),
    AdminRoute(ExplainPolicyOperation.self, PolicyExplanation.run),

    AdminRoute(ListAdminTokensOperation.self, AdminTokens.list),
    AdminRoute(CreateAdminTokenOperation.self, AdminTokens.create),
    AdminRoute(RevokeAdminTokenOperation.self, AdminTokens.revoke),
  ]

  /// Does an operation in this process, through the table.
  package static func run<O: AdminOperation>(_ operation: O.Type, _ input: O.Input, _ call: OperatorCall) async throws
    -> O.Output
  {
    guard let route = all.first(where: { $0.is(operation) }),
      let object = try JSONEncoding.value(input).object
    else { throw Refusal(.notFound) }
    let answer = try await route.run(object, call) ?? .object(JSONObject())
    if let nothing = Nothing() as? O.Output { return nothing }
    return try StrictDecoder.decode(O.Output.self, from: answer)
  }
}
