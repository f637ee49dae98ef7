package import GatehouseAdminWire

/// `gatehouse mail drop`.
package enum DropWaitingMails {
  package static func run(_ input: WaitingMailsReference, _ call: OperatorCall) async throws -> MailCount {
    let seen = try await call.call(input.tenant)
    let choice = try WaitingChoice(input)
    let entry = try call.entry(.mailDropped, details: choice.details)
    return MailCount(mails: try await call.store(of: seen).drop(choice, noting: entry))
  }
}
