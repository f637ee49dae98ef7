import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseTesting

/// One server of the process for tests that neither stop it, move its clock nor give it another policy. Tests take
/// turns, and each meets three apps that are new: same names, other keys, no users in them, no mail sent.
package enum SharedServer {
  /// Runs a test. A test that left the server otherwise than it found it fails, and the next one gets a new server.
  package static func run(_ body: (TestServer) async throws -> Void) async throws {
    await turns.enter()
    do {
      let server = try await renewed()
      let before = try await State(server)
      do {
        try await body(server)
      } catch {
        await keep(server, if: try? await State(server) == before)
        throw error
      }
      let isSame = try? await State(server) == before
      await keep(server, if: isSame)
      guard isSame == true else { throw Misuse() }
    } catch {
      await turns.leave()
      throw error
    }
    await turns.leave()
  }

  /// A test changed what the tests after it would meet.
  package struct Misuse: Error, CustomStringConvertible {
    package let description =
      "This test moved the clock or changed a policy, a key or a switch of the shared server. It needs one of its own."
  }

  /// The state that a test must not change.
  private struct State: Equatable {
    let moment: Date
    let tenants: [Tenant]

    struct Tenant: Equatable {
      let record: TenantRecord
      let digest: [UInt8]
      let keys: [String]
      let hosts: [HostName]
    }

    init(_ server: TestServer) async throws {
      moment = server.clock.now
      let directory = server.services.directory
      tenants = try await directory.bundles(try await directory.tenants().map(\.name)).map {
        Tenant(
          record: $0.tenant, digest: $0.policy.digest, keys: $0.signingKeys.map(\.kid), hosts: $0.hosts.map(\.host))
      }.sorted { $0.record.name.description < $1.record.name.description }
    }
  }

  private static let turns = ConcurrencyLimit(places: 1)
  private static let server = LockBox<TestServer?>(nil)

  private static func renewed() async throws -> TestServer {
    if let served = server.withLock({ $0 }) {
      try await served.renewTenants()
      return served
    }
    let new = try await TestServer.startShared()
    server.withLock { $0 = new }
    return new
  }

  private static func keep(_ used: TestServer, if isSame: Bool?) async {
    guard isSame != true else { return }
    server.withLock { $0 = nil }
    await used.stop()
  }
}
