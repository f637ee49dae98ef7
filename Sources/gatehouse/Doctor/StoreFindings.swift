import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehousePrimitives

/// The doctor's findings about the database: the server, the schema, the rights, the tenants and the waiting mail.
enum StoreFindings {
  static func all(_ config: Config, _ network: DoctorNetwork, _ terminal: Terminal) async -> [Finding] {
    if DatabaseLocation.isToBeMade(config) {
      return [.warning("database", "there is none yet in \(Quoted(config.dataDirectory))", "gatehouse serve makes it")]
    }
    do {
      let assembly = try await Assembly.open(config, for: .command, terminal, keyless: true)
      var findings = await server(config, assembly)
      findings += [.good("schema", "is this version's"), .good("rights", "row-level security holds")]
      let tenants = await tenants(config, assembly, terminal)
      findings += tenants.own
      findings += [FloorFinding.of(assembly.services, isDevelopment: config.dev)].compactMap(\.self)
      findings += await tenants.ofPolicies + PolicyFileFindings.all(config, assembly) + [backlog(assembly)]
      findings += await webhooks(assembly) + hosts(assembly, network)
      await assembly.close()
      return findings
    } catch let failure as Failure {
      return [.failure("database", failure)]
    } catch {
      return [.failure("database", Failure(database: error))]
    }
  }

  private static func server(_ config: Config, _ assembly: Assembly) async -> [Finding] {
    let facts: ServerFacts
    do { facts = try await assembly.database.serverFacts() } catch {
      return [.failure("database", Failure(database: error))]
    }
    var findings: [Finding] = []
    let location = assembly.location.embedded == nil ? "at database.url" : "private cluster"
    findings.append(
      facts.version < 150_000
        ? .failure("database", "PostgreSQL \(facts.versionText) is too old", "use 15 or newer")
        : .good("database", "PostgreSQL \(facts.versionText), \(location)"))
    for danger in facts.dangers {
      findings.append(
        .failure("durability", danger, "a crash could lose people who were told they exist; switch it on"))
    }
    let free = facts.maxConnections - facts.connections
    if free < config.database.connections {
      findings.append(
        .warning(
          "connections", "\(free) of \(facts.maxConnections) are free, one server takes \(config.database.connections)",
          "raise max_connections, or lower database.connections"))
    }
    return findings + [await backup(config, assembly), await clocks(assembly)].compactMap(\.self)
  }

  private static func backup(_ config: Config, _ assembly: Assembly) async -> Finding? {
    do {
      return BackupFinding.of(
        try await assembly.database.backupState(), isOwn: config.database.url != nil, isDevelopment: config.dev)
    } catch {
      return .failure("backup", Failure(database: error))
    }
  }

  /// As many hosts of tenants are asked.
  private static let mostHosts = 20

  /// Hosts that requests of people come to.
  private static func hosts(_ assembly: Assembly, _ network: DoctorNetwork) async -> [Finding] {
    let hosts = assembly.services.registry.all.flatMap { tenant in
      tenant.hosts.filter { $0.verifiedAt != nil }.map { ("host of \(tenant.name)", "https://\($0.host)/") }
    }
    var findings: [Finding] = []
    for (subject, url) in hosts.prefix(mostHosts) { findings.append(await network.edge(subject, url)) }
    if hosts.count > mostHosts {
      findings.append(.good("hosts", "\(hosts.count - mostHosts) more were not asked"))
    }
    return findings
  }

  private static func clocks(_ assembly: Assembly) async -> Finding? {
    let services = assembly.services
    do {
      let offset = try await ClockOffset.measure(services.servers, services.clock)
      switch offset.state {
      case .agrees: return nil
      case .differs: return .warning("clocks", offset.sentence, ClockOffset.advice)
      case .tooFar: return .failure("clocks", "\(offset.sentence); \(ClockOffset.reason)", ClockOffset.advice)
      }
    } catch {
      return .failure("clocks", Failure(database: error))
    }
  }

  /// A key that is gone while data keys need it; nil for one that is there, or not needed yet.
  private static func lostKey(_ config: Config, _ assembly: Assembly) async -> [Finding]? {
    guard assembly.parts.key == nil, let stored = try? await assembly.storedDataKeys(), stored > 0 else { return nil }
    return [.failure("key", KeyFile.lost(stored: stored, config))]
  }

