import GatehouseOutbound
import GatehousePolicyFile
import GatehousePrimitives
import Glibc

/// The configuration of this process, read once at its start. Differences between apps are policy, not configuration.
struct Config: Sendable {
  let dataDirectory: String
  /// `nil` means the private cluster in the data directory.
  let database: Database
  let listen: Address
  let operationsListen: Address
  /// `nil` means that there is no admin API.
  let adminListen: Address?
  /// Whether a second server may listen at both addresses.
  let sharesPort: Bool
  let publicURL: String?
  let mail: Mail
  let lists: String?
  /// `nil` means that the places of addresses are not looked up.
  let places: String?
  let attestRoot: String?
  let watch: String?
  let watchAllowWeaker: Bool
  let floor: String?
  let lockoutShare: Int
  /// How many times as much as the policies' limits the server allows: 1 but for development.
  let limitFactor: Int
  /// How long audit logs are kept at least; `nil` where none is ever cut.
  let auditRetention: Duration?
  let dev: Bool
  let devAnywhere: Bool
  let key: Key
  let hash: Hash
  let tuning: Tuning
  let limits: Limits
  /// `nil` where the server itself does not encrypt.
  let tls: TLS?
  let proxies: Proxies
  /// The networks that the server may call, and the authorities that it trusts there.
  let outbound: OutboundHTTP.Settings
  let log: Log
  /// Where traces go; `nil` where none is recorded.
  let traces: TraceExporter.Settings?
  /// The installation, where files that are not named here are looked for.
  let installation: Installation

  struct Database: Sendable {
    /// `nil` means the private cluster.
    let url: String?
    /// The same as role `gatehouse_jobs`, and as `gatehouse_migrator`; `nil` means `url` with that name.
    let jobsURL: String?
    let migratorURL: String?
    let connections: Int
    let writeDeadline: Duration
  }
  struct Mail: Sendable {
    let smtpURL: String?
    let from: String?
    let allowedFrom: SenderList?
    let templates: String?

    /// The senders of mails: the server's own, and the allowed ones.
    var senders: AllowedSenders {
      AllowedSenders(own: from ?? "no-reply@localhost", patterns: allowedFrom?.patterns ?? [])
    }
  }
  /// Where the key-encryption key comes from; neither means the file the server makes in its data directory.
  struct Key: Sendable {
    let file: String?
    let command: String?
    let otherFile: String?
    let otherCommand: String?
  }
  struct Hash: Sendable {
    let threads: Int
    let queue: Int
    let cost: PasswordCost
  }
  /// The tuning that is on, on this machine.
  struct Tuning: Sendable {
    let loopPriority: Bool
    let hashBatching: Bool
  }
  struct Limits: Sendable {
    let header: Duration
    let body: Duration
    let idle: Duration
    let connections: Int
    let connectionsPerAddress: Int
    /// In bytes.
    let buffers: Int
    let buffersPerAddress: Int
  }
  /// The files of certificate and key.
  struct TLS: Sendable {
    let certificate: String
    let key: String
  }
  struct Proxies: Sendable {
    /// Where they speak from; `nil` where there are none.
    let trusted: NetworkList?
    /// How they name their clients.
    let announcement: ProxyAnnouncement
  }
  struct Log: Sendable {
    let format: LogFormat
    let level: LogLevel
    let namesClients: Bool
  }

