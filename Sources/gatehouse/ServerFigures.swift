import Foundation
import GatehouseAssembly
import GatehouseIdentity
import GatehousePolicyFile
import GatehousePostgres
import GatehousePrimitives
import GatehouseRuntime
import GatehouseServer

/// The counts of the server's parts, as metrics.
enum ServerFigures {
  /// Every kind of `gatehouse_failures_total`.
  static func failures(of jobs: [Job]) -> [String] {
    Set(jobs.compactMap(\.failure?.kind) + ServerEvent.Failure.allCases.map(\.rawValue)).sorted()
  }

  static let build: [Figure] = [
    .gauge("gatehouse_build_info", "The version that runs.", [.init(1, labels: [("version", Gatehouse.version)])])
  ]

  static func of(hashes counts: HashPool.Counts) -> [Figure] {
    [
      .gauge("gatehouse_hash_waiting", "Requests with a password that wait for their turn.", counts.waiting),
      .gauge("gatehouse_hash_turns", "Requests that hold a permit to hash a password.", counts.permits),
      .gauge("gatehouse_hash_running", "Password hashes in work.", counts.running),
      .counter("gatehouse_hash_done", "Password hashes made or checked.", counts.done),
      .counter(
        "gatehouse_hash_refused", "Requests with a password refused because the queue was full.", counts.refused),
      .counter(
        "gatehouse_hash_abandoned", "Requests with a password given up, their time or caller gone.",
        counts.abandoned),
    ]
  }

  static func of(database counts: DatabaseStatistics) -> [Figure] {
    [
      .gauge("gatehouse_database_connected", "Connections that are ready.", counts.connected),
      .gauge(
        "gatehouse_database_pending", "Batches sent and not answered, or waiting for a connection.", counts.pending),
      .counter("gatehouse_database_succeeded", "Batches and transaction steps that succeeded.", counts.succeeded),
      .counter("gatehouse_database_failed", "Batches and transaction steps that failed.", counts.failed),
      .counter("gatehouse_database_refused", "Batches refused because too much was pending.", counts.refused),
      .counter("gatehouse_database_unknown", "Batches whose outcome stayed unknown.", counts.unknown),
      .counter("gatehouse_database_lost", "Connections lost after they had been ready.", counts.lost),
      .counter(
        "gatehouse_database_connects", "Connections that became ready, the first time included.", counts.connects),
    ]
  }

  static func of(traces counts: Tracer.Counts) -> [Figure] {
    [
      .counter("gatehouse_trace_spans_exported", "Spans that the collector took.", counts.exported),
      .counter(
        "gatehouse_trace_spans_dropped", "Spans that found the queue full, or that the collector refused.",
        counts.dropped),
      .gauge("gatehouse_trace_spans_waiting", "Spans that wait for the collector.", counts.waiting),
    ]
  }

  static func of(buffers: BufferMemory) -> [Figure] {
    [
      .gauge(
        "gatehouse_buffer_bytes",
        "Memory of unanswered requests and untaken answers, of connections with 16 KiB or more.",
        buffers.bytes)
    ]
  }

  static func of(jobs lock: AdvisoryLock) -> [Figure] {
    [
      .gauge(
        "gatehouse_runs_shared_jobs", "1 on the server that seals audit logs and sweeps for all.",
        lock.isHeld ? 1 : 0)
    ]
  }

  static func of(warnings: Warnings) -> [Figure] {
    let now = warnings.now
    return [
      .gauge(
        "gatehouse_warning", "1 where something goes wrong for people while the server is ready, as /readyz says.",
        Warnings.Name.allCases.map { .init(now[$0] == nil ? 0 : 1, labels: [("name", $0.rawValue)]) })
    ]
  }

  static func of(floor: FloorInForce, configured file: Floor?) -> [Figure] {
    [
      .gauge(
        "gatehouse_floor_differs", "1 where the floor in force is not the configured one, or cannot be read.",
        floor.trouble(configured: file) == nil ? 0 : 1)
    ]
  }

  static func of(standing: DatabaseStanding) -> [Figure] {
    [
      .gauge(
        "gatehouse_database_answers", "1 where the database answered when it was last asked.",
        standing.isAnswering ? 1 : 0),
      .gauge(
        "gatehouse_database_refuses_writes",
        "1 where the database refused a write within the last minute, or since, by the class of its SQLSTATE.",
        WriteTrouble.classes.map { name in
          .init(standing.writeTrouble?.stateClass == name ? 1 : 0, labels: [("class", name)])
        }),
      .gauge(
        "gatehouse_followed_seconds",
        "Time since tenants, policies and keys were last compared with what the database holds.",
        standing.secondsSinceLook),
      .gauge(
        "gatehouse_backup_age_seconds", "Time since a dump of the database was last noted; nothing where none was.",
        standing.backupAge.map { [.init($0)] } ?? []),
    ]
  }

