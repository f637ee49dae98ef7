import GatehousePolicyFile
package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse tenant create`.
package enum CreateTenant {
  package static func run(_ input: CreateTenantOperation.Input, _ call: OperatorCall) async throws
    -> CreateTenantOperation.Output
  {
    try call.requireAllTenants("so it cannot create one")
    guard let name = TenantName(input.name) else {
      throw Refusal(
        .malformedRequest,
        detail: "\"\(input.name)\" is not a tenant name: 1 to 63 lower-case letters, digits, inner hyphens")
    }
    let shown = try input.displayName.map { try OperatorCall.line($0, "display_name", limit: 200) }
    let text = input.policy ?? PolicyFile.initial(tenant: name.description, name: shown ?? name.description)
    let file = input.policy == nil ? "the policy of a new tenant" : try OperatorCall.fileName(input.file)
    func answer(_ outcome: CreateTenantOperation.Outcome) -> CreateTenantOperation.Output {
      .init(outcome: outcome, name: name.description, publicURL: call.services.publicURL)
    }
    if input.ifNotExists == true || input.ifAbsent == true,
      let there = try await call.services.directory.tenant(name)
    {
      if input.ifAbsent == true { try await demandSame(there, as: input, shown, call) }
      return answer(.exists)
    }
    let author = try call.author("first revision")
    let candidate = PolicyCandidate(text, file: file, call.services)
    guard input.dryRun != true else {
      try Tenants.judge(candidate, of: name, author, call.services)
      return answer(.checked)
    }
    return try await call.once(CreateTenantOperation.self) { keep in
      _ = try await Tenants.create(
        name, displayName: shown, policy: candidate, author: author,
        keeping: try keep(answer(.created)), call.services)
      return answer(.created)
    }
  }

  /// Refuses a tenant that is there and is not the one that was asked for.
  private static func demandSame(
    _ there: TenantRecord, as input: CreateTenantOperation.Input, _ shown: String?, _ call: OperatorCall
  ) async throws {
    if let shown, !shown.utf8.elementsEqual(there.displayName.utf8) {
      throw OperatorError(
        .exists, "the tenant \"\(there.name)\" already exists, and is called \"\(there.displayName)\"",
        hint: "gatehouse tenant set \(there.name) --display-name NAME")
    }
    guard let text = input.policy else { return }
    let live = try await call.call(there).tenant
    guard PolicyCandidate(text, file: "", call.services).digest != live.digest else { return }
    throw OperatorError(
      .exists,
      "the tenant \"\(there.name)\" already exists, and its live policy, revision \(live.revision), is another",
      hint: "gatehouse policy apply \(there.name) FILE")
  }
}
