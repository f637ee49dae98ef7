// Host names of tenants: claimed for a tenant, counted once the host shows that it leads here.

import Foundation
import GatehousePrimitives

/// Asks a host for what it answers at `TenantHost.proofPath`, as any client on the network would; throws when it does
/// not answer.
package protocol HostProbe: Sendable {
  func answer(of host: HostName) async throws -> [UInt8]
}

package enum Hosts {
  /// Notes a tenant's claim of a host. It counts for nothing until it is verified, and goes after a week without that.
  ///
  /// Throws `OperatorError`: it is no host name, is where all tenants are reached, is another tenant's verified host, or is claimed for
  /// this tenant already.
  /// - Parameter isAllowed: whether its author speaks for all tenants; a claim by another one waits.
  package static func add(
    _ text: String, to tenant: TenantRecord, isAllowed: Bool, author: Author, _ services: Services
  ) async throws -> TenantHost {
    guard let name = HostName(text) else {
      throw OperatorError(
        .refused, "\"\(text)\" is no host name",
        hint: "lower case, at least two labels, another script in its ASCII form, a port only if it is not 443")
    }
    guard !services.publicURL.utf8.elementsEqual("https://\(name)".utf8),
      !services.publicURL.utf8.elementsEqual("http://\(name)".utf8)
    else { throw OperatorError(.refused, "\(name) is public_url, where all tenants are reached") }
    if let owner = try await services.directory.owner(of: name), owner != tenant.id { throw taken(name) }
    let now = services.clock.now
    let host = TenantHost(
      host: name, proof: Base64URL.encode(SecureRandom.bytes(18)), addedAt: now, allowedAt: isAllowed ? now : nil,
      expiresAt: now.addingTimeInterval(TenantHost.claimLife))
    do {
      try await services.directory.add(
        host, to: tenant.id, audit: author.entry(.tenantChanged, services, details: ["host": text, "added": "true"]))
    } catch StoreError.exists {
      throw OperatorError(
        .exists, "\(name) is claimed for \(tenant.name) already", hint: "gatehouse tenant host list \(tenant.name)")
    }
    return host
  }

  /// Allows a claim that waits, on the word of an operator of all tenants. Throws `OperatorError`: there is none, or it is another
  /// tenant's verified host.
  package static func allow(_ text: String, of tenant: TenantRecord, author: Author, _ services: Services) async throws
  {
    let host = try await find(text, of: tenant, services)
    guard !host.isTaken else { throw taken(host.host) }
    if host.allowedAt == nil { try await allow(host, of: tenant, by: "operator", author, services) }
  }

  /// Asks the host whether it leads here; from then on its requests are the tenant's, and its issuer and links follow.
  ///
  /// The answer proves what it is needed for: that a client on the network that asks for this name, over TLS with a certificate that
  /// holds for it, reaches this installation. It does not prove which tenant the name is meant for: that is the word of an
  /// operator of all tenants, or of the name's DNS.
  /// Throws `OperatorError`: there is no claim, it waits, it is another tenant's, or the host answers something else.
  package static func verify(
    _ text: String, of tenant: TenantRecord, by probe: any HostProbe, records: any TextRecords, author: Author,
    _ services: Services
  ) async throws -> TenantHost {
    var host = try await find(text, of: tenant, services)
    guard !host.isTaken else { throw taken(host.host) }
    if host.allowedAt == nil {
      // GUARD: host: a claim waits
      try await proveByRecord(host, records)
      host = try await allow(host, of: tenant, by: "dns", author, services)
    }
    try await proveByAnswer(host, probe)
    host.verifiedAt = services.clock.now
    do {
      try await services.directory.verify(
        host, of: tenant.id, audit: author.entry(.tenantChanged, services, details: ["host": text, "verified": "true"]))
    } catch StoreError.exists {
      throw taken(host.host)
    } catch StoreError.refused(.claimExists) {
      throw missing(text, of: tenant)
    }
    return host
  }

  @discardableResult private static func allow(
    _ host: TenantHost, of tenant: TenantRecord, by way: String, _ author: Author, _ services: Services
  ) async throws -> TenantHost {
    var allowed = host
    allowed.allowedAt = services.clock.now
    do {
      try await services.directory.allow(
        allowed, of: tenant.id,
        audit: author.entry(
          .tenantChanged, services, details: ["host": host.host.description, "allowed": way]))
    } catch StoreError.refused(.claimExists) {
      throw missing(host.host.description, of: tenant)
    }
    return allowed
  }

  /// Refuses unless a TXT record holds the tenant's proof: the holder of the name means this tenant.
  private static func proveByRecord(_ host: TenantHost, _ records: any TextRecords) async throws {
    let name = host.host.recordName
    let found: [[UInt8]]
    do {
      found = try await records.texts(at: name)
    } catch {
      throw OperatorError(
        .refused, "the claim of \(host.host) waits, and the TXT record \(name) is not known: \(error)",
        hint: "try again, or have an operator of all tenants allow it")
    }
    // GUARD: host: the record holds the proof
    guard found.contains(where: { ConstantTime.equal($0, Array(host.proof.utf8)) }) else {
      throw OperatorError(
        .refused, "the claim of \(host.host) waits: no TXT record \(name) holds \(host.proof)",
        hint: "make that record, or have an operator of all tenants allow it")
    }
  }

  private static func proveByAnswer(_ host: TenantHost, _ probe: any HostProbe) async throws {
    let answer: [UInt8]
    do {
      answer = try await probe.answer(of: host.host)
    } catch {
      throw OperatorError(
        .refused, "https://\(host.host)\(TenantHost.proofPath) does not answer: \(error)",
        hint: "lead the name and a proxy with its certificate to this server first")
    }
    let proofs = answer.split(separator: 0x0A, omittingEmptySubsequences: false)
    // GUARD: host: proof
    guard !proofs.contains([]) && proofs.contains(where: { ConstantTime.equal(Array($0), Array(host.proof.utf8)) })
    else {
      throw OperatorError(
        .refused, "https://\(host.host)\(TenantHost.proofPath) is answered by somebody else",
        hint: "a proxy must pass the Host field on as it came")
    }
  }

  /// Takes a host away: what it led to answers nothing any more. Throws `OperatorError` when it is not this tenant's.
  package static func remove(_ text: String, from tenant: TenantRecord, author: Author, _ services: Services)
    async throws
  {
    let host = try await find(text, of: tenant, services)
    try await services.directory.remove(
      host, from: tenant.id, audit: author.entry(.tenantChanged, services, details: ["host": text, "removed": "true"]))
  }

  /// A tenant's hosts, the oldest first: the first that is verified is its issuer's.
  package static func list(_ tenant: TenantRecord, _ services: Services) async throws -> [TenantHost] {
    try await services.directory.bundle(tenant.name)?.hosts ?? []
  }

  private static func find(_ text: String, of tenant: TenantRecord, _ services: Services) async throws -> TenantHost {
    guard
      let host = try await list(tenant, services).first(where: { $0.host.description.utf8.elementsEqual(text.utf8) })
    else { throw missing(text, of: tenant) }
    return host
  }

  private static func missing(_ text: String, of tenant: TenantRecord) -> OperatorError {
    OperatorError(
      .notFound, "\(tenant.name) has no host \"\(text)\"", hint: "gatehouse tenant host list \(tenant.name)")
  }

  private static func taken(_ name: HostName) -> OperatorError {
    OperatorError(
      .exists, "\(name) is another tenant's host: the first that is verified has it until it is removed",
      hint: "an operator of all tenants can remove it there")
  }
}
