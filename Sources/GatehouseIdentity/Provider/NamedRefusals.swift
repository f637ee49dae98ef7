import GatehousePolicy
import GatehouseWire

extension Call {
  /// Runs what asks a provider. A refusal that the provider is the reason of names it, where the policy does: what a
  /// caller made up is named nowhere.
  func naming<Value>(_ provider: String?, _ work: () async throws -> Value) async throws -> Value {
    do {
      return try await work()
    } catch var refusal as Refusal {
      // GUARD: provider: only a name of the policy is told
      refusal.provider = provider.flatMap { policy.provider($0)?.name }
      throw refusal
    }
  }
}
