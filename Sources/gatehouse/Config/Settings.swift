import GatehousePrimitives

/// Every setting of the server, in the order of `config/gatehouse.yaml`. A new setting is a line here, its place in
/// `all`, and a field of `Config`.
enum Settings {
  /// The file itself is named by a flag or a variable only.
  static let config = Flag(
    "config", .file,
    "the configuration file (GATEHOUSE_CONFIG; default /etc/gatehouse/gatehouse.yaml where there is one)")

  static let dataDirectory = Setting(
    "data_dir", .directory, "directory of the private PostgreSQL cluster and everything else the server keeps",
    flag: "data-dir", example: "/var/lib/gatehouse",
    fallbackText: "/var/lib/gatehouse as root, else $XDG_STATE_HOME/gatehouse or ~/.local/state/gatehouse",
    fallback: Config.usualDataDirectory)
  static let databaseURL = Setting(
    "database.url", Kind.url("postgres", "postgresql", hostless: true).optional,
    "PostgreSQL 15 or newer to use instead of the private cluster", secret: true, flag: "database",
    example: "postgres://gatehouse_app@db.example.com/gatehouse?sslmode=verify-full", fallback: { _ in nil })
  static let databaseJobsURL = Setting(
    "database.jobs_url", Kind.url("postgres", "postgresql", hostless: true).optional,
    "the same database as role gatehouse_jobs, where that needs a password of its own", secret: true,
    example: "postgres://gatehouse_jobs@db.example.com/gatehouse?sslmode=verify-full",
    fallbackText: "database.url with that role's name", fallback: { _ in nil })
  static let databaseMigratorURL = Setting(
    "database.migrator_url", Kind.url("postgres", "postgresql", hostless: true).optional,
    "the same database as role gatehouse_migrator; `db migrate` and `admin` use it", secret: true,
    example: "postgres://gatehouse_migrator@db.example.com/gatehouse?sslmode=verify-full",
    fallbackText: "database.url with that role's name", fallback: { _ in nil })
  static let databaseConnections = Setting(
    "database.connections", .integer(4...1000), "connections of this process to the database", is: 20)
  static let databaseWriteDeadline = Setting(
    "database.write_deadline", .duration(.seconds(1)...(.seconds(60))),
    "time after which a write that was sent and has no answer is told as unknown_outcome", is: .seconds(3))

  static let listen = Setting(
    "listen", .address, "where apps reach the server", is: Address.loopback(8080), flag: "listen")
  static let operationsListen = Setting(
    "ops_listen", .address, "where health, readiness and metrics are answered; keep it private",
    is: Address.loopback(9090), flag: "ops-listen")
  static let adminListen = Setting(
    "admin_listen", Kind.address.optional,
    "where the admin API is answered, to holders of admin tokens only; without it nowhere", flag: "admin-listen",
    example: "127.0.0.1:9091", fallback: { _ in nil })
  static let sharesPort = Setting(
    "share_port", .onOff,
    "let another server listen at the same addresses, so that a new one starts before the old one ends", is: false)
  static let publicURL = Setting(
    "public_url", Kind.webAddress.optional,
    "the address people use, for links in mails and token issuers; needed unless dev is on", flag: "public-url",
    example: "https://auth.example.com", fallback: { _ in nil })

  static let smtpURL = Setting(
    "smtp_url", Kind.url("smtp", "smtps").optional,
    "the mail server: smtp:// upgrades with STARTTLS, smtps:// is TLS from the start; `gatehouse serve --help` lists its options",
    secret: true, flag: "smtp-url",
    example: "smtps://gatehouse@mail.example.com:465", taken: .followed, fallback: { _ in nil })
  static let mailFrom = Setting(
    "mail.from", Kind.text("ADDRESS", "a mail address").optional,
    "sender of all mails, and where bounces come back to; an app's name stands before it",
    example: "no-reply@auth.example.com",
    taken: .atReload, fallback: { _ in nil })
  static let mailAllowedFrom = Setting(
    "mail.allowed_from", Kind.senders.optional,
    "addresses and domains that a policy's mail: may name as sender; without it the sender's address is always mail.from",
    example: "dd-ride:app.example, no-reply@other.example", taken: .atReload, fallback: { _ in nil })
  static let mailTemplates = Setting(
    "mail.templates", Kind.directory.optional, "directory of mail templates that replace the built-in ones",
    example: "/etc/gatehouse/mail", taken: .atReload, fallback: { _ in nil })

