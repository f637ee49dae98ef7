package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse user factors`.
package enum ListUserFactors {
  package static func run(_ input: ListUserFactorsOperation.Input, _ call: OperatorCall) async throws
    -> ListUserFactorsOperation.Output
  {
    let (user, seen) = try await call.user(input.user, of: input.tenant)
    let stored = try await call.store(of: seen).factors(of: user.id)
    return ListUserFactorsOperation.Output(
      items: FactorRecord.all(stored), recoveryCodes: RecoveryCodeCount(left: stored.codesLeft),
      locked: stored.isLocked)
  }
}