  /// Percent, as rules compare it. Nothing of a tenant whose window has ended, or which this server does not serve.
  static func of(budgets levels: [BudgetWatch.Level], _ registry: TenantRegistry) -> [Figure] {
    let samples = levels.compactMap { level in
      registry.snapshot(of: level.tenant).map { tenant in
        Figure.Sample(
          level.used * 100 / max(1, level.most), labels: [("tenant", tenant.name.description), ("limit", level.name)])
      }
    }
    return [
      .gauge(
        "gatehouse_tenant_limit_percent",
        "How much of a limit of the whole tenant is used up in its window, as this server last counted.",
        Array(
          samples.sorted { $0.labels.map(\.value).lexicographicallyPrecedes($1.labels.map(\.value)) }
            .prefix(4 * mostTenants)))
    ]
  }

  static func of(backlog: MailBacklog) -> [Figure] {
    [
      .gauge("gatehouse_outbox_waiting", "Mails that wait to be sent.", backlog.waiting),
      .gauge("gatehouse_outbox_oldest_seconds", "Age of the oldest mail that waits.", backlog.oldest),
    ]
  }

  /// Nothing before the clocks were compared.
  static func of(clock offset: ClockOffset?) -> [Figure] {
    [
      .gauge(
        "gatehouse_clock_offset_seconds", "Seconds by which this server's clock is ahead of the database's.",
        offset.map { [.init($0.wholeSeconds)] } ?? [])
    ]
  }

  /// The stages that the doctor would name too; each tenant's where it has any.
  static func of(stages registry: TenantRegistry, at now: Date) -> [Figure] {
    var samples: [Figure.Sample] = []
    for tenant in registry.all {
      let stages = tenant.policy.stages(at: now, since: tenant.policySince)
      for (state, count) in Dictionary(grouping: stages, by: \.state).mapValues(\.count).sorted(by: { $0.key < $1.key })
      {
        samples.append(.init(count, labels: [("tenant", tenant.name.description), ("state", state)]))
      }
    }
    return [
      .gauge(
        "gatehouse_policy_stages",
        "Stages of live policies: due (a rule that warns binds within a week), stale (it only warns, for long), "
          + "ending (an exception does within a week).", Array(samples.prefix(mostTenants)))
    ]
  }

  /// A line for each tenant whose watched policy file there is something to say of, and for no other.
  static func of(policyFiles troubles: [PolicyFileTrouble]) -> [Figure] {
    func samples(_ isMeant: (PolicyFileTrouble) -> Bool) -> [Figure.Sample] {
      // A file's name becomes a label only where it is a tenant's.
      let names = troubles.filter(isMeant).compactMap(\.tenant)
      return names.prefix(mostTenants).map { .init(1, labels: [("tenant", $0.description)]) }
    }
    return [
      .gauge(
        "gatehouse_policy_file_refused", "1 where a tenant's watched policy file would not be applied as it stands.",
        samples(\.isRefused)),
      .gauge(
        "gatehouse_policy_file_drifted", "1 where a tenant's watched policy file is a policy, and not the live one.",
        samples(\.isDrifted)),
    ]
  }

  /// The number of tenants with figures of their own, by name; all tenants are counted.
  private static let mostTenants = 2000

  static func of(tenants registry: TenantRegistry) -> [Figure] {
    let failures = registry.failures
    let revisions = Dictionary(registry.all.map { ($0.name.description, $0.revision) }) { $1 }
    let names = Set(revisions.keys).union(failures.keys).sorted()
    let shown = names.prefix(mostTenants)
    return [
      .gauge(
        "gatehouse_tenants", "Tenants that are served, and those whose newest policy or keys cannot be used.",
        [
          .init(revisions.count, labels: [("state", "served")]), .init(failures.count, labels: [("state", "stale")]),
        ]),
      .gauge(
        "gatehouse_policy_revision", "Revision of the policy that judges a tenant's requests.",
        shown.compactMap { name in revisions[name].map { .init($0, labels: [("tenant", name)]) } }),
      .gauge(
        "gatehouse_tenant_stale",
        "1 where a tenant's newest policy or keys cannot be used: the last good ones serve, or none.",
        shown.map { .init(failures[$0] == nil ? 0 : 1, labels: [("tenant", $0)]) }),
      .gauge(
        "gatehouse_tenant_not_served", "1 where a tenant is not served: no revision or no keys of it can be used.",
        registry.unserved.keys.sorted().prefix(mostTenants).map { .init(1, labels: [("tenant", $0)]) }),
    ]
  }
}
