// The worker of the webhooks: takes what is due, signs it, sends it, and remembers how it ended.

package import Foundation
import GatehousePrimitives

/// Messages to endpoints, one try after another. Many are under way at once, but only a few to one endpoint, so that a
/// slow or dead endpoint holds up no other one.
package struct DeliverWebhooks: Sendable {
  package enum Outcome: Sendable, Equatable { case delivered, postponed, disabled }

  /// At once, in all and to one endpoint.
  package static let atOnce = 32
  package static let perEndpoint = 4
  /// An endpoint that has failed for so many seconds is switched off.
  package static let patience: TimeInterval = 3 * 86_400
  /// Seconds until the next try, by how many there were; the last one repeats until the message is too old.
  static let delays = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800]

  private let queue: any WebhookQueue
  private let transport: any WebhookTransport
  private let services: Services
  private let report: @Sendable (Outcome, TenantSnapshot, WebhookEvent) -> Void

  package init(
    queue: any WebhookQueue, transport: any WebhookTransport, _ services: Services,
    report: @escaping @Sendable (Outcome, TenantSnapshot, WebhookEvent) -> Void = { _, _, _ in }
  ) {
    self.queue = queue
    self.transport = transport
    self.services = services
    self.report = report
  }

  /// Delivers until the task is cancelled; `pause` waits between two looks at an empty queue, `trouble` hears of what
  /// went wrong.
  package func run(pause: @escaping @Sendable () async -> Void, trouble: @escaping @Sendable (any Error) -> Void) async
  {
    await withTaskGroup(of: UUID?.self) { group in
      var busy: [UUID: Int] = [:]
      var underWay = 0
      var isLooking = false
      while !Task.isCancelled {
        if !isLooking {
          let taken = await take(busy: busy, free: Self.atOnce - underWay, trouble: trouble)
          for due in taken {
            busy[due.endpoint.id, default: 0] += 1
            underWay += 1
            group.addTask {
              await attempt(due, trouble: trouble)
              return due.endpoint.id
            }
          }
          isLooking = true
          group.addTask {
            if taken.isEmpty { await pause() }
            return nil
          }
        }
        guard let ended = await group.next() else { break }
        guard let endpoint = ended else {
          isLooking = false
          continue
        }
        underWay -= 1
        busy[endpoint] = busy[endpoint].flatMap { $0 > 1 ? $0 - 1 : nil }
      }
      group.cancelAll()
    }
  }

  /// Takes and delivers what is due now; says how many there were. For tests and verbs that wait for the end.
  package func runOnce() async throws -> Int {
    let taken = try await queue.takeDueWebhooks(
      limit: Self.atOnce, perEndpoint: Self.perEndpoint, busy: [], lease: Self.lease)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for due in taken { group.addTask { try await deliver(due) } }
      try await group.waitForAll()
    }
    return taken.count
  }

  /// A worker that died loses its messages for so long.
  private static let lease = 60

  private func take(busy: [UUID: Int], free: Int, trouble: @Sendable (any Error) -> Void) async -> [DueWebhook] {
    guard free > 0 else { return [] }
    do {
      return try await queue.takeDueWebhooks(
        limit: free, perEndpoint: Self.perEndpoint, busy: Array(busy.keys), lease: Self.lease)
    } catch {
      trouble(error)
      return []
    }
  }

  private func attempt(_ due: DueWebhook, trouble: @Sendable (any Error) -> Void) async {
    do { try await deliver(due) } catch { trouble(error) }
  }

  private func deliver(_ due: DueWebhook) async throws {
    try await Trace.resuming(due.origin) { try await deliverHere(due) }
  }

  /// Delivers in the trace of the present task.
  private func deliverHere(_ due: DueWebhook) async throws {
    guard let tenant = services.registry.snapshot(of: due.tenant) else {
      return  // Its keys are not here yet; the lease brings it back.
    }
    let (delivery, endpoint) = (due.delivery, due.endpoint)
    let store = services.store.open(due.tenant)
    var user: StoredUser?
    if let id = delivery.user, !endpoint.fields.isEmpty { user = try await store.user(id: id) }
    let message = try WebhookMessage.make(delivery, to: endpoint, about: user, tenant, at: services.clock.now)
    switch await transport.deliver(message) {
    case .delivered:
      try await store.markDelivered(delivery)
      report(.delivered, tenant, delivery.event)
    case .gone:
      try await disable(endpoint, "gone", tenant, store)
      report(.disabled, tenant, delivery.event)
    case .postponed(let seconds):
      try await store.postpone(delivery, seconds: min(max(seconds, 1), 300))
    case .failed(let reason, let asked):
      let delay = Self.delays[min(max(delivery.attempts, 1), Self.delays.count) - 1]
      let since = try await store.markFailed(delivery, reason: reason, retryAfter: max(delay, asked ?? 0))
      let isDead = since.map { services.clock.now.timeIntervalSince($0) >= Self.patience } ?? false
      if isDead { try await disable(endpoint, "failing", tenant, store) }
      report(isDead ? .disabled : .postponed, tenant, delivery.event)
    }
  }

  private func disable(
    _ endpoint: WebhookEndpoint, _ reason: String, _ tenant: TenantSnapshot, _ store: any TenantStore
  ) async throws {
    try await store.commit(
      [
        .webhook(.setDisabled(endpoint.id, reason: reason)),
        .audit(
          AuditEntry(
            id: services.clock.makeID(), at: services.clock.now, event: .webhookDisabled,
            actor: Actor.system("deliver_webhooks").text,
            details: ["webhook": endpoint.id.text, "reason": reason])),
      ], as: .job)
  }
}
