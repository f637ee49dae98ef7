import GatehouseWire

/// The value of `work`, which reads and then writes. It is run anew while another request changes between the two what
/// it had read, so that the store refuses the write with one of these errors.
///
/// Refuses `conflict` after the last attempt; the note is for the log.
package func retryOnConflict<Value>(
  _ errors: [StoreError] = [.refused(.userIsUnchanged)], attempts: Int = 2, note: String = "an account kept changing",
  _ work: () async throws -> Value
) async throws -> Value {
  var left = attempts
  while true {
    do {
      return try await work()
    } catch let error as StoreError where errors.contains(error) {
      left -= 1
      // GUARD: authority: what was looked at is looked at again
      guard left > 0 else { throw Refusal(.conflict, note: note) }
    }
  }
}
