package import Foundation
package import GatehousePolicy

/// A tenant as stored.
package struct TenantRecord: Sendable, Equatable {
  package var id: TenantID
  package var name: TenantName
  package var displayName: String
  package var enabled: Bool
  package var createdAt: Date
  /// The revision under which values without a destination are bound (`Unbound`); nil once there are none.
  package var pinnedRevision: Int?

  package init(
    id: TenantID, name: TenantName, displayName: String, enabled: Bool, createdAt: Date, pinnedRevision: Int? = nil
  ) {
    self.id = id
    self.name = name
    self.displayName = displayName
    self.enabled = enabled
    self.createdAt = createdAt
    self.pinnedRevision = pinnedRevision
  }
}

/// Tenants as a whole: the operator's side, and the loader's at start. Every change wakes all servers
/// (`changes()` yields the tenant's name, or nil for "look at everything again").
package protocol TenantDirectory: Sendable {
  func tenants() async throws -> [TenantRecord]
  func tenant(_ name: TenantName) async throws -> TenantRecord?
  /// A new tenant with its data key, signing key, first policy revision, audit row, row of the installation's log
  /// (`record`) and answer to keep: all or nothing. `StoreError.exists` when the name is taken,
  /// `refused(.floorIsCurrent)` where `floor` is not the number of the newest.
  func create(
    _ tenant: TenantRecord, dataKey: SealedDataKey, signingKey: StoredSigningKey, policy: PolicyRevision,
    floor: Int, audit: AuditEntry, record: AuditEntry, keeping: OperatorAnswer?
  ) async throws
  /// `displayName` and `enabled` as given.
  func update(_ tenant: TenantRecord, audit: AuditEntry) async throws
  /// Adds revisions, of several tenants all or none, when each number is its tenant's newest plus one:
  /// `refused(.revisionIsCurrent)` otherwise, and `refused(.floorIsCurrent)` where one was held to another floor than
  /// the newest. All servers are woken by the same transaction.
  func append(_ applications: [PolicyApplication]) async throws
  /// Rows of several logs that match, newest first, at most `limit`.
  func audit(_ query: AuditQuery, of logs: [TenantID], limit: Int) async throws -> [LoggedEntry]
  /// The tenant whose verified host this is.
  func owner(of host: HostName) async throws -> TenantID?
  /// A tenant's claim of a host, not verified: `exists` where the tenant has one that has not expired.
  func add(_ host: TenantHost, to tenant: TenantID, audit: AuditEntry) async throws
  /// Notes `allowedAt`. `refused(.claimExists)` where it is gone.
  func allow(_ host: TenantHost, of tenant: TenantID, audit: AuditEntry) async throws
  /// Notes `verifiedAt`: `exists` where another tenant's claim of it is verified, `refused(.claimExists)` where this
  /// one is gone or waits.
  func verify(_ host: TenantHost, of tenant: TenantID, audit: AuditEntry) async throws
  func remove(_ host: TenantHost, from tenant: TenantID, audit: AuditEntry) async throws
  /// The tenant and everything in it, for good; `record` goes into the installation's log.
  /// `refused(.tenantIsDisabled)` while it is enabled.
  func delete(_ tenant: TenantID, record: AuditEntry) async throws
  /// Everything that a server must hold of these tenants to serve them; those that are gone are missing. One answer
  /// holds all of it, so callers ask for a bounded number.
  func bundles(_ names: [TenantName]) async throws -> [TenantBundle]
  /// The number of data keys of all tenants.
  func dataKeyCount() async throws -> Int
  /// All tenants, each with a mark of its bundle, which is another one after each change of it.
  func marks() async throws -> [TenantName: [UInt8]]
  /// Yields a tenant's name when something of its bundle changed anywhere, and nil when messages may have been missed.
  func changes() -> AsyncMapSequence<AsyncStream<String>, TenantName?>
}

extension TenantDirectory {
  /// Everything that a server must hold of one tenant to serve it; nil when the tenant is gone.
  package func bundle(_ name: TenantName) async throws -> TenantBundle? { try await bundles([name]).first }
}

/// Everything that a server must hold of a tenant.
package struct TenantBundle: Sendable {
  /// See `TenantDirectory.marks`. What is here may be newer.
  package var mark: [UInt8]
  package var tenant: TenantRecord
  package var policy: PolicyRevision
  package var signingKeys: [StoredSigningKey]
  package var dataKeys: [SealedDataKey]
  /// The oldest first.
  package var hosts: [TenantHost]
  package var pictures: [TenantPicture]

  package init(
    mark: [UInt8], tenant: TenantRecord, policy: PolicyRevision, signingKeys: [StoredSigningKey],
    dataKeys: [SealedDataKey],
    hosts: [TenantHost], pictures: [TenantPicture]
  ) {
    self.mark = mark
    self.tenant = tenant
    self.policy = policy
    self.signingKeys = signingKeys
    self.dataKeys = dataKeys
    self.hosts = hosts
    self.pictures = pictures
  }
}

/// A tenant's data key, wrapped by the key-encryption key.
package struct SealedDataKey: Sendable, Equatable {
  package var version: Int
  package var sealed: [UInt8]
  package var createdAt: Date

  package init(version: Int, sealed: [UInt8], createdAt: Date) {
    self.version = version
    self.sealed = sealed
    self.createdAt = createdAt
  }
}

