import GatehousePolicy
import GatehousePolicyFile
import GatehousePrimitives
package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse policy apply --files`: several tenants' texts, all of them or none.
package enum ApplyPolicies {
  package static func run(_ input: ApplyPoliciesOperation.Input, _ call: OperatorCall) async throws
    -> ApplyPoliciesOperation.Output
  {
    guard (1...1000).contains(input.items.count) else { throw Refusal.malformed("/items", "must be 1 to 1000 items") }
    let outcomes = try await apply(
      input.items, reason: input.reason,
      consent: Policies.Consent(input), isDryRun: input.dryRun ?? false, call)
    return ApplyPoliciesOperation.Output(items: outcomes)
  }

  /// Applies texts on behalf of an operator, and says what became of each.
  /// - Parameter restoring: the older revision that the one text is the text of.
  static func apply(
    _ items: [ApplyPoliciesOperation.Item], restoring: Int? = nil, reason: String?, consent: Policies.Consent,
    isDryRun: Bool,
    _ call: OperatorCall
  ) async throws -> [PolicyOutcome] {
    if consent.failingTests { try demandEmergency(reason, call) }
    var candidates: [(tenant: TenantRecord, candidate: PolicyCandidate)] = []
    for item in items {
      let tenant = try await call.tenant(item.tenant)
      guard !candidates.contains(where: { $0.tenant.id == tenant.id }) else {
        throw Refusal.malformed("/items", "\(tenant.name) is listed twice")
      }
      let file = try OperatorCall.fileName(item.file)
      candidates.append(
        (tenant, PolicyCandidate(item.text, file: file, expecting: item.expecting, restoring: restoring, call.services))
      )
    }
    let author = try call.author(reason)
    let decisions = try await Policies.decide(
      candidates, consent: consent, author: author, isDryRun: isDryRun, call.services)
    // The texts are applied by now: an answer without notes is better than an error.
    let running = (try? await UnreadablePolicies.running(call.services)) ?? []
    var items: [PolicyOutcome] = []
    for ((tenant, candidate), decision) in zip(candidates, decisions) {
      let name = tenant.name.description
      switch decision.outcome {
      case .unchanged(let revision):
        items.append(PolicyOutcome(tenant: name, outcome: .unchanged, revision: revision))
      case .applied(let revision):
        let notes =
          decision.takesBack + (await notes(candidate, of: tenant, running, bindsWaiting: author.bindsSecrets, call))
        items.append(
          PolicyOutcome(
            tenant: name, outcome: isDryRun ? .checked : .applied, revision: revision - (isDryRun ? 1 : 0),
            notes: notes.isEmpty ? nil : notes, trust: decision.trust.isEmpty ? nil : decision.trust))
      }
    }
    return items
  }

  /// The next steps of an operator under a text.
  private static func notes(
    _ candidate: PolicyCandidate, of tenant: TenantRecord, _ running: [SeenServers], bindsWaiting: Bool,
    _ call: OperatorCall
  ) async -> [String] {
    guard let file = candidate.check.file else { return [] }
    let unreadable = UnreadablePolicies.notes(file, running: running, now: call.services.clock.now)
    return unreadable + (await closed(file, bindsWaiting: bindsWaiting, tenant, call))
      + (await withheld(file, tenant, call))
  }

  /// Secrets that have to be set again.
  private static func closed(
    _ file: PolicyFile, bindsWaiting: Bool, _ record: TenantRecord, _ call: OperatorCall
  ) async -> [String] {
    guard let tenant = try? await call.call(record).tenant else { return [] }
    let closed = try? await ProviderSecrets.closed(file.policy, bindsWaiting: bindsWaiting, tenant, call.services)
    return (closed ?? []).map { "\($0.sentence) (\($0.advice(tenant.name)))" }
  }

  /// Webhooks that a policy takes fields from: it hides them, and their makers may not read them.
  private static func withheld(_ file: PolicyFile, _ tenant: TenantRecord, _ call: OperatorCall) async -> [String] {
    guard let endpoints = try? await call.services.store.open(tenant.id).webhooks() else { return [] }
    return endpoints.compactMap { endpoint in
      let fields = endpoint.withheld(by: file.policy)
      guard !fields.isEmpty else { return nil }
      return """
        webhook \(endpoint.id.text) is not sent \(fields.joined(separator: ", ")), which its maker may not read: gatehouse \
        webhook enable \(tenant.name) \(endpoint.id.text), by one who may, confirms it
        """
    }
  }

  /// A file whose tests fail is applied by operators who may, and say why.
  private static func demandEmergency(_ reason: String?, _ call: OperatorCall) throws {
    // GUARD: apply: failing tests need their scope
    try call.who.require(.policyEmergency)
    guard let reason, TypedText.isShown(reason) else {
      throw OperatorError(
        .refused, "a policy whose tests fail needs a reason, which the history shows", hint: "--reason WHY")
    }
  }
}
