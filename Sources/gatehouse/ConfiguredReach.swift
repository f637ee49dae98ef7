import GatehouseIdentity
import GatehouseOutbound
import GatehouseRuntime

/// The world outside as this configuration leads there. Nothing of it is opened or read before it is asked for: a command that
/// sends no mail does not mind what is wrong with its templates.
struct ConfiguredReach: OperatorReach {
  let config: Config

  var webhooks: any WebhookTransport { WebhookOnce(settings: config.outbound) }
  var hosts: any HostProbe { OutboundHostProbe(isDevelopment: isDevelopment) }
  var mailFrom: String { config.mail.from ?? "no-reply@localhost" }

  private var isDevelopment: Bool { config.reachedNow.hasPrefix("http:") }

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

/// One message at a time, each over a client of its own: operators try webhooks seldom.
private struct WebhookOnce: WebhookTransport {
  let settings: OutboundHTTP.Settings

  func problem(with url: String) -> String? { WebhookHTTP.problem(with: url, addresses: settings.addresses) }

  func deliver(_ message: WebhookMessage) async -> WebhookOutcome {
    let loops = LoopGroup(count: 1)
    loops.start()
    defer { loops.stop() }
    let http = OutboundHTTP(loop: loops.loops[0], settings)
    let outcome = await WebhookHTTP(http).deliver(message)
    await http.close()
    return outcome
  }
}
