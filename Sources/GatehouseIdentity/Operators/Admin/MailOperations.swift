// Trying mail, as operators ask for it.

import Foundation
import GatehousePolicy
import GatehousePolicyFile
import GatehousePrimitives
package import GatehouseWire

package enum MailOperations {
  package static func preview(_ input: PreviewMailOperation.Input, _ call: OperatorCall) async throws
    -> PreviewMailOperation.Output
  {
    let seen = try await call.call(try await call.tenant(input.tenant))
    let mail = try sample(try kind(input.kind), input.language, seen, try call.outside())
    return PreviewMailOperation.Output(subject: mail.subject, text: mail.text, html: mail.html)
  }

  package static func sendTest(_ input: SendTestMailOperation.Input, _ call: OperatorCall) async throws
    -> SendTestMailOperation.Output
  {
    let kind = try kind(input.kind ?? MailKind.test.rawValue)
    let reach = try call.outside()
    let seen = try await call.call(try await call.tenant(input.tenant))
    if input.dryRun == true { return try answer(await reach.probeMail()) }
    var mail = try sample(kind, nil, seen, reach)
    mail.subject = "[Test] \(mail.subject)"
    let (app, senders) = (seen.policy.app, call.services.senders)
    let message = MailMessage(
      messageID: senders.messageID(call.services.clock.makeID()), date: call.services.clock.now,
      from: senders.from(seen.policy, app: app.name), sender: senders.own, to: MailAddress(address: input.address),
      replyTo: app.supportEmail.map { MailAddress(address: $0) }, mail: mail)
    return try answer(await reach.deliver(message))
  }

  private static func kind(_ text: String) throws -> MailKind {
    if let kind = MailKind(rawValue: text) { return kind }
    let all = MailKind.allCases.map(\.rawValue).joined(separator: ", ")
    throw Refusal(.malformedRequest, detail: "\"\(text)\" is no kind of mail; there is: \(all)")
  }

  private static func sample(
    _ kind: MailKind, _ language: String?, _ seen: Call, _ reach: any OperatorReach
  ) throws -> RenderedMail {
    try reach.sampleMail(kind, language: language ?? seen.policy.app.locales.first ?? "en", seen)
  }

  private static func answer(_ outcome: MailOutcome) throws -> SendTestMailOperation.Output {
    switch outcome {
    case .delivered(let detail): return SendTestMailOperation.Output(detail: detail)
    case .permanentFailure(let reason): throw OperatorError(.refused, "refused: \(reason)")
    case .temporaryFailure(let reason):
      throw OperatorError(.unavailable, "not sent: \(reason)", hint: "smtp_url in gatehouse config show")
    }
  }
}
