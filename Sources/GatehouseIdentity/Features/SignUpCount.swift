// The limits of a sign-up: an account counts against the policy's limits, a refused form against a looser one.

import GatehousePrimitives
import GatehouseWire

/// The counts of one form, taken before its work is done: an account and a refused form, as it may become either. The
/// other count is returned. So typing errors of many people behind one address use up no other person's sign-up, and a
/// client that tries out names one after another is stopped.
struct SignUpCount {
  private let user: Counted
  private let form: Counted

  /// Counts a form, before its work. Refuses `rate_limited`, with the name of the limit.
  static func begin(_ call: Call, _ services: Services) async throws -> SignUpCount {
    let counted = try await Limiting.reserve(.signUp, call, services)
    let isForm = { (limit: Reservation) in limit.name == OwnLimit.refusedForms.rawValue }
    return SignUpCount(
      user: Counted(counted.reservations.filter { !isForm($0) }, by: counted.by),
      form: Counted(counted.reservations.filter(isForm), by: counted.by))
  }

  /// Belongs last into the commit that makes the account, as nothing that holds a counter waits for an account.
  var made: [Change] { [.limit(.giveBack(form))] }

  /// The error of the work, which made the form a refused one. A count whose outcome is unknown goes on counting: there
  /// may be an account.
  func refused(_ error: any Error, _ call: Call, _ services: Services) async -> any Error {
    guard Refusal(of: error).code != .unknownOutcome else { return error }
    let back = [Change.limit(.giveBack(user))]
    do {
      // GUARD: sign-up: a refused form is no account
      try await services.store.open(call.tenant.id).commit(back, as: .anonymous)
    } catch {
      let left = Return(kind: .counts(back), tenant: call.tenant.id, since: services.clock.now)
      if left.isLeft(after: error) { services.returns.putBack([left]) }
    }
    return error
  }
}
