// Takes waiting mails and hands them to a transport, after the commit that caused them. At least once: a worker that
// dies between sending and marking sends again, with the same Message-ID.

import Foundation
import GatehousePolicyFile
import GatehousePrimitives

package struct DeliverMail: Sendable {
  private let queue: any OutboxQueue
  private let renderer: any MailRenderer
  private let transport: any MailTransport
  private let services: Services
  private let report: Report

  /// The outcome of one attempt to send a mail.
  package enum Outcome: String, Sendable, CaseIterable {
    case delivered
    /// Not now; it is tried again later.
    case postponed
    /// Never: the other side refused for good.
    case refused
  }

  /// One try to send one mail, for log and metrics.
  package struct Attempt: Sendable {
    package var outcome: Outcome
    /// The tenant's name.
    package var tenant: String
    /// The mail's id in the outbox.
    package var mail: String
    package var kind: MailKind
    /// Why it was not delivered: where it was to go, and what was said or failed there, without what names the
    /// recipient.
    package var reason: String?
  }

  /// Told of every try; must be quick.
  package typealias Report = @Sendable (Attempt) -> Void

  /// Seconds that a worker has for the mails it took.
  private static let lease = 120
  /// How long until the next try, by tries so far.
  private static let delays = [5, 15, 60, 300, 900, 1800]

  /// Senders are those of `services`.
  package init(
    queue: any OutboxQueue, renderer: any MailRenderer, transport: any MailTransport,
    _ services: Services, report: @escaping Report = { _ in }
  ) {
    self.queue = queue
    self.renderer = renderer
    self.transport = transport
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
      let reason = "not rendered: \(error)"
      try await store.markFailed(mail.id, reason: reason, retryAfter: 900)
      note(.postponed, mail, snapshot, DeliverMail.withoutNames(in: reason, at: ""))
      return
    }
    switch await transport.deliver(message) {
    case .delivered:
      try await store.markDelivered(mail.id)
      note(.delivered, mail, snapshot, nil)
    case .temporaryFailure(let reason):
      let delay = DeliverMail.delays[min(mail.attempts, DeliverMail.delays.count) - 1]
      let said = DeliverMail.withoutNames(in: reason, at: message.to.address)
      try await store.markFailed(mail.id, reason: said, retryAfter: delay)
      note(.postponed, mail, snapshot, said)
    case .permanentFailure(let reason):
      let said = DeliverMail.withoutNames(in: reason, at: message.to.address)
      try await store.markFailed(mail.id, reason: said, retryAfter: nil)
      try await store.commit(
        [
          .audit(
            AuditEntry(
              id: services.clock.makeID(), at: services.clock.now, event: .mailFailed,
              actor: Actor.system("deliver_mail").text, details: ["kind": mail.kind.rawValue]))
        ], as: .job)
      note(.refused, mail, snapshot, said)
    }
  }

  private func note(_ outcome: Outcome, _ mail: OutgoingMail, _ tenant: TenantSnapshot, _ reason: String?) {
    report(
      Attempt(
        outcome: outcome, tenant: tenant.name.description, mail: mail.id.text, kind: mail.kind,
        reason: reason.map { "\(transport.destination): \($0)" }))
  }

  /// What a mail server said, without words that hold an address or the local part of the recipient's address, in upper
  /// or lower case and with or without brackets: the row and the log may outlive the person. A local part of one or two
  /// letters counts only where it is a whole word.
  static func withoutNames(in reason: String, at address: String) -> String {
    let local = address.prefix { $0 != "@" }.lowercased()
    return reason.split(separator: " ", omittingEmptySubsequences: false).map { word in
      let letters = word.lowercased()
      let names =
        local.count > 2
        ? letters.contains(local) : letters.split { !$0.isLetter && !$0.isNumber }.contains { $0 == local }
      // GUARD: mail: a reason has no names
      if names { return "…" }
      return letters.contains("@") ? "…" : String(word)
    }.joined(separator: " ")
  }

  private func message(_ mail: OutgoingMail, _ tenant: TenantSnapshot) throws -> MailMessage {
    let order = try tenant.vault.open(mail.sealedOrder, for: .outbox(mail.id)).expose {
      try StrictDecoder.decode(MailOrder.self, from: $0)
    }
    return MailMessage(
      messageID: services.senders.messageID(mail.id), date: mail.createdAt,
      from: services.senders.from(tenant.policy, app: order.brand.appName), sender: services.senders.own,
      to: MailAddress(name: order.toName, address: order.to),
      replyTo: order.brand.supportEmail.map { MailAddress(address: $0) },
      mail: try renderer.render(order, tenant: tenant.name.description))
  }
}
