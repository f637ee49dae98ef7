import Testing

/// A server is joined in one room, so that what tests start is what runs.
@Suite("The composition")
struct CompositionTests {
  private static let joined = "GatehouseAssembly"

  /// Where a room makes services, or what answers at a listener.
  private static func joints(in room: String) throws -> [String] {
    try WallTests.lines(of: room).filter {
      $0.text.contains(/\b(Services|PublicServer|AdminServer|OperationsServer)(\.init)?\(/)
    }.map { "\($0.file):\($0.number)" }
  }

  @Test("services and listeners' handlers are made in one room alone")
  func oneRoom() throws {
    for room in WallTests.walls.keys.sorted() + ["GatehouseServerTesting"] where room != Self.joined {
      #expect(try Self.joints(in: room) == [])
    }
  }

  @Test("the same look finds those that are made there")
  func control() throws { #expect(try Self.joints(in: Self.joined).count == 4) }
}
