import GatehousePolicyFile
import GatehousePrimitives

/// Mail: the words of a renderer, from the tenant's sender, over a transport.
package struct MailChannel: Channel {
  package let id = ChannelID.mail
  private let renderer: any MailRenderer
  private let transport: any MailTransport
  private let services: Services

  /// Senders are those of `services`.
  package init(renderer: any MailRenderer, transport: any MailTransport, _ services: Services) {
    self.renderer = renderer
    self.transport = transport
    self.services = services
  }

  package var destination: String { transport.destination }

  /// Every retry has the same `Message-ID` and date, so that a mail delivered twice is recognised (RFC 5322 section
  /// 3.6.4).
  package func dispatch(_ message: Dispatch) async throws -> DeliveryOutcome {
    let (order, tenant, senders) = (message.order, message.tenant, services.senders)
    let mail = MailMessage(
      messageID: senders.messageID(message.id), date: message.createdAt,
      from: senders.from(tenant.policy, app: order.brand.appName), sender: senders.own,
      to: MailAddress(name: order.toName, address: order.to.value),
      replyTo: order.brand.supportEmail.map { MailAddress(address: $0) },
      mail: try renderer.render(order, tenant: tenant.name.description))
    let span = Trace.begin(.message)
    let outcome = await transport.deliver(mail)
    let isDelivered = if case .delivered = outcome { true } else { false }
    span?.end(
      "mail", [SpanAttribute("gatehouse.tenant", tenant.name.description)],
      error: isDelivered ? nil : "not_delivered")
    return outcome
  }
}
