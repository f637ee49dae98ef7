/// Work that holds a policy to the floor in force. Where the store knows a newer floor it is read, and the work is done
/// once more under that one.
enum HeldToFloor {
  /// - Parameter body: is told whether it runs for the second time.
  static func run<Value>(_ services: Services, _ body: (_ isAgain: Bool) async throws -> Value) async throws -> Value {
    do {
      return try await body(false)
    } catch StoreError.refused(.floorIsCurrent) {
      try await services.floor.follow(services.floors)
    }
    do {
      return try await body(true)
    } catch StoreError.refused(.floorIsCurrent) {
      throw OperatorError(
        .stale, "another floor was applied at the same moment; nothing is applied", hint: "apply again")
    }
  }
}
