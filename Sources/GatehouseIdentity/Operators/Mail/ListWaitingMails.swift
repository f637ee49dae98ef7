package import GatehouseAdminWire
import GatehousePrimitives
import GatehouseWire

/// `gatehouse mail queue`.
package enum ListWaitingMails {
  package static func run(_ input: ListWaitingMailsOperation.Input, _ call: OperatorCall) async throws
    -> ListWaitingMailsOperation.Output
  {
    // The queue of all tenants is asked for one by one: none of them needs its policy read.
    let tenant = try await call.tenant(input.tenant)
    let found = try await call.services.store.open(tenant.id).waiting(limit: try OperatorCall.limit(input.limit))
    return ListWaitingMailsOperation.Output(
      items: found.map { message in
        WaitingMail(
          id: message.id.text, kind: message.kind, createdAt: Timestamp(message.createdAt),
          attempts: message.attempts, nextAttemptAt: Timestamp(message.dueAt), expiresAt: Timestamp(message.expiresAt),
          lastError: message.lastError)
      })
  }
}
