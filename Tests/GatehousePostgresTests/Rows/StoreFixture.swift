import Foundation
import GatehouseIdentity
import GatehousePolicy
@testable import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// A fresh database with the whole schema, one tenant and a clock that stands still until it is moved.
struct StoreFixture: Sendable {
  let place: TestDatabase
  let app: Database
  let jobs: Database
  let clock: TestClock
  let directory: PostgresTenantDirectory
  let tenant: TenantID
  let store: any TenantStore

  var now: Date { clock.now }

  /// Another server on the same database.
  func replica() async throws -> Database {
    let clock = clock
    return try await place.connect { StoreFixture.widen(&$0, clock) }
  }

  /// Makes another tenant and opens it.
  func makeTenant(_ name: String) async throws -> (id: TenantID, store: any TenantStore) {
    let id = TenantID(UUID())
    try await StoreFixture.create(name, id, directory, now)
    return (id, PostgresStore(app).open(id))
  }

  /// Disables the tenant and removes it.
  func delete(_ tenant: TenantID) async throws {
    let record = try #require(try await directory.tenants().first { $0.id == tenant })
    try await directory.disableAndDelete(record, at: now)
  }

  /// What a superuser sees, whom no row-level security binds.
  func everything(_ statement: SQL) async throws -> Rows {
    let all = try await place.connect(user: Embedded.superuser)
    let rows = try await all.read(nil, statement)
    await all.stop()
    return rows
  }

  /// Makes the second change while the transaction of the first is open: it commits when the second waits for it, or
  /// did not care to.
  func overlap(_ first: Change, with second: Change, as authority: Authority = .operator) async throws {
    let store = store
    let waiting = try await app.transaction(tenant.uuid) { transaction in
      _ = try await transaction.query(first.statements)
      let isDone = Flag()
      let waiting = Task {
        defer { isDone.raise() }
        try await store.commit([second], as: authority)
      }
      while !isDone.isRaised { if try await hasLockWaiter() { break } }
      return waiting
    }
    try await waiting.value
  }

  /// Whether a statement of this database waits for another one's lock.
  func hasLockWaiter() async throws -> Bool {
    try await app.read(
      nil,
      """
      SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')
      """
    ).single()?[0] ?? false
  }

