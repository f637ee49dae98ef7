import GatehouseAdminWire
import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

/// The three apps' server with their true policies, and a network before it that tests take away.
final class Walk: Sendable {
  private let current: LockBox<TestServer>
  let front: Front

  var server: TestServer { current.withLock { $0 } }

  private init(_ server: TestServer, _ front: Front) {
    current = LockBox(server)
    self.front = front
  }

  /// Runs a walk on a server of its own, which may be given.
  static func run(
    on start: () async throws -> TestServer = { try await TestServer.start(policies: policies()) },
    _ body: (Walk) async throws -> Void
  ) async throws {
    let walk = Walk(try await start(), try Front())
    walk.front.lead(to: walk.server.url)
    do {
      try await body(walk)
    } catch {
      await walk.stop()
      walk.front.close()
      throw error
    }
    await walk.stop()
    walk.front.close()
  }

  static func policies() throws -> [String: String] {
    try Dictionary(uniqueKeysWithValues: ["messai", "dd-ride", "vibes"].map { ($0, try TestLists.policy($0)) })
  }

  /// A device that was never used.
  func device(_ program: String) throws -> Device {
    Device(program: program, server: front.url, store: try TestFolder.make("device"))
  }

  /// The server is gone.
  func stop() async {
    front.lead(.nowhere)
    await server.stop()
  }

  /// Another server of the installation takes the place of the one that stopped.
  func startAgain() async throws {
    let next = try await server.sibling()
    current.withLock { $0 = next }
    front.lead(to: next.url)
  }

  /// The code of the newest mail to an address.
  func code(to email: String) async throws -> String {
    try #require(try await server.latestMail(to: email)?.code)
  }

  // MARK: What an operator does

  func revoke(_ email: String, in tenant: String) async throws {
    _ = try await RevokeSessions.run(.init(tenant: tenant, user: email), server.asOperator)
  }

  func disable(_ email: String, in tenant: String) async throws {
    _ = try await SetUser.run(.init(tenant: tenant, user: email, disabled: true), server.asOperator)
  }

  func verify(_ email: String, in tenant: String) async throws {
    _ = try await VerifyUserEmail.run(.init(tenant: tenant, user: email), server.asOperator)
  }
}
