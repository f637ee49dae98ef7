// Host names of tenants: added by an operator, counted once the host shows that it leads here.

import Foundation
import GatehousePrimitives

/// Asks a host for what it answers at `TenantHost.proofPath`, as anybody on the network would; throws when it does not answer.
package protocol HostProbe: Sendable {
  func answer(of host: HostName) async throws -> [UInt8]
}

package enum Hosts {
  /// Notes a host for a tenant. It counts for nothing until it is verified.
  ///
  /// Throws `OperatorError`: it is no host name, is where all tenants are reached, or some tenant has it.
  package static func add(_ text: String, to tenant: TenantRecord, author: Author, _ services: Services) async throws
    -> TenantHost
  {
    guard let name = HostName(text) else {
      throw OperatorError(
        .refused, "\"\(text)\" is no host name",
        hint: "lower case, at least two labels, another script in its ASCII form, a port only if it is not 443")
    }
    guard !services.publicURL.utf8.elementsEqual("https://\(name)".utf8),
      !services.publicURL.utf8.elementsEqual("http://\(name)".utf8)
    else { throw OperatorError(.refused, "\(name) is public_url, where all tenants are reached") }
    let host = TenantHost(
      host: name, proof: Base64URL.encode(SecureRandom.bytes(18)), addedAt: services.clock.now)
    do {
      try await services.directory.add(
        host, to: tenant.id, audit: author.entry(.tenantChanged, services, details: ["host": text, "added": "true"]))
    } catch StoreError.exists {
      throw OperatorError(.exists, "\(name) is a tenant's host already", hint: "gatehouse tenant list")
    }
    return host
  }

  /// Asks the host whether it leads here; from then on its requests are the tenant's, and its issuer and links follow.
  ///
  /// It proves what it is needed for: that somebody on the network who asks for this name, over TLS with a certificate that
  /// holds for it, reaches this installation. A record in DNS would prove that somebody may write there, and that alone.
  /// Throws `OperatorError`: it is not this tenant's, or answers something else.
  package static func verify(
    _ text: String, of tenant: TenantRecord, by probe: any HostProbe, author: Author, _ services: Services
  ) async throws -> TenantHost {
    var host = try await find(text, of: tenant, services)
    let answer: [UInt8]
    do {
      answer = try await probe.answer(of: host.host)
    } catch {
      throw OperatorError(
        .refused, "https://\(host.host)\(TenantHost.proofPath) does not answer: \(error)",
        hint: "lead the name and a proxy with its certificate to this server first")
    }
    // GUARD: host: proof
    guard ConstantTime.equal(answer, Array(host.proof.utf8)) else {
      throw OperatorError(
        .refused, "https://\(host.host)\(TenantHost.proofPath) is answered by somebody else",
        hint: "a proxy must pass the Host field on as it came")
    }
    host.verifiedAt = services.clock.now
    try await services.directory.verify(
      host, of: tenant.id, audit: author.entry(.tenantChanged, services, details: ["host": text, "verified": "true"]))
    return host
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
    else {
      throw OperatorError(
        .notFound, "\(tenant.name) has no host \"\(text)\"", hint: "gatehouse tenant host list \(tenant.name)")
    }
    return host
  }
}