  static func create(
    _ name: String, _ id: TenantID, _ directory: PostgresTenantDirectory, _ now: Date
  ) async throws {
    try await directory.create(
      TenantRecord(
        id: id, name: try #require(TenantName(name)), displayName: "The \(name)", enabled: true, createdAt: now),
      dataKey: SealedDataKey(version: 1, sealed: [1, 2, 3], createdAt: now),
      signingKey: StoredSigningKey(
        kid: "k-\(name)", state: .active, sealedPrivateKey: [4, 5], createdAt: now, changedAt: now),
      policy: revision(1, now), floor: 0, audit: entry(.tenantCreated, now),
      record: entry(.tenantCreated, now), keeping: nil)
  }

  static func revision(_ number: Int, _ now: Date) -> PolicyRevision {
    PolicyRevision(
      number: number, text: "app: {name: \(number)}\n", digest: hash(UInt8(clamping: number)), author: "operator:root",
      reason: "because", createdAt: now)
  }

  /// No queue ever refuses a test's burst.
  static func widen(_ configuration: inout DatabaseConfiguration, _ clock: TestClock) {
    configuration.clock = { clock.now }
    configuration.pendingPerConnection = 10_000
    configuration.waiting = 10_000
    configuration.patience = .seconds(60)
    configuration.readTimeout = .seconds(60)
    configuration.writeTimeout = .seconds(60)
  }
}

/// Runs `body` on a fresh store and removes it afterwards.
func withStore(_ body: (StoreFixture) async throws -> Void) async throws {
  try await inPlace { try await withOpenStore(body) }
}

private func withOpenStore(_ body: (StoreFixture) async throws -> Void) async throws {
  let place = try await TestDatabase.make()
  let clock = TestClock()
  let app = try await place.connect { StoreFixture.widen(&$0, clock) }
  let jobs = try await place.connect(user: Roles.jobs) { StoreFixture.widen(&$0, clock) }
  let directory = PostgresTenantDirectory(app, jobs: jobs)
  let tenant = TenantID(UUID())
  var problem: (any Error)?
  do {
    try await StoreFixture.create("first", tenant, directory, clock.now)
    try await body(
      StoreFixture(
        place: place, app: app, jobs: jobs, clock: clock, directory: directory, tenant: tenant,
        store: PostgresStore(app).open(tenant)))
  } catch {
    problem = error
  }
  await jobs.stop()
  await app.stop()
  if let problem { throw problem }
  try await place.drop()
}

/// A UUIDv7 that sorts by `number`.
func id(_ number: Int) -> UUID {
  var bytes = [UInt8](repeating: 0, count: 16)
  bytes[6] = 0x70
  bytes[8] = 0x80
  for index in 0..<4 { bytes[15 - index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
  return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
}

/// 32 bytes that differ for each seed.
func hash(_ seed: UInt8, _ more: UInt8 = 0) -> [UInt8] { [seed, more] + [UInt8](repeating: 0xA5, count: 30) }

func sampleUser(_ number: Int, email: String? = nil, _ now: Date) -> StoredUser {
  StoredUser(
    id: UserID(id(number)), email: email ?? "person\(number)@example.com", profile: ["name": "Person"],
    createdAt: now, updatedAt: now)
}

extension StoredUser {
  /// The address, which `sampleUser` gives every user.
  var address: String { email ?? "none" }
}

func session(_ number: Int, of user: StoredUser, _ now: Date, lives: TimeInterval = 3600) -> Session {
  Session(
    id: SessionID(id(number)), user: user.id, createdAt: now, lastSeenAt: now,
    proofs: proofs(of: user.id, .password, at: now), expiresAt: now.addingTimeInterval(lives * 10),
    idleExpiresAt: now.addingTimeInterval(lives),
    deviceName: "Phone")
}

func proofs(
  of user: UserID, _ first: Proof.Method, _ others: Proof.Method..., at now: Date,
  tenant: TenantID = TenantID(id(1))
) -> Proofs {
  Proofs(
    tenant: tenant, user: user, first: Proof(method: first, at: now),
    others.map { Proof(method: $0, at: now) })
}

func token(_ seed: UInt8, _ more: UInt8 = 0, of session: Session, _ now: Date) -> RefreshToken {
  RefreshToken(hash: hash(seed, more), session: session.id, createdAt: now)
}

func code(
  _ number: Int, _ purpose: CodePurpose = .resetPassword, user: StoredUser?, to: String = "person1@example.com",
  _ now: Date, payload: [UInt8]? = nil
) -> OneTimeCode {
  OneTimeCode(
    id: id(number), purpose: purpose, user: user?.id, destination: .email(to), tokenHash: hash(UInt8(number)),
    codeMAC: [9, 9], tokenExpiresAt: now.addingTimeInterval(3600), codeExpiresAt: now.addingTimeInterval(600),
    sealedPayload: payload, createdAt: now)
}

func entry(_ event: AuditEvent, _ now: Date, _ number: Int? = nil) -> AuditEntry {
  AuditEntry(id: number.map { id($0) } ?? UUID(), at: now, event: event, actor: "operator:root")
}

func grant(
  of user: StoredUser, provider: String = "google", version: Int64 = 1, isRevocable: Bool = true, _ now: Date
) -> StoredGrant {
  StoredGrant(
    user: user.id, provider: provider, version: version, providerUserHash: hash(1), sealedTokens: [UInt8(version)],
    isRevocable: isRevocable, keptAt: now, expiresAt: now.addingTimeInterval(3600))
}

func identity(
  of user: StoredUser, provider: String = "google", subject: String = "s1", isExclusive: Bool = true,
  scopes: [String] = ["read"], _ now: Date
) -> ProviderIdentity {
  ProviderIdentity(
    user: user.id, provider: provider, issuer: "https://\(provider).example", subject: subject,
    isExclusive: isExclusive, link: LinkedIdentity(provider: provider, scopes: scopes, linkedAt: now))
}

/// A person who is away at a provider.
func flow(_ number: Int, of user: StoredUser? = nil, holder: UInt8? = nil, session: Int? = nil) -> Ticket {
  Ticket(
    hash: hash(UInt8(number)), purpose: user == nil ? .providerSignIn : .providerLink, provider: "google",
    user: user?.id, session: session.map { SessionID(id($0)) }, holderHash: holder.map { hash($0) },
    sealedPayload: [1, 2])
}

/// What the holder of a ticket presents.
func claim(_ ticket: Ticket) -> TicketClaim {
  TicketClaim(
    hash: ticket.hash, purpose: ticket.purpose, provider: ticket.provider, session: ticket.session,
    client: ticket.client, holderHash: ticket.holderHash)
}

/// A key as a tenant's vault would make it, without a vault.
func signInKey(_ tenant: TenantID, _ email: String) -> SignInKey {
  SignInKey(bytes: SHA256.digest("\(tenant.uuid) \(email)"))
}

func mail(_ number: Int, _ now: Date, lives: TimeInterval = 3600) -> OutgoingMessage {
  OutgoingMessage(
    id: id(number), kind: .verifyEmail, channel: .mail, sealedOrder: [7, 7], createdAt: now,
    expiresAt: now.addingTimeInterval(lives))
}

/// The store's error of an operation that must fail.
func refusal<Value>(of body: () async throws -> Value) async -> StoreError? {
  do {
    _ = try await body()
    return nil
  } catch {
    if !(error is StoreError) { Issue.record("not a StoreError: \(error)") }
    return error as? StoreError
  }
}

/// Raised once, by the first task that gets there.
final class Flag: @unchecked Sendable {
  // SAFETY: the lock guards `value`.
  private let lock = NSLock()
  private var value = false

  func raise() { lock.withLock { value = true } }
  var isRaised: Bool { lock.withLock { value } }
}

/// How many of `count` calls, all at once, succeed; every failure must be `expected`.
func race(
  _ count: Int, failing expected: StoreError, _ body: @escaping @Sendable (Int) async throws -> Void
) async -> Int {
  await withTaskGroup(of: Bool.self) { group in
    for number in 0..<count {
      group.addTask {
        do {
          try await body(number)
          return true
        } catch {
          #expect(error as? StoreError == expected)
          return false
        }
      }
    }
    return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
  }
}
