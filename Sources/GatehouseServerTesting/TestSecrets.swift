import GatehouseAssembly
import GatehouseIdentity
import GatehouseOutbound
import GatehousePolicyFile
import GatehousePostgres
import GatehousePrimitives
import GatehouseRuntime
import GatehouseTesting

/// The common parts of servers of one installation beside the database.
struct TestSecrets: Sendable {
  let outbound: OutboundHTTP.Settings
  let keyEncryptionKey: SealingKey
  let otherKeyEncryptionKey: SealingKey?
  let pepper: MACKey
  /// The public URL of all servers; nil for a server that is reached at its own port.
  let publicURL: String?
  let isSecure: Bool
  let tokens: TokenCheck
  let lists: [String]
  let providers: (any ProviderClient)?
  let cost: PasswordCost
  /// The roots of attested apps, in PEM.
  var attestRoot: String?
  /// The name server to ask; nil for the machine's resolvers.
  var resolver: SystemTextRecords.Resolver?
  /// The senders that policies may name.
  var senders: [String] = []
  /// How long audit logs are kept at least; nil where none is cut.
  var auditRetention: Duration? = .seconds(30 * 86_400)
  /// Whether the server has the pages of development.
  var showsDevelopment = false
  /// Channels beside mail.
  var channels: [any Channel] = []
  /// Whether the server is reached as `localhost`.
  var isLocal = false

  /// The configuration of a server with this database, clock and URL.
  func settings(on storage: TestDatabase, _ clock: TestClock, reachedAt url: String) throws -> ServerSettings {
    let loops = TestCluster.loops.loops
    var settings = ServerSettings(
      loops: loops, background: loops[0],
      database: storage.configuration { $0.clock = { clock.now } },
      jobsDatabase: storage.configuration(user: Roles.jobs) {
        $0.clock = { clock.now }
        $0.interactive = 1
      },
      console: {
        try await storage.connect(user: Roles.migrator) {
          $0.clock = { clock.now }
          $0.connections = 2
        }
      },
      key: .init(sealing: keyEncryptionKey, pepper: pepper),
      otherKey: otherKeyEncryptionKey.map { .init(sealing: $0, pepper: pepper) }, publicURL: publicURL ?? outside(url),
      choices: try choices(), version: "test")
    settings.isSecure = isSecure
    settings.adminIsSecure = isSecure
    settings.showsDevelopment = showsDevelopment
    return settings
  }

  /// The URL by which clients reach a server that listens at this one.
  private func outside(_ url: String) -> String { isSecure ? url.replacing("http://", with: "https://") : url }

  private func choices() throws -> OperatorChoices {
    OperatorChoices(
      OperatorChoices.Values(
        facts: try TestLists.facts(lists),
        senders: AllowedSenders(own: "no-reply@auth.example.com", patterns: senders.compactMap { SenderPattern($0) }),
        auditRetention: auditRetention, attestRoots: try attestRoot.map { try CertificateRoots(pem: Array($0.utf8)) }))
  }

  /// Time, mail and the world outside, as tests have them; names of hosts lead to the server's own address.
  func outside(
    _ clock: TestClock, _ time: TestTime, smtp: String?, mailDirectory: String, reachedAt address: String
  ) throws -> Outside {
    let renderer = MailTemplates()
    let transport: any MailTransport =
      if let smtp { SMTPTransport(try SMTPSettings(url: smtp)) } else { MailFiles(directory: mailDirectory) }
    var outside = Outside(
      clock: clock.clock, monotonic: { time.now }, outbound: outbound,
      mail: .init(renderer: { renderer }, transport: { transport }),
      hashCost: cost, hashes: HashPool.Limits(threads: 2, waiting: 64))
    outside.resolver = resolver
    outside.hosts = TestHostProbe(address: address)
    outside.providers = providers
    outside.channels = channels
    return outside
  }
}