  /// Reads every setting; problems are left with the reader.
  init(_ reader: inout ConfigReader) {
    dataDirectory = reader.value(Settings.dataDirectory)
    database = Database(
      url: reader.value(Settings.databaseURL), jobsURL: reader.value(Settings.databaseJobsURL),
      migratorURL: reader.value(Settings.databaseMigratorURL),
      connections: reader.value(Settings.databaseConnections),
      writeDeadline: reader.value(Settings.databaseWriteDeadline).duration)
    listen = reader.value(Settings.listen)
    operationsListen = reader.value(Settings.operationsListen)
    adminListen = reader.value(Settings.adminListen)
    sharesPort = reader.value(Settings.sharesPort)
    publicURL = reader.value(Settings.publicURL)
    mail = Mail(
      smtpURL: reader.value(Settings.smtpURL), from: reader.value(Settings.mailFrom),
      allowedFrom: reader.value(Settings.mailAllowedFrom), templates: reader.value(Settings.mailTemplates))
    lists = reader.value(Settings.lists)
    places = reader.value(Settings.places)
    attestRoot = reader.value(Settings.attestRoot)
    watch = reader.value(Settings.watch)
    watchAllowWeaker = reader.value(Settings.watchAllowWeaker)
    floor = reader.value(Settings.floor)
    lockoutShare = reader.value(Settings.lockoutShare)
    auditRetention = reader.value(Settings.auditRetention)?.duration
    dev = reader.value(Settings.dev)
    devAnywhere = reader.value(Settings.devAnywhere)
    limitFactor = reader.value(Settings.devLimitFactor) ?? (dev ? 100 : 1)
    key = Key(
      file: reader.value(Settings.keyFile), command: reader.value(Settings.keyCommand),
      otherFile: reader.value(Settings.otherKeyFile), otherCommand: reader.value(Settings.otherKeyCommand))
    hash = Hash(
      threads: reader.value(Settings.hashThreads), queue: reader.value(Settings.hashQueue),
      cost: PasswordCost(
        memory: UInt32(reader.value(Settings.hashMemory)) * 1024, passes: UInt32(reader.value(Settings.hashPasses))))
    tuning = Tuning(
      loopPriority: reader.value(Settings.loopPriority).isOn(processors: Config.processors),
      hashBatching: reader.value(Settings.hashBatching).isOn(processors: Config.processors))
    limits = Limits(
      header: reader.value(Settings.headerTimeout).duration, body: reader.value(Settings.bodyTimeout).duration,
      idle: reader.value(Settings.idleTimeout).duration, connections: reader.value(Settings.connections),
      connectionsPerAddress: reader.value(Settings.connectionsPerAddress),
      buffers: reader.value(Settings.buffers) << 20, buffersPerAddress: reader.value(Settings.buffersPerAddress) << 20)
    let certificate = reader.value(Settings.tlsCertificate)
    let tlsKey = reader.value(Settings.tlsKey)
    if let certificate, let tlsKey {
      tls = TLS(certificate: certificate, key: tlsKey)
    } else {
      tls = nil
      if certificate != nil { reader.refuse(Settings.tlsCertificate, "needs tls.key") }
      if tlsKey != nil { reader.refuse(Settings.tlsKey, "needs tls.certificate") }
    }
    proxies = Proxies(
      trusted: reader.value(Settings.trustedProxies), announcement: reader.value(Settings.proxyProtocol))
    outbound = OutboundHTTP.Settings(
      addresses: ReachableAddresses(
        allowsLoopback: dev, permitted: reader.value(Settings.outboundNetworks)?.blocks ?? []),
      caFile: reader.value(Settings.outboundAuthorities))
    log = Log(
      format: reader.value(Settings.logFormat), level: reader.value(Settings.logLevel),
      namesClients: reader.value(Settings.logClients))
    traces = Config.traces(&reader)
    installation = reader.surroundings.installation
    judge(&reader)
  }

  /// Development speaks in clear and keeps mails with working links: other machines reach it only where that is meant.
  private func judgeDevelopment(_ reader: inout ConfigReader) {
    if devAnywhere, !dev { reader.refuse(Settings.devAnywhere, "has no use without dev") }
    if limitFactor > 1,
      !dev  // GUARD: dev: alone relaxes limits
    {
      reader.refuse(Settings.devLimitFactor, "needs dev: elsewhere limits are what the policies say")
    }
    let listeners: [(any AnySetting, Address?)] = [
      (Settings.listen, listen), (Settings.operationsListen, operationsListen), (Settings.adminListen, adminListen),
    ]
    for (setting, address) in listeners {
      guard dev, !devAnywhere, let address,
        !address.isLoopback  // GUARD: dev: on this machine alone
      else { continue }
      reader.refuse(setting, "is reached by other machines, and dev is on: listen on 127.0.0.1, or add --dev-anywhere")
    }
  }