  /// Findings about the tenants themselves and about their policies: each tenant is read once for both.
  private static func tenants(_ config: Config, _ assembly: Assembly, _ terminal: Terminal) async -> (
    own: [Finding], ofPolicies: [Finding]
  ) {
    let services = assembly.services
    let ofPolicies = LockBox<[String: [Finding]]>([:])
    var bar: Progress?
    defer { bar?.end() }
    let fit: KeyFit
    do {
      let running = try await UnreadablePolicies.running(services)
      fit = try await TenantLoader(services).loadAll { done, total in
        bar = bar ?? Progress("tenants", of: total, on: terminal)
        bar?.reach(done)
      } visit: { bundle in
        let found = try await PolicyFindings.of(bundle, running: running, services)
        if !found.isEmpty { ofPolicies.withLock { $0[bundle.tenant.name.description] = found } }
      }
    } catch {
      return ([.failure("tenants", Failure(database: error))], [])
    }
    let own = tenants(config, assembly, fit: fit, lost: await lostKey(config, assembly))
    return (own, ofPolicies.withLock { $0 }.sorted { $0.key < $1.key }.flatMap(\.value))
  }

  private static func tenants(_ config: Config, _ assembly: Assembly, fit: KeyFit, lost: [Finding]?) -> [Finding] {
    let registry = assembly.services.registry
    let key = lost ?? KeyFile.failure(fit, config).map { [Finding.failure("key", $0)] } ?? []
    let broken = registry.failures.sorted { $0.key < $1.key }.map { name, why in
      Finding.failure(
        "tenant \(name)", "would not be served: \(why)",
        why.needsOtherKey
          ? "kek.file and kek.other_file in gatehouse config show" : "gatehouse policy history \(name)")
    }
    let off = registry.all.filter { !$0.enabled }.map { tenant in
      Finding.warning("tenant \(tenant.name)", "is switched off", "gatehouse tenant enable \(tenant.name)")
    }
    let findings = key + broken + off
    return findings.isEmpty ? [.good("tenants", "\(registry.all.count), all of them load")] : findings
  }

  /// Endpoints that fail or were switched off for it, and those with fields that their maker may not read. There is
  /// nothing to say of the others.
  private static func webhooks(_ assembly: Assembly) async -> [Finding] {
    var findings: [Finding] = []
    let noted: [(tenant: TenantID, endpoint: WebhookEndpoint)]
    do { noted = try await PostgresWebhookQueue(assembly.jobs).noteworthy() } catch {
      return [.failure("webhooks", Failure(database: error))]
    }
    for (id, endpoint) in noted {
      guard let tenant = assembly.services.registry.snapshot(of: id) else { continue }
      findings += [fields(endpoint, tenant)].compactMap(\.self)
      if endpoint.failingSince != nil || endpoint.disabledAt != nil {
        let id = endpoint.id.text
        let why = endpoint.lastError.map { ", last: \($0)" } ?? ""
        findings.append(
          .warning(
            "webhook \(id.prefix(13))", "\(endpoint.state)\(why)",
            endpoint.disabledAt == nil
              ? "gatehouse webhook test \(tenant.name) \(id)" : "gatehouse webhook enable \(tenant.name) \(id)"))
      }
    }
    return findings
  }

  /// The finding about an endpoint with fields of people that no operator with the right to read them has confirmed.
  private static func fields(_ endpoint: WebhookEndpoint, _ tenant: TenantSnapshot) -> Finding? {
    let (id, withheld) = (endpoint.id.text, endpoint.withheld(by: tenant.policy))
    guard !endpoint.fields.isEmpty, endpoint.shownBy == nil || !withheld.isEmpty else { return nil }
    let confirm = "gatehouse webhook enable \(tenant.name) \(id) confirms it, gatehouse webhook delete ends it"
    guard withheld.isEmpty else {
      return .warning(
        "webhook \(id.prefix(13))",
        "\(withheld.joined(separator: ", ")) is not sent: who made it may not read what only a person and administrators see",
        confirm)
    }
    return .warning(
      "webhook \(id.prefix(13))",
      "shows \(endpoint.fields.joined(separator: ", ")) of people; a version before made it, which did not ask whether its maker may read them",
      confirm)
  }

  private static func backlog(_ assembly: Assembly) async -> Finding {
    do {
      let (waiting, oldest) = try await PostgresOutboxQueue(assembly.jobs).backlog()
      return oldest > 300
        ? .warning("outbox", "\(waiting) mails wait, the oldest for \(oldest / 60) min", "gatehouse mail send-test")
        : .good("outbox", "\(waiting) mails wait")
    } catch {
      return .failure("outbox", Failure(database: error))
    }
  }
}
