package import GatehouseIdentity

/// An event of a server beside answering: each is a line of the log, and many count as failures.
package enum ServerEvent: Sendable {
  case jobFailed(Job.Failure, any Error)
  /// The tenant's newest policy or keys cannot be used.
  case tenantNotLoaded(tenant: String, why: String)
  /// A try that did not deliver.
  case mailNotDelivered(DeliverMessages.Attempt)
  case webhookPostponed(tenant: String, WebhookEvent)
  case webhookDisabled(tenant: String, WebhookEvent)
  case grantNotWarmed(tenant: String, any Error)
  case auditNotSealed(tenant: String, SealAudit.Trouble)
  /// A provider's secret was set for other addresses than those of the live policy.
  case secretElsewhere(BindSealed.Closed)
  case policyFile(WatchPolicies.Event)
  /// The clocks of server and database agree again, or do not any more.
  case clocksChanged(ClockOffset)
  /// The database refuses writes, or takes them again.
  case databaseWrites(DatabaseStanding.WriteNews)
  /// Something goes wrong for people while the server is ready, or does not any more.
  case warning(Warnings.News)
  /// The floor in force is another one than the operator means, or is the same again (nil).
  case floorChanged(trouble: FloorInForce.Trouble?)

  /// Kinds of `gatehouse_failures_total` beside those of jobs that failed.
  package enum Failure: String, Sendable, CaseIterable {
    case auditNotSealed = "audit_not_sealed"
    case grantsNotWarmed = "grants_not_warmed"
    /// Mails, and not looks at the queue.
    case mailNotDelivered = "mail_not_delivered"
    case mailPostponed = "mail_postponed"
    case mailRefused = "mail_refused"
    case policyDirectoryLost = "policy_directory_lost"
    case policyRefused = "policy_refused"
    case policyWaiting = "policy_waiting"
    case tenantNotLoaded = "tenant_not_loaded"
    case webhookDisabled = "webhook_disabled"
    case webhookPostponed = "webhook_postponed"
  }

  /// The kind of `gatehouse_failures_total` that it counts as; nil where it is no failure.
  package var failure: String? {
    if case .jobFailed(let failure, _) = self { return failure.kind }
    return ownFailure?.rawValue
  }

  private var ownFailure: Failure? {
    switch self {
    case .jobFailed, .clocksChanged, .databaseWrites, .secretElsewhere, .floorChanged, .warning: nil
    case .tenantNotLoaded: .tenantNotLoaded
    case .mailNotDelivered(let attempt): attempt.outcome.failure
    case .webhookPostponed: .webhookPostponed
    case .webhookDisabled: .webhookDisabled
    case .grantNotWarmed: .grantsNotWarmed
    case .auditNotSealed: .auditNotSealed
    case .policyFile(let event): event.failure
    }
  }
}

extension DeliverMessages.Outcome {
  fileprivate var failure: ServerEvent.Failure? {
    switch self {
    case .delivered: nil
    case .postponed: .mailPostponed
    case .refused: .mailRefused
    case .interrupted: .mailNotDelivered
    }
  }
}

extension WatchPolicies.Event {
  fileprivate var failure: ServerEvent.Failure? {
    switch self {
    case .applied, .created, .unchanged: nil
    case .trouble(let trouble): trouble.isRefused ? .policyRefused : nil
    case .waiting: .policyWaiting
    case .lost: .policyDirectoryLost
    }
  }
}
