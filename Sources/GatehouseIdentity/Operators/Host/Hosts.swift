// Host names of tenants: claimed for a tenant, counted once the host shows that it leads here.

import GatehouseAdminWire
import GatehouseWire

/// The common parts of the operations about hosts.
package enum Hosts {
  /// A tenant's hosts, the oldest first: the first that is verified is its issuer's.
  package static func of(_ tenant: TenantRecord, _ services: Services) async throws -> [TenantHost] {
    try await services.directory.bundle(tenant.name)?.hosts ?? []
  }

  /// The claim of this name; throws `OperatorError` when there is none.
  static func find(_ text: String, of tenant: TenantRecord, _ call: OperatorCall) async throws -> TenantHost {
    let name = HostName(spelled: text)
    guard let name, let host = try await of(tenant, call.services).first(where: { $0.host == name }) else {
      throw missing(text, of: tenant)
    }
    return host
  }

  /// On whose word a claim that waits is allowed, as the audit log names it.
  enum Word: String, CaseIterable {
    case `operator`
    case dns
  }

  /// Allows a claim that waits. Throws `OperatorError` when it is gone.
  @discardableResult static func allow(
    _ host: TenantHost, of tenant: TenantRecord, by word: Word, _ call: OperatorCall
  ) async throws -> TenantHost {
    var allowed = host
    allowed.allowedAt = call.services.clock.now
    do {
      try await call.services.directory.allow(
        allowed, of: tenant.id,
        audit: try call.entry(
          .tenantChanged, details: ["host": host.host.description, "allowed": word.rawValue]))
    } catch StoreError.refused(.claimExists) {
      throw missing(host.host.description, of: tenant)
    }
    return allowed
  }

  static func missing(_ text: String, of tenant: TenantRecord) -> OperatorError {
    OperatorError(
      .notFound, "\(tenant.name) has no host \"\(text)\"", hint: "gatehouse tenant host list \(tenant.name)")
  }

  static func taken(_ name: HostName) -> OperatorError {
    OperatorError(
      .exists, "\(name) is another tenant's host: the first that is verified has it until it is removed",
      hint: "an operator of all tenants can remove it there")
  }

  /// The answer of every operation about hosts.
  static func list(_ tenant: TenantRecord, _ call: OperatorCall) async throws -> HostList {
    HostList(items: try await of(tenant, call.services).map(HostSummary.init))
  }
}

extension HostSummary {
  fileprivate init(_ host: TenantHost) {
    let isVerified = host.verifiedAt != nil
    self.init(
      host: host.host.description, state: HostState(host), addedAt: Timestamp(host.addedAt),
      expiresAt: isVerified ? nil : Timestamp(host.expiresAt), verifiedAt: host.verifiedAt.map { Timestamp($0) },
      proof: isVerified || host.allowedAt != nil ? nil : host.proof)
  }
}

extension HostState {
  fileprivate init(_ host: TenantHost) {
    if host.verifiedAt != nil {
      self = .verified
    } else if host.isTaken {
      self = .taken
    } else {
      self = host.allowedAt == nil ? .waiting : .allowed
    }
  }
}