  static let lists = Setting(
    "lists", Kind.directory.optional,
    "directory of lists (common and breached passwords, disposable mail domains) that replace those shipped",
    flag: "lists", example: "/etc/gatehouse/lists",
    fallbackText: "share/gatehouse/lists of the installation", taken: .followed, fallback: { _ in nil })
  static let places = Setting(
    "places", Kind.file.optional,
    "MaxMind DB file for the approximate location of sign-ins; without it no location is looked up or kept",
    example: "/var/lib/GeoIP/GeoLite2-City.mmdb", taken: .followed, fallback: { _ in nil })
  static let attestRoot = Setting(
    "attest.apple_root", Kind.file.optional,
    "Apple's App Attest root certificate in PEM, for policies with attest:; without it none is applied",
    example: "/etc/gatehouse/Apple_App_Attestation_Root_CA.pem", taken: .followed, fallback: { _ in nil })
  static let watch = Setting(
    "watch", Kind.directory.optional, "apply policy files of this directory when they are edited", flag: "watch",
    example: "/etc/gatehouse/policies", fallback: { _ in nil })
  static let watchAllowWeaker = Setting(
    "watch_allow_weaker", .onOff, "let an edited file weaken its policy without asking; only with dev", is: false,
    flag: "watch-allow-weaker")
  static let floor = Setting(
    "policy.floor", Kind.file.optional,
    "file of the bounds that no tenant's policy may weaken; gatehouse floor apply puts it in force",
    flag: "floor", example: "/etc/gatehouse/floor.yaml",
    fallbackText: "/etc/gatehouse/floor.yaml where there is one", taken: .followed, fallback: { _ in nil })
  static let lockoutShare = Setting(
    "policy.lockout_share", .integer(0...100),
    "percent of the users seen within 30 days who may lose full access by a policy without --allow-lockout", is: 1,
    taken: .atReload)
  static let auditRetention = Setting(
    "audit.retention", Kind.duration(.days(1)...(.days(36_500))).optional,
    "how long audit entries are kept at least; `gatehouse audit cut` takes older ones, and without this none",
    example: "400d", taken: .atReload, fallback: { _ in nil })
  static let dev = Setting(
    "dev", .onOff, "development: plain HTTP, mail into files of the data directory, new policy files make tenants",
    is: false, flag: "dev")
  static let devAnywhere = Setting(
    "dev_anywhere", .onOff, "let dev listen beyond this machine, in clear",
    is: false,
    flag: "dev-anywhere")
  static let devLimitFactor = Setting(
    "dev_limit_factor", Kind.integer(1...1000).optional,
    "factor for the policies' limits in dev mode, so that trying things out does not meet them; 1 keeps them",
    flag: "dev-limit-factor", example: "1", fallbackText: "100 with dev", fallback: { _ in nil })

  static let keyFile = Setting(
    "kek.file", Kind.file.optional,
    "file (mode 0400; others must not read it) with the 32-byte key, in base64, that seals every secret in the database",
    example: "/etc/gatehouse/kek", fallbackText: "kek in the data directory, made at the first start",
    fallback: { _ in nil })
  static let keyCommand = Setting(
    "kek.command", Kind.text("COMMAND", "a command").optional,
    "program that prints that key instead of the file", example: "/usr/local/bin/fetch-kek", fallback: { _ in nil })

  static let otherKeyFile = Setting(
    "kek.other_file", Kind.file.optional,
    "file with a second key that is accepted while you change to a new one; see `gatehouse key rewrap`",
    example: "/etc/gatehouse/kek.old", fallback: { _ in nil })
  static let otherKeyCommand = Setting(
    "kek.other_command", Kind.text("COMMAND", "a command").optional,
    "program that prints that second key instead of the file", example: "/usr/local/bin/fetch-old-kek",
    fallback: { _ in nil })

  static let hashThreads = Setting(
    "hash.threads", .integer(1...256), "threads that hash passwords", example: "2",
    fallbackText: "one per processor", fallback: { _ in Config.processors })
  static let hashQueue = Setting(
    "hash.queue", .integer(1...100_000), "sign-ins that may wait for a hashing thread; more are answered 503",
    is: 256)
  // Less than OWASP's minimum makes guesses cheap for a thief of the database; beyond the bounds a stored hash is not
  // recognised.
  private static let leastCost = PasswordCost.owaspMinimum
  static let hashMemory = Setting(
    "hash.memory", .integer(Int(leastCost.memory / 1024)...Int(PasswordCost.memoryBounds.upperBound / 1024), of: "MiB"),
    "memory of one password hash (argon2id), from OWASP's minimum up; each of hash.threads holds this much",
    is: Int(leastCost.memory / 1024))
  static let hashPasses = Setting(
    "hash.passes", .integer(Int(leastCost.passes)...Int(PasswordCost.passBounds.upperBound)),
    "passes over that memory; stored passwords of another memory or passes are hashed anew at their next sign-in",
    is: Int(leastCost.passes))

  static let loopPriority = Setting(
    "tuning.loop_priority", Kind<TuningSwitch>.word,
    "real-time priority for threads that answer requests, while they have little to do; auto is on below four processors",
    is: .auto)
  static let hashBatching = Setting(
    "tuning.hash_batching", Kind<TuningSwitch>.word,
    "sign-ins whose passwords were hashed go on several at a time in a storm; auto is on below four processors",
    is: .auto)

