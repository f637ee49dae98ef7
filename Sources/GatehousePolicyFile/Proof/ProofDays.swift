import Foundation
import GatehousePolicy

/// The days at which a policy's answers change, from today on.
struct ProofDays {
  /// Moments, the first of them now.
  let instants: [Date]

  /// - Parameter now: No earlier day is looked at.
  init(_ policy: Policy, from now: Date) {
    let begins = policy.staged.map(\.enforcement).filter { $0.mode == .warn }.compactMap(\.from?.start)
    let ends = policy.exceptions.map { $0.until.start.addingTimeInterval(86_400) }
    instants = [now] + Set(begins + ends).filter { $0 > now }.sorted()
  }

  /// `2027-09-01`, in UTC.
  static func name(_ instant: Date) -> String {
    Day(of: instant)?.description ?? "1970-01-01"
  }
}
