import Foundation
import GatehousePolicy
import GatehousePolicyFile
package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse mail send-test`: one mail, now, by the settings of this server. A dry run only signs in to the mail
/// server.
package enum SendTestMail {
  package static func run(_ input: SendTestMailOperation.Input, _ call: OperatorCall) async throws
    -> SendTestMailOperation.Output
  {
    let kind = try SampleMail.kind(input.kind ?? MessageKind.test.rawValue)
    let reach = try call.outside()
    let seen = try await call.call(input.tenant)
    if input.dryRun == true { return try answer(await reach.probeMail()) }
    let recipient = seen.policy.normalisedEmail(input.address, using: call.services.facts) ?? input.address
    let verdict = try await call.store(of: seen).reserve(Limiting.operatorMessage(to: .email(recipient), seen))
    if case .exhausted(let name, let retryAfter) = verdict {
      throw Refusal(.rateLimited, retryAfter: retryAfter, limit: name)
    }
    var mail = try SampleMail.render(kind, in: nil, seen, reach)
    mail.subject = "[Test] \(mail.subject)"
    let (app, senders) = (seen.policy.app, call.services.senders)
    let message = MailMessage(
      messageID: senders.messageID(call.services.clock.makeID()), date: call.services.clock.now,
      from: senders.from(seen.policy, app: app.name), sender: senders.own, to: MailAddress(address: recipient),
      replyTo: app.supportEmail.map { MailAddress(address: $0) }, mail: mail)
    return try answer(await reach.deliver(message))
  }

  private static func answer(_ outcome: DeliveryOutcome) throws -> SendTestMailOperation.Output {
    switch outcome {
    case .delivered(let detail): return SendTestMailOperation.Output(detail: detail)
    case .permanentFailure(let reason): throw OperatorError(.refused, "refused: \(reason)")
    case .temporaryFailure(let reason):
      throw OperatorError(.unavailable, "not sent: \(reason)", hint: "smtp_url in gatehouse config show")
    }
  }
}
