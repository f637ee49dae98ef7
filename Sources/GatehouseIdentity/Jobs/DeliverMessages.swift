// Takes waiting messages and hands them to their channels, after the commit that caused them. At least once: a worker
// that dies between sending and marking sends again, with the same id and the same code. The time of a code begins with
// the commit that marks its message, so that both messages carry a living one.

import Foundation
import GatehousePrimitives

package struct DeliverMessages: Sendable {
  private let queue: any OutboxQueue
  private let channels: Channels
  private let services: Services
  private let report: Report
  /// Failures in a row, by channel.
  private let failures = LockBox<[ChannelID: Int]>([:])

  /// The outcome of one attempt to send a message.
  package enum Outcome: String, Sendable, CaseIterable {
    case delivered
    /// Not now; it is tried again later.
    case postponed
    /// Never: the other side refused for good.
    case refused
    /// The database failed before or after the try. The message is tried again, and may then arrive twice.
    case interrupted
  }

  /// One try to send one message, for log and metrics.
  package struct Attempt: Sendable {
    package var outcome: Outcome
    /// The tenant's name.
    package var tenant: String
    /// The message's id in the outbox.
    package var message: String
    package var kind: MessageKind
    /// Why it was not delivered: where it was to go, and what was said or failed there, without what names the
    /// recipient.
    package var reason: String?
  }

  /// Told of every try; must be quick.
  package typealias Report = @Sendable (Attempt) -> Void

  /// Seconds that a worker has for the messages it took.
  static let lease = 120
  /// So many failures in a row mean that the other side is away, and not that it puts off one recipient.
  private static let away = 3
  /// How long until the next try, by tries so far.
  private static let delays = [5, 15, 60, 300, 900, 1800]

  package init(
    queue: any OutboxQueue, channels: Channels, _ services: Services, report: @escaping Report = { _ in }
  ) {
    self.queue = queue
    self.channels = channels
    self.services = services
    self.report = report
  }

  /// Sends what is due, a few at a time. How many it took.
  package func runOnce() async throws -> Int {
    let due = try await queue.takeDue(on: channels.ids, limit: 20, lease: DeliverMessages.lease)
    for item in due {
      do {
        try await Trace.resuming(item.message.origin) { try await deliver(item.message, of: item.tenant) }
      } catch {
        let name = services.registry.snapshot(of: item.tenant)?.name.description
        report(
          Attempt(
            outcome: .interrupted, tenant: name ?? "", message: item.message.id.text, kind: item.message.kind,
            reason: "\(error)"))
      }
    }
    return due.count
  }

  private func deliver(_ message: OutgoingMessage, of tenant: TenantID) async throws {
    let store = services.store.open(tenant)
    guard let channel = channels[message.channel],
      let snapshot = services.registry.snapshot(of: tenant)
    else {
      // Its keys are not here yet; the lease brings it back.
      return
    }
    var left: CodeTime?
    if let code = message.carried {
      left = try await store.timeLeft(of: code.id)
    }
    let order: MessageOrder
    let outcome: DeliveryOutcome
    do {
      let whole = try DeliverMessages.open(message, snapshot)
      guard let current = message.carried == nil ? whole : DeliverMessages.current(whole, left) else {
        return try await store.markFailed(message.id, reason: "its code is void", retryAfter: nil)
      }
      order = current
      outcome = try await channel.dispatch(
        Dispatch(id: message.id, createdAt: message.createdAt, order: order, tenant: snapshot))
    } catch {
      let reason = "not rendered: \(error)"
      try await store.markFailed(message.id, reason: reason, retryAfter: 900)
      return note(.postponed, message, channel, snapshot, DeliverMessages.withoutNames(in: reason, of: nil))
    }
    switch outcome {
    case .delivered:
      try await store.markDelivered(message.id)
      try await cameBack(message.channel)
      note(.delivered, message, channel, snapshot, nil)
    case .temporaryFailure(let reason):
      failures.withLock { $0[message.channel, default: 0] += 1 }
      let delay = DeliverMessages.delays[min(message.attempts, DeliverMessages.delays.count) - 1]
      let said = DeliverMessages.withoutNames(in: reason, of: order.to)
      try await store.markFailed(message.id, reason: said, retryAfter: delay)
      note(.postponed, message, channel, snapshot, said)
    case .permanentFailure(let reason):
      let said = DeliverMessages.withoutNames(in: reason, of: order.to)
      try await store.markFailed(message.id, reason: said, retryAfter: nil)
      try await store.commit(
        [
          .audit(
            AuditEntry(
              id: services.clock.makeID(), at: services.clock.now, event: .mailFailed,
              actor: Actor.system("deliver_mail").text, details: ["kind": message.kind.rawValue]))
        ], as: .job)
      note(.refused, message, channel, snapshot, said)
    }
  }

  /// A message was delivered. Others that wait because the other side was away wait no longer.
  private func cameBack(_ channel: ChannelID) async throws {
    let count = failures.withLock { $0.removeValue(forKey: channel) } ?? 0
    if count >= Self.away { try await queue.wake(on: channel, beyond: Self.lease) }
  }

  private static func open(_ message: OutgoingMessage, _ tenant: TenantSnapshot) throws -> MessageOrder {
    try tenant.vault.open(message.sealedOrder, for: .outbox(message.id)).expose {
      try StrictDecoder.decode(MessageOrder.self, from: $0)
    }
  }

  /// The order with what its code is worth now; nil where it says nothing without it.
  static func current(_ whole: MessageOrder, _ left: CodeTime?) -> MessageOrder? {
    var order = whole
    if order.linkMinutes != nil {
      order.linkMinutes = shorter(order.linkMinutes, left?.link)
      if order.linkMinutes == nil { order.link = nil }
    }
    if order.codeMinutes != nil {
      order.codeMinutes = shorter(order.codeMinutes, left?.digits)
      if order.codeMinutes == nil { order.code = nil }
    }
    let isOfUse = order.kind.carries?.needs?.isMet(link: order.link != nil, code: order.code != nil) ?? true
    // What never had its part is the renderer's to refuse.
    let isCut = order.link != whole.link || order.code != whole.code
    return isCut && !isOfUse ? nil : order
  }

  /// Whole minutes, at least one; nil where no time is left.
  private static func shorter(_ minutes: Int?, _ left: Int?) -> Int? {
    guard let minutes, let left, left > 0 else { return nil }
    return min(minutes, max(1, left / 60))
  }

  private func note(
    _ outcome: Outcome, _ message: OutgoingMessage, _ channel: any Channel, _ tenant: TenantSnapshot, _ reason: String?
  ) {
    report(
      Attempt(
        outcome: outcome, tenant: tenant.name.description, message: message.id.text, kind: message.kind,
        reason: reason.map { "\(channel.destination): \($0)" }))
  }

  /// The reply of the other side, without words that name the recipient or hold an address: the row and the log may
  /// outlive the person.
  static func withoutNames(in reason: String, of recipient: Contact?) -> String {
    reason.split(separator: " ", omittingEmptySubsequences: false).map { word in
      // GUARD: mail: a reason has no names
      if recipient?.isNamed(in: word) == true { return "…" }
      return word.contains("@") ? "…" : String(word)
    }.joined(separator: " ")
  }
}
