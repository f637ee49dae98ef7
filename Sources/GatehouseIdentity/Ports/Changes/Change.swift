/// One write, by what it writes. A list of them is one transaction.
package enum Change: Sendable {
  case user(UserChange)
  case session(SessionChange)
  case device(DeviceChange)
  case attest(AttestChange)
  case provider(ProviderChange)
  case factor(FactorChange)
  case ticket(TicketChange)
  case grant(GrantChange)
  case code(CodeChange)
  case limit(LimitChange)
  case answer(AnswerChange)
  case webhook(WebhookChange)
  /// A row of the audit log, with the messages to the webhooks of its event.
  case audit(AuditEntry)
  case message(MessageChange)
  case backfill(BackfillChange)
}
