import GatehouseAssembly
import GatehouseIdentity
import GatehouseOutbound
import GatehousePostgres
import GatehousePrimitives
import GatehouseRuntime
import Glibc

extension Config {
  /// The settings of the composition.
  func settings(
    for purpose: DatabaseLocation.Purpose, _ parts: StartParts, _ key: KeyFile.Keys, _ location: DatabaseLocation,
    _ loops: [Loop], _ background: Loop
  ) -> ServerSettings {
    var settings = ServerSettings(
      loops: loops, background: background, database: location.connection(Roles.app),
      jobsDatabase: location.connection(Roles.jobs), console: location.console(loops),
      key: .init(sealing: key.sealing, pepper: key.pepper),
      otherKey: parts.otherKey.map { .init(sealing: $0.sealing, pepper: $0.pepper) },
      publicURL: purpose == .server ? reachedAt : reachedNow, choices: parts.choices,
      version: Gatehouse.version)
    settings.isSecure = reachedAt.hasPrefix("https://")
    settings.adminIsSecure = tls != nil
    // Not in development: a browser would ask every other server on localhost for HTTPS, for years.
    settings.keepsToHTTPS = !dev
    settings.showsDevelopment = showsDevelopment
    settings.asksHostsInClear = reachedNow.hasPrefix("http:")
    settings.proxies = proxies.trust
    settings.places = parts.places
    settings.limitFactor = limitFactor
    settings.watch = watch.map { .init(directory: $0, createsTenants: dev, allowsWeaker: watchAllowWeaker) }
    settings.machine = Machine.name
    return settings
  }

  /// Whether browsers on this machine are shown the pages of development, which give away mailed codes.
  var showsDevelopment: Bool {
    guard
      dev,  // GUARD: development: with dev alone
      listen.isLoopback,  // GUARD: development: on a listener of this machine alone
      proxies.trusted == nil  // GUARD: development: behind no proxy
    else { return false }
    return true
  }

  /// The parts that the composition does not decide.
  func outside(for purpose: DatabaseLocation.Purpose, _ parts: StartParts) -> Outside {
    var outside = Outside(
      clock: .system, monotonic: Config.monotonic, outbound: outbound,
      mail: .init(
        renderer: { [mail = parts.mail] in if let mail { mail } else { try MailParts.templates(self) } },
        transport: { [mail = parts.mail] in if let mail { mail } else { try MailParts.transport(self) } }),
      hashCost: hash.cost,  // GUARD: hash: of the configured cost
      hashes: purpose == .server
        ? HashPool.Limits(threads: hash.threads, waiting: hash.queue, batchesAnswers: tuning.hashBatching)
        : HashPool.Limits(threads: 1, waiting: 1))
    outside.traces = purpose == .server ? traces : nil
    return outside
  }

  /// Nanoseconds of a clock that never goes back.
  @Sendable private static func monotonic() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

extension Failure: SettingProblem {
  var sentence: String { messages.joined(separator: "; ") }
}
