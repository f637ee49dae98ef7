import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// What every other test stands on: a run makes a thousand databases, and memory holds a few.
@Suite("The ground of tests")
struct TestServerTests {
  /// The database of a server that stopped, to which nothing refers any more.
  private static func abandoned() async throws -> String {
    let server = try await TestServer.start()
    let name = server.storage.name
    await server.stop()
    return name
  }

  @Test("a database goes once nothing refers to it, and stays while something does")
  func databases() async throws {
    let gone = try await Self.abandoned()
    let held = try await TestDatabase.make()
    let isSo = try await eventually {
      _ = try await TestDatabase.make()
      let looking = try await held.connect(user: Embedded.superuser)
      let rows = try await looking.read(
        nil, "SELECT datname::text FROM pg_database WHERE datname IN (\(gone), \(held.name))")
      await looking.stop()
      let there = Set(try rows.map { try $0[0] as String })
      #expect(there.contains(held.name))
      return !there.contains(gone)
    }
    #expect(isSo)
  }
}
