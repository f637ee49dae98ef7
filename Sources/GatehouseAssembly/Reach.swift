import GatehouseIdentity
import GatehouseOutbound

/// The world outside for operators' verbs, over the clients of the composition: no verb makes a loop or waits on one. A
/// command that sends no mail does not mind what is wrong with its templates.
struct Reach: OperatorReach {
  let webhooks: any WebhookTransport
  let hosts: any HostProbe
  let records: any TextRecords
  let mail: Outside.Mail

  func sampleMail(_ kind: MessageKind, language: String, _ call: Call) throws -> RenderedMail {
    let order = MessageOrder.sample(
      kind, language: language, brand: MessageBrand(call.policy), issuer: call.tenant.issuer)
    do {
      return try mail.renderer().render(order, tenant: call.tenant.name.description)
    } catch let problem as any SettingProblem {
      throw refused(problem)
    } catch {
      throw OperatorError(.refused, "the mail cannot be rendered: \(error)")
    }
  }

  func deliver(_ message: MailMessage) async throws -> DeliveryOutcome { try await transport().deliver(message) }

  func probeMail() async throws -> DeliveryOutcome {
    let transport = try transport()
    guard let smtp = MailOutlet.way(transport) as? SMTPTransport else {
      return .delivered(detail: "mail goes into \(transport.destination)")
    }
    return await smtp.probe()
  }

  private func transport() throws -> any MailTransport {
    do { return try mail.transport() } catch let problem as any SettingProblem { throw refused(problem) }
  }

  private func refused(_ problem: any SettingProblem) -> OperatorError {
    OperatorError(.refused, problem.sentence, hint: problem.hint)
  }
}
