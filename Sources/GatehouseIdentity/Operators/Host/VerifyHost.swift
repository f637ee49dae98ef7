import Foundation
import GatehousePrimitives
package import GatehouseAdminWire
import GatehouseWire

/// Asks a host for what it answers at `TenantHost.proofPath`, as any client on the network would; throws when it does
/// not answer.
package protocol HostProbe: Sendable {
  func answer(of host: HostName) async throws -> [UInt8]
}

/// `gatehouse tenant host verify`: asks the host whether it leads here; from then on its requests are the tenant's, and
/// its issuer and links follow.
///
/// The answer proves what it is needed for: that a client on the network that asks for this name, over TLS with a
/// certificate that holds for it, reaches this installation. It does not prove which tenant the name is meant for: that
/// is the word of an operator of all tenants, or of the name's DNS. As mailed links lead there from then on, it needs
/// `trust:write` besides, as `app.base_url` does. Throws `OperatorError`: there is no claim, it waits, it is another
/// tenant's, the host answers something else, or, without consent, the passkeys of people who have no other way in are
/// of another host, which is the tenant's first no more.
package enum VerifyHost {
  package static func run(_ input: VerifyHostOperation.Input, _ call: OperatorCall) async throws -> HostList {
    let outside = try call.outside()
    return try await run(input, call, by: outside.hosts, records: outside.records)
  }

  package static func run(
    _ input: VerifyHostOperation.Input, _ call: OperatorCall, by probe: any HostProbe, records: any TextRecords
  ) async throws -> HostList {
    // GUARD: host: where links lead is trust
    try call.who.require(.trustWrite)
    let tenant = try await call.tenant(input.tenant)
    var host = try await Hosts.find(input.host, of: tenant, call)
    guard !host.isTaken else { throw Hosts.taken(host.host) }
    if host.allowedAt == nil {
      // GUARD: host: a claim waits
      try await proveByRecord(host, records)
      host = try await Hosts.allow(host, of: tenant, by: .dns, call)
    }
    try await proveByAnswer(host, probe)
    host.verifiedAt = call.services.clock.now
    let hosts = try await Hosts.of(tenant, call.services).map { $0.host == host.host ? host : $0 }
    try await HostLockout.demand(
      hosts, of: tenant, as: "the host \(host.host)", isAllowed: input.allowLockout ?? false, call)
    do {
      try await call.services.directory.verify(
        host, of: tenant.id, audit: try call.entry(.tenantChanged, details: ["host": input.host, "verified": "true"]))
    } catch StoreError.exists {
      throw Hosts.taken(host.host)
    } catch StoreError.refused(.claimExists) {
      throw Hosts.missing(input.host, of: tenant)
    }
    return try await Hosts.list(tenant, call)
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
        .refused, "https://\(host.host)\(TenantHost.proofPath) is answered by another server",
        hint: "a proxy must pass the Host field on as it came")
    }
  }
}
