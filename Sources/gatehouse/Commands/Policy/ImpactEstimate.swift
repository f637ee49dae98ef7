import GatehouseAdminWire

/// The meaning of a sample for all users, with its margin.
enum ImpactEstimate {
  /// From so many users on, an estimate comes before the count of all.
  static let least = 100_000

  /// Sentences for people: the size of the sample, and the numbers that it speaks of.
  static func lines(_ impact: PolicyImpactOperation.Output) -> [String] {
    func share(_ found: Int) -> String { of(found, from: impact.people, total: impact.total) }
    var lines = ["estimate, from \(impact.people) of \(Words.count(impact.total, "user")) drawn by chance:"]
    for rule in impact.rules where rule.newlyFailing > 0 {
      lines.append("  \(share(rule.newlyFailing)) newly break \(Visible.line(rule.rule))")
    }
    lines.append("  \(share(impact.loss.people)) lose full access")
    if impact.gaining > 0 { lines.append("  \(share(impact.gaining)) gain full access") }
    if impact.prompted > 0 { lines.append("  \(share(impact.prompted)) are prompted at their next sign-in") }
    return lines
  }

  /// A number of all users with its margin: nineteen of twenty samples lie within. A sample that found none bounds it.
  static func of(_ found: Int, from sample: Int, total: Int) -> String {
    guard sample > 0 else { return "an unknown number of users" }
    let size = Double(sample)
    guard found > 0 else { return "fewer than \(Int((3 / size * Double(total)).rounded(.up)))" }
    let share = Double(found) / size
    let margin = 1.96 * (share * (1 - share) / size).squareRoot()
    return "about \(Int((share * Double(total)).rounded())) (± \(Int((margin * Double(total)).rounded(.up))))"
  }
}
