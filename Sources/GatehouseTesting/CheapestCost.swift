package import GatehousePrimitives

extension PasswordCost {
  /// The least that a stored hash may have cost: some microseconds. It protects no password, and no setting offers it.
  package static let cheapest = PasswordCost(memory: 8, passes: 1)
}