  /// Whether a listener at this address serves only processes of this machine and trusted proxies: other machines would
  /// speak to it in clear.
  func servesOnlyTrusted(at address: Address) -> Bool {
    tls == nil && !dev && !address.isLoopback  // GUARD: listeners: what is in clear is for proxies
  }

  /// A listener that would serve only proxies, and knows none, is meant differently.
  private func judgeClear(_ reader: inout ConfigReader) {
    let listeners: [(any AnySetting, Address?, String)] = [
      (Settings.listen, listen, "passwords"), (Settings.adminListen, adminListen, "tokens"),
    ]
    for (setting, address, secrets) in listeners {
      guard let address, servesOnlyTrusted(at: address), proxies.trusted == nil else { continue }
      reader.refuse(
        setting,
        "would take \(secrets) in clear from other machines: needs tls.certificate, or proxies.trusted that encrypt")
    }
  }

  /// Errors that only several settings together show.
  private func judge(_ reader: inout ConfigReader) {
    judgeDevelopment(&reader)
    if watchAllowWeaker, !dev || watch == nil {
      reader.refuse(Settings.watchAllowWeaker, "needs dev and watch: elsewhere a weaker policy is applied by hand")
    }
    if database.url == nil {
      let needless = [
        (Settings.databaseJobsURL, database.jobsURL), (Settings.databaseMigratorURL, database.migratorURL),
      ]
      for (setting, url) in needless where url != nil { reader.refuse(setting, "has no use without database.url") }
    }
    if sharesPort, database.url == nil {
      reader.refuse(Settings.sharesPort, "needs database.url: only one server can own the private cluster")
    }
    if key.file != nil, key.command != nil { reader.refuse(Settings.keyCommand, "conflicts with kek.file; keep one") }
    if key.otherFile != nil, key.otherCommand != nil {
      reader.refuse(Settings.otherKeyCommand, "conflicts with kek.other_file; keep one")
    }
    if listen == operationsListen, listen.port != 0 {
      reader.refuse(Settings.operationsListen, "is the same address as listen")
    }
    if let adminListen {
      if adminListen.port != 0, [listen, operationsListen].contains(adminListen) {
        reader.refuse(Settings.adminListen, "is the same address as listen or ops_listen")
      }
    }
    judgeClear(&reader)
    if proxies.announcement != .none, proxies.trusted == nil {
      reader.refuse(Settings.proxyProtocol, "needs proxies.trusted: the server believes only the proxies named there")
    }
    if proxies.announcement == .none, proxies.trusted != nil {
      reader.refuse(Settings.trustedProxies, "needs proxies.protocol: how do they name their clients?")
    }
    if let publicURL, publicURL.lowercased().hasPrefix("http://") {
      if tls != nil {
        reader.refuse(Settings.publicURL, "must be https: with tls.certificate nothing else is answered")
      } else if !dev {
        reader.refuse(Settings.publicURL, "must be https unless dev is on")
      }
    }
  }

  /// The system's directory for root, else the user's own (XDG Base Directory Specification).
  @Sendable static func usualDataDirectory(_ surroundings: Surroundings) -> String {
    if surroundings.userID == 0 { return "/var/lib/gatehouse" }
    // The specification says to ignore a relative path here.
    if let state = surroundings["XDG_STATE_HOME"], state.hasPrefix("/") { return state + "/gatehouse" }
    return (surroundings["HOME"] ?? "") + "/.local/state/gatehouse"
  }

  /// Processors this process may use.
  static var processors: Int { min(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1), 256) }
}