/// One revision of a tenant's policy: the exact text, and who applied it why.
package struct PolicyRevision: Sendable, Equatable {
  package var number: Int
  package var text: String
  /// SHA-256 of the text.
  package var digest: [UInt8]
  package var author: String
  package var reason: String
  package var createdAt: Date
  /// The language that the text was applied under, which decides its meaning.
  package var language: PolicyLanguage
  /// The number of its tests that failed when it was applied anyway.
  package var failingTests: Int
  /// The changes to the trust of the tenant: subjects of its differences. Empty for a revision of an earlier version.
  package var trust: [String]

  package init(
    number: Int, text: String, digest: [UInt8], author: String, reason: String, createdAt: Date,
    language: PolicyLanguage = .current, failingTests: Int = 0, trust: [String] = []
  ) {
    self.number = number
    self.text = text
    self.digest = digest
    self.author = author
    self.reason = reason
    self.createdAt = createdAt
    self.language = language
    self.failingTests = failingTests
    self.trust = trust
  }
}

/// A revision that is to become its tenant's newest.
package struct PolicyApplication: Sendable {
  package var tenant: TenantID
  package var revision: PolicyRevision
  /// The number of the floor that the policy was held to.
  package var floor: Int
  /// Measurements of passwords by other rules are deleted with it.
  package var measuredRules: [UInt8]?
  /// Whether earlier passwords are kept; they are deleted otherwise.
  package var remembersPasswords: Bool
  package var audit: AuditEntry
  /// The names of its profile fields: moves of values begin, and turn round, with it.
  package var names: ProfileNames

  package init(
    tenant: TenantID, revision: PolicyRevision, floor: Int = 0, measuredRules: [UInt8]?,
    remembersPasswords: Bool = false,
    audit: AuditEntry, profile: ProfilePolicy = ProfilePolicy()
  ) {
    names = ProfileNames(profile)
    self.tenant = tenant
    self.revision = revision
    self.floor = floor
    self.measuredRules = measuredRules
    self.remembersPasswords = remembersPasswords
    self.audit = audit
  }
}

/// A tenant's policy revisions. The newest one is in force.
package protocol PolicyStore: Sendable {
  /// Those with a smaller number than `before`, newest first, at most `limit`.
  func revisions(before: Int?, limit: Int) async throws -> [PolicyRevision]
  func revision(_ number: Int) async throws -> PolicyRevision?
  /// The newest revision with a text of this SHA-256.
  func revision(digest: [UInt8]) async throws -> Int?
  /// Revisions whose text has this word in it, newest first.
  func revisions(naming word: String) async throws -> [Int]
}

extension PolicyStore {
  /// Newest first, at most `limit`.
  package func revisions(limit: Int) async throws -> [PolicyRevision] {
    try await revisions(before: nil, limit: limit)
  }

  /// The live one.
  package func newestRevision() async throws -> PolicyRevision? { try await revisions(limit: 1).first }
}

/// A signing key as stored.
package struct StoredSigningKey: Sendable, Equatable {
  /// A key is published before it signs, and stays published until the last token it signed has expired.
  package enum State: String, Sendable, CaseIterable { case next, active, retired }
  package var kid: String
  package var state: State
  /// The private key (PKCS #8), sealed under the tenant's key.
  package var sealedPrivateKey: [UInt8]
  package var createdAt: Date
  /// When the state last changed.
  package var changedAt: Date

  package init(kid: String, state: State, sealedPrivateKey: [UInt8], createdAt: Date, changedAt: Date) {
    self.kid = kid
    self.state = state
    self.sealedPrivateKey = sealedPrivateKey
    self.createdAt = createdAt
    self.changedAt = changedAt
  }
}

/// A tenant's signing keys.
package protocol KeyStore: Sendable {
  func signingKeys() async throws -> [StoredSigningKey]
  /// Replaces states and adds keys as given, if the stored states still are `expecting`
  /// (`refused(.keyStateIsCurrent)` otherwise); wakes all servers. Keys not in `keys` are removed.
  func replace(_ keys: [StoredSigningKey], expecting: [String: StoredSigningKey.State], audit: AuditEntry)
    async throws
}

/// The data keys of a tenant, or of the installation's log.
package protocol DataKeyStore: Sendable {
  /// In ascending version.
  func dataKeys() async throws -> [SealedDataKey]

  /// Keeps a first data key, unless there is one.
  func keepFirstDataKey(_ key: SealedDataKey) async throws

  /// Adds uses to those of each version, and answers the sums by version.
  func addDataKeyUses(_ uses: [Int: Int]) async throws -> [Int: Int]

  /// Stores a data key if its version follows the newest one; false where another server did before. Servers hear of
  /// it.
  func addDataKey(_ key: SealedDataKey, audit: AuditEntry) async throws -> Bool

  /// Replaces how a data key is wrapped, if it still is wrapped so (`refused(.keyStateIsCurrent)` otherwise).
  func rewrap(_ key: SealedDataKey, as wrapped: SealedDataKey, audit: AuditEntry) async throws
}

/// Named secrets of a tenant, such as a provider's client secret.
package protocol SecretStore: Sendable {
  func secrets() async throws -> [(name: String, updatedAt: Date)]
  func secret(_ name: String) async throws -> [UInt8]?
  func setSecret(_ name: String, sealed: [UInt8], audit: AuditEntry) async throws
  /// False when there was none.
  func removeSecret(_ name: String, audit: AuditEntry) async throws -> Bool
}

/// A tenant's pictures. All servers hear of each change.
package protocol PictureStore: Sendable {
  /// The content with this SHA-256; nil where no picture of the tenant has it.
  func picture(sha256: [UInt8]) async throws -> [UInt8]?
  /// Keeps a picture; an older one of the same use is replaced.
  func setPicture(_ picture: TenantPicture, content: [UInt8], audit: AuditEntry) async throws
  func removePicture(_ use: PictureUse, audit: AuditEntry) async throws
}
