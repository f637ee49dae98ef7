import GatehouseWire

/// The tenant's policy, as far as a form needs it.
final class PolicyCache: Sendable {}
