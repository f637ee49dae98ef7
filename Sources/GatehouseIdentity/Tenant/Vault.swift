package import Foundation
package import GatehousePrimitives

/// Seals a tenant's secrets under its data keys: the newest seals, each opens its own. A value that is sealed for one
/// column, tenant and row does not open anywhere else.
package struct Vault: Sendable {
  /// A data key, opened.
  package struct Key: Sendable {
    package let key: SealingKey
    package let createdAt: Date

    package init(_ key: SealingKey, createdAt: Date) {
      self.key = key
      self.createdAt = createdAt
    }

    package var version: Int { Int(key.version) }
  }

  /// Seconds after which a new key seals: by then each server has it, and opens what another one sealed.
  package static let leadSeconds: TimeInterval = 600

  private let tenant: TenantID
  private let keys: [Key]
  private let pseudonyms: MACKey?
  private let uses: DataKeyUses?
  private let clock: Clock

  /// `keys` are the tenant's data keys in ascending version; there is at least one. `uses` counts what is sealed.
  package init(tenant: TenantID, keys: [Key], uses: DataKeyUses? = nil, clock: Clock) {
    self.tenant = tenant
    self.keys = keys
    self.uses = uses
    self.clock = clock
    // GUARD: vault: pseudonyms stay those of the first key
    pseudonyms = keys.first.flatMap { try? $0.key.derivedMACKey(for: "gatehouse pseudonyms") }
  }

  /// The newest key, which may not seal yet.
  package var newest: Key? { keys.last }

  /// The key that seals now.
  private var sealing: Key? {
    let end = clock.now.addingTimeInterval(-Vault.leadSeconds)
    return keys.last { $0.createdAt <= end } ?? keys.first
  }

  /// A name of 32 bytes for something that must be recognised and not be kept, such as an address: an HMAC, so that a
  /// copy of the database does not let an attacker try addresses out. It is the same as long as the tenant's first data
  /// key is.
  package func pseudonym(_ parts: [UInt8]...) -> [UInt8] {
    var message: [UInt8] = []
    for part in parts {
      withUnsafeBytes(of: UInt64(part.count).bigEndian) { message += $0 }
      message += part
    }
    // INVARIANT: a vault has a key, or nothing could be sealed in it either.
    return pseudonyms?.code(message) ?? SecureRandom.bytes(32)
  }

  /// A secret that is kept for an identity provider.
  package enum ProviderItem: Sendable {
    /// The secret of this name: a client secret, or the key that one is made from.
    case secret(name: String)
    /// The payload of a ticket at a provider. It is authenticated with the name of the table that the release before
    /// keeps it in, so that each of them opens what the other one sealed.
    case flow(stateHash: [UInt8], provider: String)
    /// Tokens of a provider: the row's account and provider, and the version of what is in it.
    case grant(UserID, provider: String, version: Int64)
  }

  /// The places where the server keeps sealed things.
  package enum SealingContext: Sendable {
    case outbox(UUID)
    case refreshSuccessor(hash: [UInt8])
    case codePayload(UUID)
    /// The payload of a ticket that is of no provider.
    case ticket(hash: [UInt8])
    case pushToken(SessionID)
    /// The seed of an authenticator app.
    case totpSeed(UUID)
    case signingKey(kid: String)
    case keptAnswer(key: [UInt8])
    case webhookSecret(UUID)
    /// An item of a provider. It opens for this destination alone.
    case bound(ProviderItem, to: Destination)
    /// The same as the release before sealed it. Nothing is sealed so any more.
    case unbound(ProviderItem)
    /// A flow of the hosted pages: in their links and forms, in no row. The key is SHA-256 of what the browser holds.
    case pageFlow(key: [UInt8])
    /// The key that signs heads of the audit chain.
    case auditKey

    func associatedData(_ tenant: TenantID) -> AssociatedData {
      let (table, column, row): (String, String, [UInt8]) =
        switch self {
        case .outbox(let id): ("outbox", "sealed_order", id.bytes)
        case .refreshSuccessor(let hash): ("refresh_token", "sealed_successor", hash)
        case .codePayload(let id): ("one_time_code", "sealed_payload", id.bytes)
        case .ticket(let hash): ("ticket", "sealed_payload", hash)
        case .pushToken(let session): ("session", "sealed_push_token", session.uuid.bytes)
        case .totpSeed(let id): ("totp", "sealed_seed", id.bytes)
        case .signingKey(let kid): ("signing_key", "sealed_private_key", Array(kid.utf8))
        case .webhookSecret(let id): ("webhook_endpoint", "sealed_secret", id.bytes)
        case .unbound(let item): (item.table, item.column, item.row)
        case .bound(let item, let destination):
          (
            item.table, "\(item.column) to",
            destination.digest  // GUARD: vault: destination
              + item.row
          )
        case .pageFlow(let key): ("page", "flow", key)
        case .keptAnswer(let key): ("idempotency_key", "sealed_answer", key)
        case .auditKey: ("audit_key", "sealed_private_key", [])
        }
      return AssociatedData(table: table, column: column, tenant: tenant.uuid, row: row)
    }

    /// The mark in front of the sealed value.
    fileprivate var mark: [UInt8] {
      guard case .bound(_, let destination) = self else { return [] }
      return Vault.mark(destination)
    }
  }

  /// The first byte of a value that is bound to a destination, whose digest follows, and then the sealed value, which
  /// begins with a 1. Operators are told the content of the mark; only the seal decides whether a value opens.
  private static let bound: UInt8 = 2

  package static func mark(_ destination: Destination) -> [UInt8] { [bound] + destination.digest }

  /// Whether a value says that it was sealed for a destination.
  package static func isBound(_ sealed: [UInt8]) -> Bool { sealed.first == bound }

  /// Whether a value says that it was sealed for this one.
  package static func isBound(_ sealed: [UInt8], to destination: Destination) -> Bool {
    sealed.starts(with: mark(destination))
  }

  /// Throws only when there is no key or the library fails.
  package func seal(_ bytes: [UInt8], for context: SealingContext) throws -> [UInt8] {
    guard let sealing else { throw CryptoError.invalidKey }
    uses?.note(tenant, version: sealing.version)
    return context.mark + (try sealing.key.seal(bytes, in: context.associatedData(tenant)))
  }

  /// Throws for anything that was not sealed for this very place.
  package func open(_ sealed: [UInt8], for context: SealingContext) throws -> Secret<[UInt8]> {
    guard case .bound(let item, let destination) = context else { return try openValue(sealed, for: context) }
    guard let own = destination.all.first(where: { Vault.isBound(sealed, to: $0) }) else {
      throw CryptoError.notAuthentic
    }
    return try openValue(Array(sealed.dropFirst(Vault.mark(own).count)), for: .bound(item, to: own))
  }

  private func openValue(_ sealed: [UInt8], for context: SealingContext) throws -> Secret<[UInt8]> {
    guard let version = SealingKey.version(of: sealed), let key = keys.first(where: { $0.key.version == version })?.key
    else {
      throw CryptoError.notAuthentic
    }
    return try key.open(sealed, in: context.associatedData(tenant))
  }

  /// The place of a tenant's wrapped data key.
  static func wrapping(_ tenant: TenantID, version: Int) -> AssociatedData {
    AssociatedData(table: "data_key", column: "sealed", tenant: tenant.uuid, row: Array(String(version).utf8))
  }
}

extension Vault.ProviderItem {
  fileprivate var table: String {
    switch self {
    case .secret: "secret"
    case .flow: "provider_flow"
    case .grant: "provider_grant"
    }
  }

  fileprivate var column: String {
    switch self {
    case .secret: "sealed"
    case .flow: "sealed_payload"
    case .grant: "sealed_tokens"
    }
  }

  fileprivate var row: [UInt8] {
    switch self {
    case .secret(let name): Array(name.utf8)
    case .flow(let hash, _): hash
    case .grant(let user, let provider, let version):
      user.uuid.bytes  // GUARD: vault: account
        + withUnsafeBytes(of: version.bigEndian) { Array($0) }  // GUARD: vault: version
        + Array(provider.utf8)  // GUARD: vault: provider
    }
  }
}
