import GatehousePostgres
import Testing

@testable import gatehouse

@Suite("How the program reaches its database")
struct DatabaseLocationTests {
  private func connection(_ purpose: DatabaseLocation.Purpose) async throws -> DatabaseConfiguration {
    let (config, _) = ConfigTests().read(
      "", ["GATEHOUSE_DATABASE_URL": "postgres://gatehouse_app@database.example/gatehouse"])
    return try await DatabaseLocation.open(config, for: purpose).connection(Roles.app)
  }

  @Test("a command waits longer than a request may, for a connection and for an answer, and takes fewer connections")
  func patience() async throws {
    let (server, command) = (try await connection(.server), try await connection(.command))
    #expect(server.patience == .seconds(1) && command.patience == .seconds(10))
    #expect(server.readTimeout == .seconds(1) && command.readTimeout == .seconds(10))
    #expect(server.writeTimeout == .seconds(3) && command.writeTimeout == .seconds(10))
    #expect(server.writeDeadline == .seconds(3) && command.writeDeadline == nil)
    #expect(server.connections == 20 && command.connections == 3)
  }
}
