import GatehousePrimitives
package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse key rewrap`: wraps every data key that the other key-encryption key opens anew, under the one that seals.
///
/// Data keys stay what they are; only what wraps them changes, one tenant at a time, each in a transaction of its own:
/// a run that stops in the middle can be continued later. A dry run only counts.
package enum RewrapKeys {
  package static func run(_ input: RewrapKeysOperation.Input, _ call: OperatorCall) async throws
    -> RewrapKeysOperation.Output
  {
    try await run(input, call) { _, _ in }
  }

  /// - Parameter progress: is told how many of how many tenants are looked at; what it throws ends the run, and what
  ///   was done stays done.
  package static func run(
    _ input: RewrapKeysOperation.Input, _ call: OperatorCall, progress: (_ done: Int, _ of: Int) throws -> Void
  ) async throws -> RewrapKeysOperation.Output {
    try call.requireAllTenants("and these keys serve all of them")
    var count = RewrapKeysOperation.Output(rewrapped: 0, before: 0, remaining: 0, unknown: [])
    let tenants = try await call.services.directory.tenants()
    for (number, tenant) in tenants.enumerated() {
      let keys = try await call.services.store.open(tenant.id).dataKeys()
      try await rewrap(keys, of: tenant.id, tenant.name.description, input, call, &count)
      try progress(number + 1, tenants.count)
    }
    let log = call.services.store.open(.installation)
    try await rewrap(try await log.dataKeys(), of: .installation, InstallationLog.name, input, call, &count)
    if count.rewrapped > 0 {
      let details = ["rewrapped": String(count.rewrapped), "unknown": String(count.unknown.count)]
      try await log.commit([.audit(try call.entry(.keysRewrapped, details: details))], as: .operator)
    }
    return count
  }

  private static func rewrap(
    _ keys: [SealedDataKey], of tenant: TenantID, _ name: String, _ input: RewrapKeysOperation.Input,
    _ call: OperatorCall, _ count: inout RewrapKeysOperation.Output
  ) async throws {
    for key in keys {
      switch try await rewrap(key, of: tenant, isDryRun: input.dryRun ?? false, call) {
      case .before: count.before += 1
      case .rewrapped: count.rewrapped += 1
      case .remaining: count.remaining += 1
      case .unknown: count.unknown.append(name)
      }
    }
  }

  /// How a data key is wrapped afterwards.
  private enum Wrapping {
    /// By the key that seals, but not by this run.
    case before
    /// By the key that seals, by this run.
    case rewrapped
    /// Still by the other key.
    case remaining
    /// It opens with neither key.
    case unknown
  }

  private static func rewrap(_ key: SealedDataKey, of tenant: TenantID, isDryRun: Bool, _ call: OperatorCall)
    async throws -> Wrapping
  {
    let services = call.services
    if (try? key.opened(by: [services.keyEncryptionKey], of: tenant)) != nil { return .before }
    guard let other = services.otherKeyEncryptionKey, let opened = try? key.opened(by: [other], of: tenant) else {
      return .unknown
    }
    guard !isDryRun else { return .remaining }
    let place = Vault.wrapping(tenant, version: key.version)
    var wrapped = key
    wrapped.sealed = try opened.wrapped(by: services.keyEncryptionKey, in: place)
    // What would be stored must open to the same key: with it goes everything that the tenant has sealed.
    let again = try wrapped.opened(by: [services.keyEncryptionKey], of: tenant)
    guard try again.open(try opened.seal([1], in: place), in: place).expose({ $0 == [1] }) else {
      throw CryptoError.notAuthentic
    }
    do {
      try await services.store.open(tenant).rewrap(
        key, as: wrapped,
        audit: try call.entry(.keyRotated, details: ["data_key": String(key.version), "rewrapped": "true"]))
      return .rewrapped
    } catch StoreError.refused(.keyStateIsCurrent) {
      return .before  // another run wrapped it meanwhile
    }
  }
}

extension SealedDataKey {
  /// The data key, by the first of these that opens it. Throws `CryptoError.notAuthentic` when none does.
  func opened(by keys: [SealingKey], of tenant: TenantID) throws -> SealingKey {
    let place = Vault.wrapping(tenant, version: version)
    for key in keys {
      if let opened = try? SealingKey.unwrap(sealed, version: UInt32(clamping: version), by: key, in: place) {
        return opened
      }
    }
    throw CryptoError.notAuthentic
  }
}
