package import GatehouseAdminWire
package import GatehouseWire

/// `gatehouse webhook test`: sends one message of type `webhook.test`, now. Refused where it is not taken.
package enum TestWebhook {
  package static func run(_ input: TestWebhookOperation.Input, _ call: OperatorCall) async throws -> Nothing {
    let (endpoint, seen) = try await Webhooks.find(input, call)
    let message = try WebhookMessage.test(call.services.clock.makeID(), to: endpoint, seen.tenant, at: seen.now)
    switch try await call.outside().webhooks.deliver(message) {
    case .delivered: return Nothing()
    case .gone: throw OperatorError(.refused, "it answered 410: it wants no messages")
    case .failed(let reason, _): throw OperatorError(.refused, "not delivered: \(reason)")
    case .postponed: throw OperatorError(.refused, "not delivered: too much is under way")
    }
  }
}
