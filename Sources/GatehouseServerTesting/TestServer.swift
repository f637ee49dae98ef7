import Foundation
package import GatehouseAssembly
package import GatehouseIdentity
package import GatehouseOutbound
package import GatehousePostgres
package import GatehousePrimitives
import GatehousePolicyFile
package import GatehouseRuntime
import GatehouseServer
package import GatehouseAdminWire
import GatehouseWire
import GatehouseTesting

/// The whole server in this process: real listeners, a real database of its own, real mail, and a clock that tests
/// move.
package final class TestServer: Sendable {
  package let clock: TestClock
  /// `http://127.0.0.1:PORT`, or `http://localhost:PORT`.
  package let url: String
  package let operationsURL: String
  package let adminURL: String
  /// The storage, which outlives this server.
  package let storage: TestDatabase
  private let composition: Composition
  private let publicServer: PublicServer
  /// The jobs of a running server; none runs by itself.
  package let table: [Job]
  private let servers: [HTTPServer]
  private let time: TestTime
  /// Why the audit was not sealed.
  package let sealTroubles: LockBox<[SealAudit.Trouble]>
  private let mailDirectory: String
  private let following: LockBox<Task<Void, Never>?>
  private let secrets: TestSecrets
  private let hasPlace: Bool

  package var services: Services { composition.services }
  package var database: Database { composition.database }
  package var jobs: Database { composition.jobsDatabase }
  /// How webhooks leave this server: to this machine only as `start` was told.
  package var webhookTransport: any WebhookTransport { composition.webhooks }

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
  ///   - auditRetention: how long audit logs are kept at least; nil where none is cut.
  ///   - showsDevelopment: whether it has the pages of development.
  ///   - channels: channels beside mail.
  ///   - isLocal: whether it is reached as `localhost`, where browsers allow passkeys without HTTPS.
  ///   - follows: whether it hears of changes that others make.
  package static func start(
    policies: [String: String] = [:], on shared: TestDatabase? = nil, clock: TestClock = TestClock(),
    smtp: String? = nil, isSecure: Bool = false, tokens: TokenCheck = .verified, lists: [String] = TestLists.names,
    providers: (any ProviderClient)? = nil, cost: PasswordCost = .cheapest,
    outbound: OutboundHTTP.Settings = OutboundHTTP.Settings(addresses: ReachableAddresses(allowsLoopback: true)),
    resolver: SystemTextRecords.Resolver? = nil, attestRoot: String? = nil, senders: [String] = [],
    auditRetention: Duration? = .seconds(30 * 86_400), showsDevelopment: Bool = false,
    channels: [any Channel] = [], isLocal: Bool = false, follows: Bool = true
  ) async throws -> TestServer {
    // Each server has connections and threads of its own; two cores and one cluster carry a few at a time.
    await places.enter()
    do {
      let installation = try await TestInstallation.make(policies, on: shared, at: clock.now)
      let secrets = TestSecrets(
        outbound: outbound, keyEncryptionKey: installation.keyEncryptionKey, otherKeyEncryptionKey: nil,
        pepper: .random(), publicURL: nil, isSecure: isSecure, tokens: tokens, lists: lists, providers: providers,
        cost: cost, attestRoot: attestRoot, resolver: resolver, senders: senders, auditRetention: auditRetention,
        showsDevelopment: showsDevelopment, channels: channels, isLocal: isLocal)
      return try await open(installation, clock, smtp, secrets, hasPlace: true, follows: follows)
    } catch {
      await places.leave()
      throw error
    }
  }

  /// Another server of the same installation: same database, keys, clock and public URL, a port of its own. The first
  /// one may run on beside it, or have stopped. `keys` are its key-encryption keys, where those are being changed;
  /// `cost` that of its password hashes, where that is being changed; `lists` and `senders` those that it has. `copy`
  /// is a copy of the database to run on instead.
  package func sibling(
    smtp: String? = nil, keys: (sealing: SealingKey, other: SealingKey?)? = nil, cost: PasswordCost? = nil,
    lists: [String]? = nil, senders: [String]? = nil, on copy: TestDatabase? = nil
  ) async throws -> TestServer {
    let shared = TestSecrets(
      outbound: secrets.outbound, keyEncryptionKey: keys?.sealing ?? secrets.keyEncryptionKey,
      otherKeyEncryptionKey: keys?.other, pepper: secrets.pepper, publicURL: services.publicURL,
      isSecure: secrets.isSecure, tokens: secrets.tokens, lists: lists ?? secrets.lists,
      providers: secrets.providers, cost: cost ?? secrets.cost,
      attestRoot: secrets.attestRoot, senders: senders ?? secrets.senders)
    // It takes no place: a test that holds one must not wait for another.
    let installation = TestInstallation(
      database: copy ?? storage, keyEncryptionKey: shared.keyEncryptionKey, tenants: [], missing: [:])
    return try await TestServer.open(installation, clock, smtp, shared, hasPlace: false)
  }

  /// An installation with these tenants that no server runs on any more.
  static func installation(of policies: [String: String]) async throws -> TestInstallation.Template {
    let clock = TestClock()
    let empty = TestInstallation(
      database: try await .make(), keyEncryptionKey: try .random(version: 1), tenants: [], missing: policies)
    let secrets = TestSecrets(
      outbound: OutboundHTTP.Settings(), keyEncryptionKey: empty.keyEncryptionKey, otherKeyEncryptionKey: nil,
      pepper: .random(), publicURL: nil, isSecure: false, tokens: .verified, lists: TestLists.names, providers: nil,
      cost: .cheapest)
    let server = try await open(empty, clock, nil, secrets, hasPlace: false)
    let tenants = server.services.registry.all
    await server.stop()
    return TestInstallation.Template(
      database: empty.database, keyEncryptionKey: empty.keyEncryptionKey, tenants: tenants, madeAt: clock.now)
  }

  /// The server of `SharedServer`: it takes no place, for tests that share it wait for each other, and it follows no
  /// change, so that nothing of a former test's tenants arrives later.
  static func startShared() async throws -> TestServer {
    let clock = TestClock()
    let installation = try await TestInstallation.make(TestInstallation.shipped(), on: nil, at: clock.now)
    let secrets = TestSecrets(
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
      let made = AuditEntry(
        id: services.clock.makeID(), at: clock.now, event: .tenantCreated, actor: "operator:test", revision: 1)
      try await directory.create(
        tenant, dataKey: keys.dataKey, signingKey: keys.signingKey, policy: bundle.policy, floor: 0,
        audit: made, record: made, keeping: nil)
      // The policy is served already and is not compiled again.
      try await TenantLoader(services).load([old.name])
    }
  }

  private static let places = ConcurrencyLimit(places: 4)

  private static func open(
    _ installation: TestInstallation, _ clock: TestClock, _ smtp: String?, _ secrets: TestSecrets, hasPlace: Bool,
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
    _ test: TestDatabase, _ clock: TestClock, _ smtp: String?, _ secrets: TestSecrets, hasPlace: Bool
  ) async throws {
    self.clock = clock
    self.secrets = secrets
    self.hasPlace = hasPlace
    storage = test
    let time = TestTime()
    self.time = time
    let address = ListenAddress.tcp(host: "127.0.0.1", port: 0)
    // The listener is there before the services, which need its port for links and issuers.
    let publicServer = LockBox<PublicServer?>(nil)
    let undeclared = UndeclaredCodes()
    // Clients keep connections open; a stopping server must not wait for each of them to notice.
    var limits = HTTPLimits()
    limits.linger = .milliseconds(100)
    limits.drainGrace = .milliseconds(100)
    let loops = TestCluster.loops
    let main = try HTTPServer(
      loops: loops, address: address, limits: limits, handlers: { TestServer.handlers(publicServer, undeclared) })
    url = "http://\(secrets.isLocal ? "\(main.address)".replacing("127.0.0.1", with: "localhost") : "\(main.address)")"
    mailDirectory = TestFolder.path("mail")
    let troubles = LockBox<[SealAudit.Trouble]>([])
    sealTroubles = troubles
    let composition = Composition(
      try secrets.settings(on: test, clock, reachedAt: url),
      try secrets.outside(clock, time, smtp: smtp, mailDirectory: mailDirectory, reachedAt: "\(main.address)")
    ) { event in
      if case .auditNotSealed(_, let trouble) = event { troubles.withLock { $0.append(trouble) } }
    }
    self.composition = composition
    table = try composition.jobs()
    try await composition.connect()
    let built = composition.publicServer(verifyingTokens: secrets.tokens.verifier, log: undeclared.judge)
    publicServer.withLock { $0 = built }
    self.publicServer = built
    let operations = try HTTPServer(
      loops: loops, address: address, limits: limits, handlers: composition.operationsServer().handlers)
    operationsURL = "http://\(operations.address)"
    var adminLimits = AdminServer.limits
    adminLimits.linger = limits.linger
    adminLimits.drainGrace = limits.drainGrace
    let admin = try HTTPServer(
      loops: loops, address: address, limits: adminLimits, handlers: composition.adminServer { _ in }.handlers)
    adminURL = "http://\(admin.address)"
    servers = [main, operations, admin]
    following = LockBox(nil)
  }

  /// Those of a server that is there later: each loop asks it for its own when the first request comes.
  private static func handlers(_ server: LockBox<PublicServer?>, _ undeclared: UndeclaredCodes) -> Handlers {
    let own = LockBox<Handlers?>(nil)
    @Sendable func handlers() -> Handlers? {
      own.withLock { own in
        if own == nil { own = server.withLock { $0 }?.handlers() }
        return own
      }
    }
    return Handlers(
      immediately: { handlers()?.immediately($0) },
      refusal: { handlers()?.refusal($0, $1) ?? Response(status: $0) },
      tooLarge: { handlers()?.tooLarge($0) }
    ) { request in
      guard let handlers = handlers() else { return Response(status: 503) }
      return undeclared.judged(await handlers.handler(request))
    }
  }

  /// One round of a job of the running server; whether there is more to do at once.
  package func round(of name: Job.Name) async throws -> Bool {
    guard let round = table.first(where: { $0.name == name })?.round else { throw NoRounds(name: name) }
    return try await round()
  }

  private struct NoRounds: Error { let name: Job.Name }

  /// The work of a job in a running server, until its task is cancelled. It keeps no hold of this server.
  private func work(_ name: Job.Name, _ runner: JobRunner) -> @Sendable () async -> Void {
    let jobs = table.filter { $0.name == name }
    return { for job in jobs { await runner.run(job) } }
  }

  /// Gives grants back to their providers that are gone here, as the job would; says how many there were.
  package func revokeGrants() async throws -> Int {
    try await RevokeGrants(PostgresRevocationQueue(jobs), services).runOnce()
  }

  /// Refreshes what ends soon at providers that are to be kept warm, one round, as the job would.
  @discardableResult
  package func warmGrants() async -> Bool { (try? await round(of: .warmGrants)) == true }

  /// Seals what waits in the audit logs, as the job would.
  package func sealAudit() async throws { while try await round(of: .sealAudit) {} }

  /// Makes a tenant from a policy's text.
  package func makeTenant(_ name: String, _ text: String) async throws {
    guard let tenant = TenantName(name) else { return }
    _ = try await Tenants.create(
      tenant, displayName: nil, policy: PolicyCandidate(text, file: "\(name).yaml", services),
      author: Author(.operator("test"), name: "test", reason: "test"), services)
    try await TenantLoader(services).load([tenant])
  }

  /// A new admin token, made as at the command line.
  package func adminToken(
    _ name: String = "test", scopes: [AdminScope] = AdminScope.allCases, tenants: [String]? = nil, life: Int? = nil
  ) async throws -> String {
    try await AdminRoutes.run(
      CreateAdminTokenOperation.self, .init(name: name, scopes: scopes, tenants: tenants, expiresIn: life), asOperator
    ).token ?? ""
  }

  /// The operations of an operator at the command line beside this server.
  package var asOperator: OperatorCall {
    OperatorCall(Operator(atCommandLine: "test"), services, requestID: "test")
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
  package func deliverMail() async throws { while try await round(of: .deliverMail) {} }

  /// Sends what is due to webhooks, one round; how many messages that were.
  @discardableResult
  package func deliverWebhooks() async throws -> Int {
    try await DeliverWebhooks(queue: PostgresWebhookQueue(jobs), transport: webhookTransport, services).runOnce()
  }

  /// Delivers to webhooks as the running server does, until the task is cancelled. Each look at an empty queue is
  /// counted by `pause`.
  package func keepDeliveringWebhooks(pause: @escaping @Sendable () async -> Void) async {
    await work(.deliverWebhooks, composition.runner { _ in await pause() })()
  }

  /// Whether this server seals and sweeps for all.
  package var runsSharedJobs: Bool { jobs.jobsLock.isHeld }

  /// Runs a job as the running server does, until its first pause.
  package func runUntilPause(_ name: Job.Name) async {
    let work = work(name, composition.runner { _ in withUnsafeCurrentTask { $0?.cancel() } })
    await Task { await work() }.value
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

  /// How many mails went to an address, with this subject or any.
  package func mailCount(to address: String, subject: String? = nil) async throws -> Int {
    try await deliverMail()
    return try MailFilesReader(directory: mailDirectory).list().count {
      $0.mail.to == address && (subject == nil || $0.mail.subject == subject)
    }
  }

  /// From now on no password is hashed: the pool refuses as a full one does.
  package func exhaustHashes() { composition.hashes.shutDown() }

  /// Whether a caller that has a turn has waited too long once a hash thread is free: no hash is made for it.
  package func loseTurns(_ late: Bool) { time.leap(late) }

  /// Passwords that were hashed or checked so far: the work that a stranger can make this server do.
  package var hashesDone: Int { composition.hashes.counts.done }

  /// KiB of memory that those hashes went through, each pass counted: a measure of their time that does not depend on
  /// the machine.
  package var hashWork: UInt64 { composition.hashes.counts.work }

  /// The answer to a request that came over no connection, so that its peer may be any.
  package func answer(to request: Request) async -> Response { await publicServer.handlers().handler(request) }

  /// Ends listeners and connections. The database goes with the cluster.
  package func stop() async {
    following.withLock { $0 }?.cancel()
    for server in servers { _ = await server.drain(within: .seconds(5)) }
    await composition.close()
    try? FileManager.default.removeItem(atPath: mailDirectory)
    if hasPlace { await TestServer.places.leave() }
  }

  /// Compares its tenants with the database as the running server does, until the task is cancelled. `pause` is told
  /// how long it waits between two looks.
  package func keepFollowing(pause: @escaping @Sendable (Duration) async -> Void) async {
    await work(.followTenants, composition.runner(pause))()
  }

  /// The state of the database, as far as it is known.
  package var standing: DatabaseStanding { composition.standing }

  /// Hears of each change, and looks for none by itself: a statement that comes every ten seconds would be counted by
  /// tests that count statements.
  private func follow() async {
    let before = composition.standing.looks
    let work = work(.followTenants, composition.runner { _ in try? await Task.sleep(for: .seconds(86_400)) })
    let task = Task(executorPreference: TestCluster.loops.loops[0]) { await work() }
    following.withLock { $0 = task }
    // A test that counts statements must not count those of the first look.
    _ = try? await eventually { composition.standing.looks > before }
  }
}
