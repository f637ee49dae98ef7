import GatehousePolicy
import GatehousePrimitives
package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse webhook create`: a new endpoint; its secret is answered here and never again. Throws `OperatorError` for
/// a URL that messages can not be sent to, for fields that the policy does not have or the operator may not read, and
/// for one too many.
package enum CreateWebhook {
  package static func run(_ input: CreateWebhookOperation.Input, _ call: OperatorCall) async throws
    -> CreateWebhookOperation.Output
  {
    let seen = try await call.call(input.tenant)
    let events = try (input.events ?? []).map(event)
    if input.ifAbsent == true, let there = try await same(input, events, seen, call) { return there }
    let transport = try call.outside().webhooks
    if input.dryRun == true {
      try demand(input, seen, transport, call)
      return CreateWebhookOperation.Output()
    }
    return try await call.once(CreateWebhookOperation.self, in: seen) { seen in
      try demand(input, seen, transport, call)
      let store = call.store(of: seen)
      guard try await store.webhooks().count < Webhooks.most else {
        throw OperatorError(.refused, "\(seen.tenant.name) has \(Webhooks.most) webhooks already, which is the most")
      }
      let secret = WebhookSecret.random()
      let id = call.services.clock.makeID()
      let endpoint = WebhookEndpoint(
        id: id, url: input.url, events: events.isEmpty ? WebhookEvent.allCases : events, fields: input.fields ?? [],
        sealedSecret: try Webhooks.seal(secret, of: id, seen), createdAt: seen.now,
        shownBy: Webhooks.scopes(call))
      let answer = CreateWebhookOperation.Output(
        secret: secret.text.expose { $0 }, item: WebhookSummary(endpoint, waiting: 0))
      try await store.commit(
        [
          .webhook(.insert(endpoint)), .audit(try call.entry(.webhookCreated, details: Webhooks.details(id))),
        ] + (try seen.keeping(answer, status: CreateWebhookOperation.status)), as: .operator)
      return answer
    }
  }

  /// The webhook that is there already and is told the same; refuses one at this URL that is told something else.
  private static func same(
    _ input: CreateWebhookOperation.Input, _ events: [WebhookEvent], _ seen: Call, _ call: OperatorCall
  ) async throws -> CreateWebhookOperation.Output? {
    let there = try await call.store(of: seen).webhooks().filter { $0.url.utf8.elementsEqual(input.url.utf8) }
    let events = Set(events.isEmpty ? WebhookEvent.allCases : events)
    let same = there.first { Set($0.events) == events && Set($0.fields) == Set(input.fields ?? []) }
    if let same {
      return CreateWebhookOperation.Output(item: try await Webhooks.summary(same, seen, call), existed: true)
    }
    guard let other = there.first else { return nil }
    throw OperatorError(
      .exists, "\(seen.tenant.name) has the webhook \(other.id.text) at this URL, with other events or fields",
      hint: "gatehouse webhook show \(seen.tenant.name) \(other.id.text)")
  }

  private static func event(_ name: String) throws -> WebhookEvent {
    if let event = WebhookEvent(rawValue: name) { return event }
    let all = WebhookEvent.allCases.map(\.rawValue).joined(separator: ", ")
    throw Refusal(.malformedRequest, detail: "there is no event \"\(name)\"; events are: \(all)")
  }

  /// Refuses a URL that messages can not be sent to, and fields that the policy does not have or the operator may not
  /// read.
  private static func demand(
    _ input: CreateWebhookOperation.Input, _ seen: Call, _ transport: any WebhookTransport, _ call: OperatorCall
  ) throws {
    if let problem = transport.problem(with: input.url) { throw OperatorError(.refused, "the URL: \(problem)") }
    let known = ["email"] + seen.policy.profile.fields.map(\.name)
    let unknown = (input.fields ?? []).first { field in !known.contains { $0.utf8.elementsEqual(field.utf8) } }
    if let unknown {
      throw OperatorError(
        .refused, "the policy has no field \"\(unknown)\"", hint: "fields are: \(known.joined(separator: ", "))")
    }
    try Webhooks.demand(input.fields ?? [], seen, call)
  }
}
