import GatehouseIdentity
import GatehouseOutbound
import GatehousePostgres
import GatehousePrimitives
package import GatehouseServer

extension Composition {
  /// The handler of the public listener. Only tests set the verification of tokens.
  package func publicServer(
    verifyingTokens: TokenVerifier? = nil, namesClients: Bool = false, log: @escaping RequestLog
  ) -> PublicServer {
    PublicServer(
      services, metrics: metrics, isSecure: settings.isSecure, keepsToHTTPS: settings.keepsToHTTPS,
      proxies: settings.proxies, development: development, verifyingTokens: verifyingTokens,
      namesClients: namesClients, tracer: traces?.tracer, log: log)
  }

  /// The content of the pages of development; nil on a server that has none of them.
  private var development: Development? {
    // GUARD: development: composed where it is asked for
    guard settings.showsDevelopment else { return nil }
    return Development(mails: mails) { [watch] in watch.map(Development.PolicyFiles.init) }
  }

  /// The destination of mails. Their settings were read at the start.
  private var mails: Development.Mails {
    guard let transport = try? mail.transport() else { return .kept { _ in nil } }
    guard let files = MailOutlet.way(transport) as? MailFiles else { return .sent(to: transport.destination) }
    return .kept { count in
      await files.newest(count)?.map { entry in
        Development.Mail(
          to: entry.mail.to, subject: entry.mail.subject, time: entry.time, text: entry.mail.text,
          html: entry.mail.html,
          code: entry.mail.code)
      }
    }
  }

  /// The handler of the operators' listener.
  package func adminServer(namesClients: Bool = false, log: @escaping RequestLog) -> AdminServer {
    AdminServer(
      services, metrics: metrics, isSecure: settings.adminIsSecure, proxies: settings.proxies,
      namesClients: namesClients, tracer: traces?.tracer, log: log)
  }

  /// The handler of the listener for monitoring.
  package func operationsServer(configuration: @escaping @Sendable () -> ConfigurationDetail? = { nil })
    -> OperationsServer
  {
    OperationsServer(
      registry: services.registry, metrics: metrics, version: settings.version, conditions: readiness,
      database: { [standing] in standing.answer }, policyFiles: { [watch] in watch.map(PolicyFilesDetail.init) },
      configuration: configuration,
      warnings: { [warnings] in
        warnings.now.map { ($0.rawValue, $1) }.sorted { $0.0 < $1.0 }
      })
  }

  /// The conditions under which this server may be sent requests. The database is none of them: it is every server's,
  /// and servers that are all taken away for its sake cannot give out key sets and policies either.
  private var readiness: [ReadinessCondition] {
    [
      ReadinessCondition("server") { [isDraining] in isDraining.withLock { $0 } ? "stopping" : nil },
      ReadinessCondition("tenants") { [registry = services.registry] in registry.trouble },
      // GUARD: ready: with the floor that is configured
      ReadinessCondition("floor") { [services] in
        services.floor.trouble(configured: services.choices.now.configuredFloor).map {
          "\($0.sentence); \($0.advice)"
        }
      },
      ReadinessCondition("followed") { [standing] in standing.notFollowed },
      // GUARD: ready: with a clock that is near the database's
      ReadinessCondition("clock") { [clocks] in clocks.trouble },
    ]
  }
}
