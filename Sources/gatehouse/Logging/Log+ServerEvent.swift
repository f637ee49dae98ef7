import GatehouseAssembly
import GatehouseIdentity

extension Log {
  /// One line for each event of the work beside answering.
  func write(_ event: ServerEvent) {
    switch event {
    case .jobFailed(let failure, let error): write(often: .error, failure.event, .note("\(error)"))
    case .tenantNotLoaded(let tenant, let why): write(.error, "tenant.not_loaded", .tenant(tenant), .note(why))
    case .mailNotDelivered(let attempt):
      let (level, event) = words(of: attempt.outcome)
      write(
        level, event, .tenant(attempt.tenant), .code(attempt.kind.rawValue), .mail(attempt.message),
        .note(attempt.reason ?? ""))
    case .webhookPostponed(let tenant, let event):
      write(.warning, "webhook.postponed", .tenant(tenant), .code(event.rawValue))
    case .webhookDisabled(let tenant, let event):
      write(.warning, "webhook.disabled", .tenant(tenant), .code(event.rawValue))
    case .grantNotWarmed(let tenant, let error):
      write(often: .error, "grants.not_warmed", .tenant(tenant), .note("\(error)"))
    case .auditNotSealed(let tenant, let trouble):
      write(often: .error, "audit.not_sealed", .tenant(tenant), .code(trouble.rawValue))
    case .secretElsewhere(let closed):
      write(
        .error, "secret.elsewhere", .tenant(closed.tenant),
        .note(
          "\(closed.secret) was set for a provider at other addresses than those of \(closed.provider); "
            + "gatehouse secret set \(closed.tenant) \(closed.secret)"))
    case .policyFile(let event): write(event)
    case .clocksChanged(let offset): write(offset)
    case .databaseWrites(.refused(let trouble)):
      write(.error, "database.refuses_writes", .note("\(trouble.sentence); requests that write are answered 503"))
    case .warning(.began(.mail, let why)): write(.error, "mail.waits", .note(why))
    case .warning(.began(.webhooks, let why)): write(.error, "webhooks.broken", .note(why))
    case .warning(.began(.edge, let why)): write(.error, "edge.not_trusted", .note(why))
    case .warning(.over(let name)): write(.info, "warning.over", .code(name.rawValue))
    case .floorChanged(let trouble?):
      write(.error, "floor.differs", .note("not ready: \(trouble.sentence); \(trouble.advice)"))
    case .floorChanged(nil): write(.info, "floor.agrees")
    case .databaseWrites(.over): write(.info, "database.takes_writes")
    }
  }

  private func words(of outcome: DeliverMessages.Outcome) -> (LogLevel, StaticString) {
    switch outcome {
    case .delivered, .postponed: (.warning, "mail.postponed")
    case .refused: (.warning, "mail.refused")
    case .interrupted: (.error, "mail.not_delivered")
    }
  }

  private func write(_ offset: ClockOffset) {
    switch offset.state {
    case .agrees: write(.info, "clock.agrees", .count("seconds", offset.wholeSeconds))
    case .differs:
      write(
        .warning, "clock.differs", .count("seconds", offset.wholeSeconds),
        .note("\(offset.sentence); \(ClockOffset.advice)"))
    case .tooFar:
      write(
        .error, "clock.too_far", .count("seconds", offset.wholeSeconds),
        .note("not ready: \(offset.sentence); \(ClockOffset.reason); \(ClockOffset.advice)"))
    }
  }

  private func write(_ event: WatchPolicies.Event) {
    switch event {
    case .applied(let tenant, let revision): write(.info, "policy.applied", .tenant(tenant), .revision(revision))
    case .created(let tenant): write(.info, "tenant.created", .tenant(tenant))
    case .trouble(let trouble): write(trouble)
    case .waiting(let file, let why):
      write(
        .warning, "policy.waiting",
        .note("\(file): the database did not answer (\(why)); the edit is tried again until it is applied or refused"))
    case .unchanged(let tenant, let revision): write(.info, "policy.unchanged", .tenant(tenant), .revision(revision))
    case .lost(let why):
      write(.error, "policy.directory_lost", .note("the watched directory cannot be listed: \(why)"))
    }
  }

  /// The first error alone, in less than 4 KB: `policy check` has the whole report.
  private func write(_ trouble: PolicyFileTrouble) {
    var fields: [LogField] = []
    if let tenant = trouble.tenant { fields.append(.tenant(tenant.description)) }
    if let revision = trouble.live?.revision { fields.append(.revision(revision)) }
    if let code = trouble.code { fields.append(.code(code)) }
    if let line = trouble.line { fields.append(.count("line", line)) }
    fields.append(.note("\(trouble.why); run: \(trouble.command)"))
    write(.warning, trouble.isRefused ? "policy.refused" : "policy.differs", fields)
  }
}
