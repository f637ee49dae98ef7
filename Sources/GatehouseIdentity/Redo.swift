/// A request that looked at an account, and wrote when the account was another one already, is done over once: its look
/// may come to another verdict then.
package enum Redo {
  /// The value of `work`. Refuses `conflict` when the account was changed under the second attempt, too.
  package static func once<Value>(_ work: () async throws -> Value) async throws -> Value {
    do {
      return try await work()
    } catch StoreError.refused(.userIsUnchanged) {
      // GUARD: authority: what was looked at is looked at again
      return try await work()
    }
  }
}
