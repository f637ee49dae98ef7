import Foundation
import GatehouseAdminWire
import GatehouseIdentity
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting

/// Asks a host as the network would lead there: the server that is reached is this one, under that name.
struct OwnHostProbe: HostProbe {
  let server: TestServer
  var name: String?

  func answer(of host: HostName) async throws -> [UInt8] {
    let answer = try NamedClient(server: server, host: name ?? host.description).get(TenantHost.proofPath)
    guard answer.status == 200 else { throw URLError(.badServerResponse) }
    return Array(answer.body.utf8)
  }
}

extension TestServer {
  /// Gives a tenant a verified host of its own.
  func own(_ host: String, of tenant: String) async throws {
    _ = try await AddHost.run(.init(tenant: tenant, host: host), asOperator)
    try await TenantLoader(services).loadAll()
    _ = try await VerifyHost.run(
      .init(tenant: tenant, host: host), asOperator, by: OwnHostProbe(server: self), records: SystemTextRecords())
    try await TenantLoader(services).loadAll()
  }
}

extension ThreeApps {
  /// Gives a tenant a verified host of its own.
  func own(_ host: String, of tenant: String) async throws { try await server.own(host, of: tenant) }

  /// Takes the host from it.
  func disown(_ host: String, of tenant: String) async throws {
    _ = try await RemoveHost.run(.init(tenant: tenant, host: host), asOperator)
    try await reload()
  }
}
