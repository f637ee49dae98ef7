import Foundation
package import GatehouseIdentity
package import GatehouseOutbound
package import GatehousePostgres
package import GatehousePrimitives
import GatehousePolicyFile
import GatehouseRuntime
import GatehouseServer
package import GatehouseWire
import GatehouseTesting

/// The whole server in this process: real listeners, a real database of its own, real mail, and a clock that tests move.
package final class TestServer: Sendable {
  package let services: Services
  package let database: Database
  package let jobs: Database
  package let clock: TestClock
  /// `http://127.0.0.1:PORT`.
  package let url: String
  package let operationsURL: String
  package let adminURL: String
  /// Where everything is stored: what outlives this server.
  package let storage: TestDatabase
  private let servers: [HTTPServer]
  private let hashes: HashPool
  private let isLate: LockBox<Bool>
  private let mail: DeliverMail
  private let webhooks: DeliverWebhooks
  private let outbound: OutboundHTTP
  /// How webhooks leave this server: to this machine only as `start` was told.
  package let webhookTransport: any WebhookTransport
  /// As the job has it: it remembers what it sealed.
  package let sealer: SealAudit
  /// Why it did not seal.
  package let sealTroubles: LockBox<[SealAudit.Trouble]>
  private let mailDirectory: String
  private let following: LockBox<Task<Void, Never>?>
  private let secrets: Secrets
  private let hasPlace: Bool

  /// What servers of one installation have in common beside the database.
  private struct Secrets: Sendable {
    let outbound: OutboundHTTP.Settings
    let keyEncryptionKey: SealingKey
    let otherKeyEncryptionKey: SealingKey?
    let pepper: MACKey
    /// Where people reach all of them: nil for a server that is reached at its own port.
    let publicURL: String?
    let isSecure: Bool
    let tokens: TokenCheck
    let lists: [String]
    let providers: (any ProviderClient)?
    let cost: PasswordCost
    /// The roots of attested apps, in PEM.
    var attestRoot: String?
    /// Where names are asked for; nil for the machine's resolvers.
    var resolver: SystemTextRecords.Resolver?
    /// Who policies may send as.
    var senders: [String] = []
  }

  /// - Parameters:
  ///   - policies: tenants to make, by name, with their policy files' texts.
  ///   - on: a database to begin on; a fresh one otherwise.
  ///   - smtp: a mail server's URL; files in a temporary directory otherwise.
  ///   - isSecure: as if a proxy before it spoke HTTPS.
  ///   - lists: the lists of passwords that it has.
  ///   - tokens: whether access tokens are verified at all.
  ///   - providers: how identity providers are spoken with.
  ///   - cost: of password hashes; suites about hashes hand in a real one.
  ///   - resolver: where names are asked for.
  ///   - attestRoot: the roots of attested apps, in PEM.
  ///   - senders: who policies may send as, beside the server's own address.
  package static func start(
    policies: [String: String] = [:], on shared: TestDatabase? = nil, clock: TestClock = TestClock(),
    smtp: String? = nil, isSecure: Bool = false, tokens: TokenCheck = .verified, lists: [String] = TestLists.names,
    providers: (any ProviderClient)? = nil, cost: PasswordCost = .cheapest,
    outbound: OutboundHTTP.Settings = OutboundHTTP.Settings(addresses: ReachableAddresses(allowsLoopback: true)),
    resolver: SystemTextRecords.Resolver? = nil, attestRoot: String? = nil, senders: [String] = []
  ) async throws -> TestServer {
    // Each server has connections and threads of its own; two cores and one cluster carry a few at a time.
    await places.enter()
    do {
      let installation = try await TestInstallation.make(policies, on: shared, at: clock.now)
      let secrets = Secrets(
        outbound: outbound, keyEncryptionKey: installation.keyEncryptionKey, otherKeyEncryptionKey: nil,
        pepper: .random(), publicURL: nil, isSecure: isSecure, tokens: tokens, lists: lists, providers: providers,
        cost: cost, attestRoot: attestRoot, resolver: resolver, senders: senders)
      return try await open(installation, clock, smtp, secrets, hasPlace: true)
    } catch {
      await places.leave()
      throw error
    }
  }

  /// Another server of the same installation: same database, keys, clock and public URL, a port of its own. The first one
  /// may run on beside it, or have stopped. `keys` are its key-encryption keys, where those are being changed; `cost` that of its
  /// password hashes, where that is being changed; `lists` and `senders` those that it has.
  package func sibling(
    smtp: String? = nil, keys: (sealing: SealingKey, other: SealingKey?)? = nil, cost: PasswordCost? = nil,
    lists: [String]? = nil, senders: [String]? = nil
  ) async throws -> TestServer {
    let shared = Secrets(
      outbound: secrets.outbound, keyEncryptionKey: keys?.sealing ?? secrets.keyEncryptionKey,
      otherKeyEncryptionKey: keys?.other, pepper: secrets.pepper, publicURL: services.publicURL,
      isSecure: secrets.isSecure, tokens: secrets.tokens, lists: lists ?? secrets.lists,
      providers: secrets.providers, cost: cost ?? secrets.cost,
      attestRoot: secrets.attestRoot, senders: senders ?? secrets.senders)
    // It takes no place: whoever holds one must not wait for another.
    let installation = TestInstallation(
      database: storage, keyEncryptionKey: shared.keyEncryptionKey, tenants: [], missing: [:])
    return try await TestServer.open(installation, clock, smtp, shared, hasPlace: false)
  }

  /// An installation with these tenants that no server runs on any more.
  static func installation(of policies: [String: String]) async throws -> TestInstallation.Template {
    let clock = TestClock()
    let empty = TestInstallation(
      database: try await .make(), keyEncryptionKey: try .random(version: 1), tenants: [], missing: policies)
    let secrets = Secrets(
      outbound: OutboundHTTP.Settings(), keyEncryptionKey: empty.keyEncryptionKey, otherKeyEncryptionKey: nil,
      pepper: .random(), publicURL: nil, isSecure: false, tokens: .verified, lists: TestLists.names, providers: nil,
      cost: .cheapest)
    let server = try await open(empty, clock, nil, secrets, hasPlace: false)
    let tenants = server.services.registry.all
    await server.stop()
    return TestInstallation.Template(
      database: empty.database, keyEncryptionKey: empty.keyEncryptionKey, tenants: tenants, madeAt: clock.now)
  }

  /// The server of `SharedServer`: it takes no place, for tests that share it wait for each other, and it follows no change, so that
  /// nothing of a former test's tenants arrives later.
  static func startShared() async throws -> TestServer {
    let clock = TestClock()
    let installation = try await TestInstallation.make(TestInstallation.shipped(), on: nil, at: clock.now)
    let secrets = Secrets(
      outbound: OutboundHTTP.Settings(addresses: ReachableAddresses(allowsLoopback: true)),
      keyEncryptionKey: installation.keyEncryptionKey, otherKeyEncryptionKey: nil, pepper: .random(), publicURL: nil,
      isSecure: false, tokens: .verified, lists: TestLists.names, providers: nil, cost: .cheapest)
    return try await open(installation, clock, nil, secrets, hasPlace: false, follows: false)
  }

  /// Puts a new tenant in the place of each: its name and policy, an id and keys of its own.
  func renewTenants() async throws {
    try? FileManager.default.removeItem(atPath: mailDirectory)
    let directory = services.directory
    for old in services.registry.all {
      guard let bundle = try await directory.bundle(old.name) else { continue }
      try await directory.disableAndDelete(bundle.tenant, at: clock.now)
      var tenant = bundle.tenant
      tenant.id = TenantID(services.clock.makeID())
      let keys = try KeyMaterial(for: tenant.id, wrappedBy: services.keyEncryptionKey, at: clock.now)
      try await directory.create(
        tenant, dataKey: keys.dataKey, signingKey: keys.signingKey, policy: bundle.policy,
        audit: AuditEntry(
          id: services.clock.makeID(), at: clock.now, event: .tenantCreated, actor: "operator:test", revision: 1),
        keeping: nil)
      // The policy is served already and is not compiled again.
      try await TenantLoader(services).load(old.name)
    }
  }

  private static let places = TurnTaking(places: 4)

  private static func open(
    _ installation: TestInstallation, _ clock: TestClock, _ smtp: String?, _ secrets: Secrets, hasPlace: Bool,
    follows: Bool = true
  ) async throws -> TestServer {
    let server = try await TestServer(installation.database, clock, smtp, secrets, hasPlace: hasPlace)
    for tenant in installation.tenants { server.services.registry.replace(tenant) }
    for (name, text) in installation.missing.sorted(by: { $0.key < $1.key }) { try await server.makeTenant(name, text) }
    try await TenantLoader(server.services).loadAll()
    if follows { await server.follow() }
    return server
  }

  private init(
    _ test: TestDatabase, _ clock: TestClock, _ smtp: String?, _ secrets: Secrets, hasPlace: Bool
  ) async throws {
    self.clock = clock
    self.secrets = secrets
    self.hasPlace = hasPlace
    storage = test
    database = try await test.connect { $0.clock = { clock.now } }
    jobs = try await test.connect(user: Roles.jobs) {
      $0.clock = { clock.now }
      $0.interactive = 1
    }
    let monotonic: @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds }
    hashes = HashPool(
      limits: HashPool.Limits(threads: 2, waiting: 64), cost: secrets.cost, monotonic: monotonic)
    let isLate = LockBox(false)
    self.isLate = isLate
    let loops = TestCluster.loops
    let registry = TenantRegistry()
    let address = ListenAddress.tcp(host: "127.0.0.1", port: 0)
    // The listener is there before the services, which need its port for links and issuers.
    let publicServer = LockBox<PublicServer?>(nil)
    // Clients keep connections open; a stopping server must not wait for each of them to notice.
    var limits = HTTPLimits()
    limits.linger = .milliseconds(100)
    limits.drainGrace = .milliseconds(100)
    let main = try HTTPServer(
      loops: loops, address: address, limits: limits, handlers: { TestServer.handlers(publicServer) })
    url = "http://\(main.address)"
    outbound = OutboundHTTP(loop: loops.loops[0], secrets.outbound)
    webhookTransport = WebhookHTTP(outbound)
    mailDirectory = TestFolder.path("mail")
    let transport: any MailTransport =
      if let smtp { SMTPTransport(try SMTPSettings(url: smtp)) } else { MailFiles(directory: mailDirectory) }
    let renderer = try MailTemplates()
    services = Services(
      store: PostgresStore(database), directory: PostgresTenantDirectory(database, jobs: jobs),
      adminTokens: PostgresAdminTokens(database) {
        try await test.connect(user: Roles.migrator) {
          $0.clock = { clock.now }
          $0.connections = 2
        }
      },
      servers: PostgresServers(database),
      passwords: Passwords(pool: hashes) { isLate.withLock { $0 } ? 0 : monotonic() },
      facts: try TestLists.facts(secrets.lists),
      keyEncryptionKey: secrets.keyEncryptionKey, otherKeyEncryptionKey: secrets.otherKeyEncryptionKey,
      codes: CodeMint(pepper: secrets.pepper), clock: clock.clock,
      publicURL: secrets.publicURL ?? url, registry: registry,
      providers: secrets.providers ?? ProviderHTTP(outbound, clock: clock.clock),
      reach: TestReach(
        webhooks: webhookTransport, renderer: renderer, transport: transport, at: main.address,
        records: SystemTextRecords(secrets.resolver)),
      attestRoots: try secrets.attestRoot.map { try CertificateRoots(pem: Array($0.utf8)) },
      senders: AllowedSenders(
        own: "no-reply@auth.example.com", patterns: secrets.senders.compactMap { SenderPattern($0) }))
    let metrics = Metrics()
    let built = PublicServer(
      services, metrics: metrics, isSecure: secrets.isSecure, verifyingTokens: secrets.tokens.verifier
    ) { _ in }
    publicServer.withLock { $0 = built }
    let operationsServer = OperationsServer(registry: registry, metrics: metrics, version: "test") { [:] }
    let operations = try HTTPServer(
      loops: loops, address: address, limits: limits, handlers: operationsServer.handlers)
    operationsURL = "http://\(operations.address)"
    let operatorsServer = AdminServer(services, metrics: metrics, isSecure: secrets.isSecure) { _ in }
    var adminLimits = AdminServer.limits
    adminLimits.linger = limits.linger
    adminLimits.drainGrace = limits.drainGrace
    let admin = try HTTPServer(loops: loops, address: address, limits: adminLimits, handlers: operatorsServer.handlers)
    adminURL = "http://\(admin.address)"
    servers = [main, operations, admin]
    mail = DeliverMail(
      queue: PostgresOutboxQueue(jobs), renderer: renderer, transport: transport, services)
    webhooks = DeliverWebhooks(queue: PostgresWebhookQueue(jobs), transport: webhookTransport, services)
    following = LockBox(nil)
    let troubles = LockBox<[SealAudit.Trouble]>([])
    sealTroubles = troubles
    sealer = SealAudit(PostgresAuditQueue(jobs), services) { trouble, _ in troubles.withLock { $0.append(trouble) } }
  }

  /// Those of a server that is there later: each loop asks it for its own when the first request comes.
  private static func handlers(_ server: LockBox<PublicServer?>) -> Handlers {
    let own = LockBox<Handlers?>(nil)
    @Sendable func handlers() -> Handlers? {
      own.withLock { own in
        if own == nil { own = server.withLock { $0 }?.handlers() }
        return own
      }
    }
    return Handlers(
      immediately: { handlers()?.immediately($0) },
      refusal: { handlers()?.refusal($0, $1) ?? Response(status: $0) }
    ) { request in
      guard let handlers = handlers() else { return Response(status: 503) }
      return await handlers.handler(request)
    }
  }

  /// Gives grants back to their providers that are gone here, as the job would; says how many there were.
  package func revokeGrants() async throws -> Int {
    try await RevokeGrants(PostgresRevocationQueue(jobs), services).runOnce()
  }

  /// Refreshes what ends soon at providers that are to be kept warm, one round, as the job would.
  @discardableResult
  package func warmGrants() async -> Bool { await WarmGrants(services).runOnce() }

  /// Seals what waits in the audit trails, as the job would.
  package func sealAudit() async throws { while try await sealer.runOnce() {} }

  /// Makes a tenant from a policy's text.
  package func makeTenant(_ name: String, _ text: String) async throws {
    guard let tenant = TenantName(name) else { return }
    _ = try await Tenants.create(
      tenant, displayName: nil, policy: text, file: "\(name).yaml",
      author: Author(.operator("test"), name: "test", reason: "test"), services)
    try await TenantLoader(services).load(tenant)
  }

  /// A new admin token, made as at the command line.
  package func adminToken(
    _ name: String = "test", scopes: [AdminScope] = AdminScope.allCases, tenants: [String]? = nil, life: Int? = nil
  ) async throws -> String {
    try await AdminRoutes.run(
      CreateAdminTokenOperation.self, .init(name: name, scopes: scopes, tenants: tenants, expiresIn: life),
      OperatorCall(Operator(atCommandLine: "test"), services, requestID: "test")
    ).token
  }

  /// Applies a text as the tenant's next policy; every server that follows hears of it from the database.
  package func apply(
    _ text: String, to name: String, allowsWeaker: Bool = false, allowsLockout: Bool = false
  ) async throws -> Policies.Outcome {
    try await Policies.apply(
      text, file: "\(name).yaml", to: try await Tenants.find(name, services),
      consent: Policies.Consent(weaker: allowsWeaker, lockout: allowsLockout),
      author: Author(.operator("test"), name: "test", reason: "test"), services)
  }

  /// Sends what waits in the outbox, as the worker would.
  package func deliverMail() async throws { while try await mail.runOnce() > 0 {} }

  /// Sends what is due to webhooks, one round; how many messages that were.
  @discardableResult
  package func deliverWebhooks() async throws -> Int { try await webhooks.runOnce() }

  /// Delivers to webhooks as the running server does, until the task is cancelled. Each look at an empty queue is counted by `pause`.
  package func keepDeliveringWebhooks(pause: @escaping @Sendable () async -> Void) async {
    await webhooks.run(pause: pause) { _ in }
  }

  /// The newest mail to an address, after sending what waits.
  package func latestMail(to address: String) async throws -> StoredMail? {
    try await deliverMail()
    return try MailFilesReader(directory: mailDirectory).latest(to: address)?.mail
  }

  /// The newest mail to each address, after sending what waits.
  package func latestMails() async throws -> [String: StoredMail] {
    try await deliverMail()
    let all = try MailFilesReader(directory: mailDirectory).list()
    return Dictionary(all.map { ($0.mail.to, $0.mail) }) { _, newer in newer }
  }

  /// How many mails went to an address.
  package func mailCount(to address: String) async throws -> Int {
    try await deliverMail()
    return try MailFilesReader(directory: mailDirectory).list().count { $0.mail.to == address }
  }

  /// From now on no password is hashed: the pool refuses as one does that is full.
  package func exhaustHashes() { hashes.shutDown() }

  /// Whether whoever has their turn has waited too long once a hash thread is free: no hash is made for them.
  package func loseTurns(_ late: Bool) { isLate.withLock { $0 = late } }

  /// Passwords that were hashed or checked so far: the work that a stranger can make this server do.
  package var hashesDone: Int { hashes.counts.done }

  /// KiB of memory that those went through, each pass counted: the time that they took, but for the machine.
  package var hashWork: UInt64 { hashes.counts.work }

  /// Ends listeners and connections. The database goes with the cluster.
  package func stop() async {
    following.withLock { $0 }?.cancel()
    for server in servers { _ = await server.drain(within: .seconds(5)) }
    await outbound.close()
    await jobs.stop()
    await database.stop()
    hashes.shutDown()
    try? FileManager.default.removeItem(atPath: mailDirectory)
    if hasPlace { await TestServer.places.leave() }
  }

  private func follow() async {
    let follow = FollowTenants(services)
    let before = services.registry.edition.generation
    let task = Task(executorPreference: TestCluster.loops.loops[0]) { await follow.run { _ in } }
    following.withLock { $0 = task }
    // Its first look loads all tenants. A test that counts statements must not count that.
    _ = try? await eventually { services.registry.edition.generation > before }
  }
}