  static let headerTimeout = Setting(
    "limits.header_timeout", .duration(.seconds(1)...(.seconds(300))), "time to send the head of a request",
    is: .seconds(10))
  static let bodyTimeout = Setting(
    "limits.body_timeout", .duration(.seconds(1)...(.seconds(300))), "time to send the body of a request",
    is: .seconds(30))
  static let idleTimeout = Setting(
    "limits.idle_timeout", .duration(.seconds(1)...(.seconds(3600))), "time an idle connection is kept",
    is: .seconds(75))
  static let connections = Setting(
    "limits.connections", .integer(16...1_000_000),
    "open client connections; beyond it an idle one makes way for a new one, or the new one is closed at once",
    is: 10_000)
  static let connectionsPerAddress = Setting(
    "limits.connections_per_address", .integer(1...1_000_000),
    "open connections of one address (IPv6: one /64), proxies apart; from half of it on an idle one makes way for a new one, and more are closed at once",
    is: 1000)
  static let buffers = Setting(
    "limits.buffers", .integer(16...65_536, of: "MiB"),
    "memory of requests that are not answered and answers that are not taken, in all; connections that need more are closed",
    is: 256)
  static let buffersPerAddress = Setting(
    "limits.buffers_per_address", .integer(1...65_536, of: "MiB"),
    "the same of one address (IPv6: one /64), proxies apart", is: 16)

  static let tlsCertificate = Setting(
    "tls.certificate", Kind.file.optional,
    "file with the server's certificate and those that lead to its authority, in PEM; with it listen speaks HTTPS only",
    example: "/etc/gatehouse/tls/fullchain.pem", taken: .followed, fallback: { _ in nil })
  static let tlsKey = Setting(
    "tls.key", Kind.file.optional,
    "file (mode 0400; others must not read it) with its private key, in PEM",
    example: "/etc/gatehouse/tls/privkey.pem", taken: .followed, fallback: { _ in nil })

  static let trustedProxies = Setting(
    "proxies.trusted", Kind.networks.optional,
    "where your proxies connect from; no other peer is believed about a client's address", example: "10.0.0.0/8, ::1",
    fallback: { _ in nil })
  static let proxyProtocol = Setting(
    "proxies.protocol", Kind<ProxyAnnouncement>.word,
    "how they name the client: the PROXY protocol's binary header, or one of two fields that every one of them sets",
    example: "proxy_v2", fallbackText: "none", fallback: { _ in .none })

  static let outboundNetworks = Setting(
    "outbound.networks", Kind.networks.optional,
    "networks of your own that identity providers, webhooks and hosts of tenants may be in; else they have public addresses",
    example: "10.20.0.0/16", fallback: { _ in nil })
  static let outboundAuthorities = Setting(
    "outbound.authorities", Kind.file.optional,
    "file with the authorities that certify the servers it calls, in PEM; it replaces the system's",
    example: "/etc/gatehouse/tls/authorities.pem", fallback: { _ in nil })

  static let logFormat = Setting(
    "log.format", Kind<LogFormat>.word, "json is one object per line; auto is pretty on a terminal",
    is: .auto, flag: "log-format")
  static let logLevel = Setting(
    "log.level", Kind<LogLevel>.word, "the least important events that are written",
    is: .info, flag: "log-level", taken: .atReload)

  static let logClients = Setting(
    "log.clients", .onOff, "write the client's address, which is personal data, into the line of each request",
    is: false)

  static let tracesEndpoint = Setting(
    "traces.endpoint", Kind.webAddress.optional,
    "where a collector takes traces as OTLP over HTTP with JSON; without it none is recorded; plain http on this machine alone",
    example: "https://collector.example.com/v1/traces", fallback: { _ in nil })
  static let tracesHeaders = Setting(
    "traces.headers", Kind.fields.optional, "header fields that the collector asks for, such as its key", secret: true,
    example: "api-key=0123456789", fallback: { _ in nil })
  static let tracesSample = Setting(
    "traces.sample", Kind.share, "the share of traces that are recorded; trusted proxies decide about theirs", is: 1)
  static let tracesServiceName = Setting(
    "traces.service_name", Kind.text("NAME", "a name"), "the name of this server in traces", is: "gatehouse")

  static let all: [any AnySetting] = [
    dataDirectory, databaseURL, databaseJobsURL, databaseMigratorURL, databaseConnections,
    databaseWriteDeadline,
    listen, operationsListen, adminListen, sharesPort, publicURL,
    smtpURL, mailFrom, mailAllowedFrom, mailTemplates,
    lists, places, attestRoot, watch, watchAllowWeaker, floor, lockoutShare, auditRetention,
    dev, devAnywhere, devLimitFactor,
    keyFile, keyCommand, otherKeyFile, otherKeyCommand,
    hashThreads, hashQueue, hashMemory, hashPasses,
    loopPriority, hashBatching,
    headerTimeout, bodyTimeout, idleTimeout, connections, connectionsPerAddress, buffers, buffersPerAddress,
    tlsCertificate, tlsKey,
    trustedProxies, proxyProtocol,
    outboundNetworks, outboundAuthorities,
    logFormat, logLevel, logClients,
    tracesEndpoint, tracesHeaders, tracesSample, tracesServiceName,
  ]
}

extension Address {
  /// A port of 127.0.0.1.
  static func loopback(_ port: UInt16) -> Address { Address(host: "127.0.0.1", port: Int(port), isIPv6: false) }
}
