import Foundation
import GatehousePolicy

/// The days at which a policy's answers change, from today on.
struct ProofDays {
  /// Moments, the first of them now.
  let instants: [Date]

  /// - Parameter now: No earlier day is looked at.
  init(_ policy: Policy, from now: Date) {
    let stages = policy.allRules.map(\.enforcement) + policy.access.full.map(\.enforcement)
    let begins = stages.filter { $0.mode == .warn }.compactMap(\.from?.start)
    let ends = policy.exceptions.map { $0.until.start.addingTimeInterval(86_400) }
    instants = [now] + Set(begins + ends).filter { $0 > now }.sorted()
  }

  /// `2027-09-01`, in UTC.
  static func name(_ instant: Date) -> String {
    let seconds = instant.timeIntervalSince1970
    let days = Int((seconds / 86_400).rounded(.down))
    // The civil date of a day number, as Day counts them the other way round.
    let z = days + 719_468
    let era = (z >= 0 ? z : z - 146_096) / 146_097
    let dayOfEra = z - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    let civil = month < 10 ? month + 3 : month - 9
    let year = yearOfEra + era * 400 + (civil <= 2 ? 1 : 0)
    return Day(year: year, month: civil, day: day)?.description ?? "1970-01-01"
  }
}
