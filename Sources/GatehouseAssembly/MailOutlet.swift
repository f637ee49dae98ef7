package import GatehouseIdentity
import GatehousePrimitives

/// The words and the way of mails, each replaced while a server runs: a mail takes those that are in force when it is
/// sent.
package final class MailOutlet: MailRenderer, MailTransport {
  private let ways: LockBox<(renderer: any MailRenderer, transport: any MailTransport)>

  package init(renderer: any MailRenderer, transport: any MailTransport) { ways = LockBox((renderer, transport)) }

  package func replace(renderer: any MailRenderer) { ways.withLock { $0.renderer = renderer } }
  package func replace(transport: any MailTransport) { ways.withLock { $0.transport = transport } }

  /// The way in force behind an outlet; any other way itself.
  static func way(_ transport: any MailTransport) -> any MailTransport {
    (transport as? MailOutlet)?.ways.withLock { $0.transport } ?? transport
  }

  package var destination: String { ways.withLock { $0.transport }.destination }

  package func render(_ order: MessageOrder, tenant: String) throws -> RenderedMail {
    try ways.withLock { $0.renderer }.render(order, tenant: tenant)
  }

  package func deliver(_ message: MailMessage) async -> DeliveryOutcome {
    await ways.withLock { $0.transport }.deliver(message)
  }
}
