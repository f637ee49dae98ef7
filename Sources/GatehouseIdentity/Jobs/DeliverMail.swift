// Takes waiting mails and hands them to a transport, after the commit that caused them. At least once: a worker that dies
// between sending and marking sends again, with the same Message-ID.

import Foundation
import GatehousePrimitives

package struct DeliverMail: Sendable {
  private let queue: any OutboxQueue
  private let renderer: any MailRenderer
  private let transport: any MailTransport
  private let from: String
  private let services: Services
  private let report: @Sendable (Outcome, TenantSnapshot, MailKind) -> Void

  /// What became of a try to send one mail.
  package enum Outcome: String, Sendable, CaseIterable {
    case delivered
    /// Not now; it is tried again later.
    case postponed
    /// Never: the other side refused for good.
    case refused
  }

  /// Seconds that a worker has for the mails it took.
  private static let lease = 120
  /// How long until the next try, by tries so far.
  private static let delays = [5, 15, 60, 300, 900, 1800]

  /// `from` is the sender's address; the app's name stands before it. `report` is told of every try; must be quick.
  package init(
    queue: any OutboxQueue, renderer: any MailRenderer, transport: any MailTransport, from: String,
    _ services: Services, report: @escaping @Sendable (Outcome, TenantSnapshot, MailKind) -> Void = { _, _, _ in }
  ) {
    self.queue = queue
    self.renderer = renderer
    self.transport = transport
    self.from = from
    self.services = services
    self.report = report
  }

  /// Sends what is due, a few at a time. How many it took.
  package func runOnce() async throws -> Int {
    let due = try await queue.takeDueMail(limit: 20, lease: DeliverMail.lease)
    for item in due { try await deliver(item.mail, of: item.tenant) }
    return due.count
  }

  private func deliver(_ mail: OutgoingMail, of tenant: TenantID) async throws {
    let store = services.store.open(tenant)
    guard let snapshot = services.registry.all.first(where: { $0.id == tenant }) else {
      // Its keys are not here yet; the lease brings it back.
      return
    }
    let message: MailMessage
    do {
      message = try self.message(mail, snapshot)
    } catch {
      try await store.markFailed(mail.id, reason: "not rendered: \(error)", retryAfter: 900)
      report(.postponed, snapshot, mail.kind)
      return
    }
    switch await transport.deliver(message) {
    case .delivered:
      try await store.markDelivered(mail.id)
      report(.delivered, snapshot, mail.kind)
    case .temporaryFailure(let reason):
      let delay = DeliverMail.delays[min(mail.attempts, DeliverMail.delays.count) - 1]
      try await store.markFailed(mail.id, reason: DeliverMail.naming(nobody: reason), retryAfter: delay)
      report(.postponed, snapshot, mail.kind)
    case .permanentFailure(let reason):
      try await store.markFailed(mail.id, reason: DeliverMail.naming(nobody: reason), retryAfter: nil)
      try await store.commit(
        [
          .audit(
            AuditEntry(
              id: services.clock.makeID(), at: services.clock.now, event: .mailFailed,
              actor: Actor.system("deliver_mail").text, details: ["kind": mail.kind.rawValue]))
        ], as: .job)
      report(.refused, snapshot, mail.kind)
    }
  }

  /// What a mail server said, without the addresses that it repeated: the row may outlive the person.
  static func naming(nobody reason: String) -> String {
    reason.split(separator: " ", omittingEmptySubsequences: false)
      .map { $0.utf8.contains(UInt8(ascii: "@")) ? "…" : String($0) }.joined(separator: " ")
  }

  private func message(_ mail: OutgoingMail, _ tenant: TenantSnapshot) throws -> MailMessage {
    let order = try tenant.vault.open(mail.sealedOrder, for: .outbox(mail.id)).expose {
      try StrictDecoder.decode(MailOrder.self, from: $0)
    }
    let domain = from.split(separator: "@").last.map(String.init) ?? "localhost"
    return MailMessage(
      messageID: "\(mail.id.text)@\(domain)", date: mail.createdAt,
      from: MailAddress(name: order.brand.appName, address: from),
      to: MailAddress(name: order.toName, address: order.to),
      replyTo: order.brand.supportEmail.map { MailAddress(address: $0) },
      mail: try renderer.render(order, tenant: tenant.name.description))
  }
}
