package import Foundation
package import GatehousePolicy
package import GatehousePolicyFile
package import GatehousePrimitives

/// The dependencies of all features. Made once, by the assembly; clock and randomness are handed in with it.
package struct Services: Sendable {
  package let store: any Store
  package let directory: any TenantDirectory
  package let adminTokens: any AdminTokenStore
  package let servers: any ServerStore
  package let passwords: Passwords
  /// The library functions that rules need: lists, strength, numbers, domains.
  package let facts: any FactSource
  /// Wraps the tenants' data keys.
  package let keyEncryptionKey: SealingKey
  /// Opens data keys that are not wrapped anew yet, or wrapped already, while operators change to another key.
  package let otherKeyEncryptionKey: SealingKey?
  package let codes: CodeMint
  package let clock: Clock
  /// Where this server is reached from outside, without a trailing slash; a policy may override it for its tenant.
  package let publicURL: String
  package let registry: TenantRegistry
  /// The policy files of stored revisions, as far as they are read.
  package let files = StoredFiles()
  /// Speaks with identity providers.
  package let providers: any ProviderClient
  /// Percent of the people seen within 30 days who may lose full access by a policy without the author's consent.
  package let lockoutShare: Int
  /// How many times as much as the policies' limits is allowed: more than 1 in development alone.
  package let limitFactor: Int
  /// How long audit logs are kept at least; nil where none is ever cut.
  package let auditRetention: Duration?
  /// How much of the limits of whole tenants is used up.
  package let budgets: BudgetWatch
  /// Bounds the rows that strangers can cause in the audit log.
  package let auditBudget = AuditBudget()
  /// Serialises password sign-ins per address on this server: the guard that all servers share counts attempts in
  /// progress as failures.
  package let signInQueue = KeyedQueue<SignInKey>(mostWaiting: 16)
  /// Short waits of forms, which the pages serve.
  package let waits = ShortWaits()
  /// Counts what is sealed.
  package let dataKeyUses = DataKeyUses()
  /// The sessions that made requests.
  package let seenSessions = SeenSessions()
  /// Counts and claims to return to the store.
  package let returns = Returns()
  /// The senders of mails: the server's own, and the allowed ones.
  package let senders: AllowedSenders
  /// The bounds that no policy may weaken.
  package let floor: Floor?
  /// Where operators' verbs reach the world outside; nil where nothing does.
  package let reach: (any OperatorReach)?
  /// Where addresses are, roughly; nil where the operator does not want that known.
  package let places: GeoIP?
  /// The roots that vouch for attested apps; nil where no policy can demand one.
  package let attestRoots: CertificateRoots?

  package init(
    store: any Store, budgets: BudgetWatch = BudgetWatch(), directory: any TenantDirectory,
    adminTokens: any AdminTokenStore,
    servers: any ServerStore, passwords: Passwords,
    facts: any FactSource,
    keyEncryptionKey: SealingKey, otherKeyEncryptionKey: SealingKey? = nil, codes: CodeMint, clock: Clock,
    publicURL: String, registry: TenantRegistry, providers: any ProviderClient, lockoutShare: Int = 1,
    limitFactor: Int = 1, auditRetention: Duration? = nil,
    floor: Floor? = nil, reach: (any OperatorReach)? = nil, places: GeoIP? = nil,
    attestRoots: CertificateRoots? = nil, senders: AllowedSenders = AllowedSenders(own: "no-reply@localhost")
  ) {
    self.store = store
    self.budgets = budgets
    self.directory = directory
    self.adminTokens = adminTokens
    self.servers = servers
    self.passwords = passwords
    self.facts = facts
    self.keyEncryptionKey = keyEncryptionKey
    self.otherKeyEncryptionKey = otherKeyEncryptionKey
    self.codes = codes
    self.clock = clock
    self.publicURL = publicURL
    self.registry = registry
    self.providers = providers
    self.lockoutShare = lockoutShare
    self.limitFactor = limitFactor
    self.auditRetention = auditRetention
    self.floor = floor
    self.reach = reach
    self.places = places
    self.attestRoots = attestRoots
    self.senders = senders
  }
}

/// The time of day, handed in so that tests can move it.
package struct Clock: Sendable {
  private let read: @Sendable () -> Date
  private let ids = UUIDSequence()
  package init(_ read: @escaping @Sendable () -> Date) { self.read = read }

  package var now: Date { read() }

  /// The machine's clock.
  package static let system = Clock { Date() }

  /// A new id for something made now: a UUIDv7, so that rows made together lie together, in the order in which they
  /// were made.
  package func makeID() -> UUID { ids.next(milliseconds: now.milliseconds) }
}

extension Date {
  /// Milliseconds since 1970, bounded to what an `Int64` holds.
  package var milliseconds: Int64 {
    let value = timeIntervalSince1970 * 1000
    return value.isFinite ? Int64(max(-4e15, min(4e15, value))) : 0
  }

  /// Seconds since 1970, rounded down.
  package var wholeSeconds: Int64 { milliseconds.quotientAndRemainder(dividingBy: 1000).quotient }
}
