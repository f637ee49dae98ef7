// A set of codes for the day on which the other factors are lost.

import GatehousePolicy
import GatehousePrimitives
package import GatehouseWire

package enum RecoveryCodes {
  /// A new set, which is shown once. The one before is void. Refuses `reauthentication_required`, and `not_found` for
  /// an account without a second factor.
  package static func make(_ input: Nothing, _ call: Call, _ services: Services) async throws
    -> MakeRecoveryCodesEndpoint.Output
  {
    let me = try await call.signedIn(services)
    // GUARD: recovery codes: made by a fresh proof
    try me.demandFreshProof(for: .factors, call, services)
    guard !me.user.factors.isEmpty else {
      throw Refusal(.notFound, detail: "recovery codes need a second factor: add one first")
    }
    let codes = RecoveryCode.makeSet()
    let answer = MakeRecoveryCodesEndpoint.Output(recoveryCodes: codes.map(\.shown))
    try await services.store.open(call.tenant.id).commit(
      changes(codes, of: me.user, call, services)
        + (try Messaging.notice(.recoveryCodesMade, to: me.user, call, services))
        + (try call.keeping(answer, status: MakeRecoveryCodesEndpoint.status)),
      as: me.proven)
    return answer
  }

  /// The writes of a new set.
  static func changes(_ codes: [RecoveryCode], of user: StoredUser, _ call: Call, _ services: Services) -> [Change] {
    [
      .factor(.setCodes(user.id, codes.map { $0.mac(of: user.id, in: call.tenant.vault) })),
      .audit(call.entry(.recoveryCodesMade, services, actor: .user(user.id), user: user.id)),
    ]
  }
}

extension RecoveryCode {
  /// How many codes a set has.
  package static let setSize = 10

  static func makeSet() -> [RecoveryCode] { (0..<setSize).map { _ in RecoveryCode.make() } }
}
