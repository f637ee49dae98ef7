package import GatehouseAdminWire

/// `gatehouse mail retry`.
package enum RetryWaitingMails {
  package static func run(_ input: WaitingMailsReference, _ call: OperatorCall) async throws -> MailCount {
    let seen = try await call.call(input.tenant)
    let choice = try WaitingChoice(input)
    let entry = try call.entry(.mailRetried, details: choice.details)
    return MailCount(
      mails: try await call.store(of: seen).retry(choice, beyond: DeliverMessages.lease, noting: entry))
  }
}
