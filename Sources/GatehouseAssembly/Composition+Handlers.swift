import GatehouseIdentity
import GatehousePostgres
import GatehousePrimitives
package import GatehouseServer

extension Composition {
  /// What answers at the public listener. Only tests say how tokens are verified.
  package func publicServer(verifyingTokens: TokenVerifier? = nil, log: @escaping RequestLog) -> PublicServer {
    PublicServer(
      services, metrics: metrics, isSecure: settings.isSecure, keepsToHTTPS: settings.keepsToHTTPS,
      proxies: settings.proxies, verifyingTokens: verifyingTokens, log: log)
  }

  /// What answers at the operators' listener.
  package func adminServer(log: @escaping RequestLog) -> AdminServer {
    AdminServer(services, metrics: metrics, isSecure: settings.adminIsSecure, proxies: settings.proxies, log: log)
  }

  /// What answers at the listener of those who keep the machines.
  package func operationsServer() -> OperationsServer {
    OperationsServer(
      registry: services.registry, metrics: metrics, version: settings.version,
      policyFiles: { [watch] in watch.map(PolicyFilesDetail.init) }
    ) { [isDraining, database, clocks] in
      if isDraining.withLock({ $0 }) { return ["server": "stopping"] }
      var troubles: [String: String] = [:]
      // GUARD: ready: with a clock that is near the database's
      if let why = clocks.trouble { troubles["clock"] = why }
      do { _ = try await database.read(nil, "SELECT 1") } catch { troubles["database"] = "\(error)" }
      return troubles
    }
  }
}
