import GatehouseIdentity
import GatehouseOutbound

/// The world outside as this configuration leads there, over the clients of the assembly: no verb makes a loop or waits on one.
/// Nothing is connected or read before it is asked for: a command that sends no mail does not mind what is wrong with its templates.
struct ConfiguredReach: OperatorReach {
  let config: Config
  let webhooks: any WebhookTransport
  let hosts: any HostProbe
  let records: any TextRecords

  func sampleMail(_ kind: MailKind, language: String, _ call: Call) throws -> RenderedMail {
    let order = MailOrder.sample(
      kind, language: language, brand: MailBrand(call.policy), issuer: call.tenant.issuer)
    do {
      return try MailParts.templates(config).render(order, tenant: call.tenant.name.description)
    } catch let failure as Failure {
      throw refused(failure)
    } catch {
      throw OperatorError(.refused, "the mail cannot be rendered: \(error)")
    }
  }

  func deliver(_ message: MailMessage) async throws -> MailOutcome {
    let transport: any MailTransport
    do throws(Failure) { transport = try MailParts.transport(config) } catch { throw refused(error) }
    return await transport.deliver(message)
  }

  func probeMail() async throws -> MailOutcome {
    do throws(Failure) { return try await MailParts.probe(config) } catch { throw refused(error) }
  }

  /// A setting that is of no use, in the words of the configuration.
  private func refused(_ failure: Failure) -> OperatorError {
    OperatorError(.refused, failure.messages.joined(separator: "; "), hint: failure.hint)
  }
}
