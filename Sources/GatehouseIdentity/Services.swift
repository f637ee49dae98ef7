package import Foundation
package import GatehousePrimitives

/// The dependencies of all features. Made once, by the assembly; clock and randomness are handed in with it.
package struct Services: Sendable {
  package let store: any Store
  package let directory: any TenantDirectory
  package let adminTokens: any AdminTokenStore
  package let servers: any ServerStore
  package let floors: any FloorStore
  package let passwords: Passwords
  /// The choices that the operator may change while the server runs.
  package let choices: OperatorChoices
  /// The bounds that no policy may weaken.
  package let floor = FloorInForce()
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
  /// How many times as much as the policies' limits is allowed: more than 1 in development alone.
  package let limitFactor: Int
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
  /// Where operators' verbs reach the world outside; nil where nothing does.
  package let reach: (any OperatorReach)?
  /// Where addresses are, roughly; nil where the operator does not want that known.
  package let places: GeoIP?

  package init(
    store: any Store, budgets: BudgetWatch = BudgetWatch(), directory: any TenantDirectory,
    adminTokens: any AdminTokenStore,
    servers: any ServerStore, floors: any FloorStore, passwords: Passwords, choices: OperatorChoices,
    keyEncryptionKey: SealingKey, otherKeyEncryptionKey: SealingKey? = nil, codes: CodeMint, clock: Clock,
    publicURL: String, registry: TenantRegistry, providers: any ProviderClient, limitFactor: Int = 1,
    reach: (any OperatorReach)? = nil, places: GeoIP? = nil
  ) {
    self.store = store
    self.budgets = budgets
    self.directory = directory
    self.adminTokens = adminTokens
    self.servers = servers
    self.floors = floors
    self.passwords = passwords
    self.choices = choices
    self.keyEncryptionKey = keyEncryptionKey
    self.otherKeyEncryptionKey = otherKeyEncryptionKey
    self.codes = codes
    self.clock = clock
    self.publicURL = publicURL
    self.registry = registry
    self.providers = providers
    self.limitFactor = limitFactor
    self.reach = reach
    self.places = places
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
