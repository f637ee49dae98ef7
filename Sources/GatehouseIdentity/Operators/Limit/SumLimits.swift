import GatehousePolicy
package import GatehouseAdminWire
import GatehouseWire

/// `gatehouse limit list`: the counters behind the limits, by limit and by severity.
package enum SumLimits {
  package static func run(_ input: SumLimitsOperation.Input, _ call: OperatorCall) async throws
    -> SumLimitsOperation.Output
  {
    let seen = try await call.call(input.tenant)
    let filter = try await CounterFilter(name: input.name, address: nil, user: nil, seen, call)
    // A pause between two messages and a mark that something was told are no limits that anyone has to lift.
    let rules = LimitRule.names.compactMap(LimitRule.named).filter {
      $0.end != .tooSoon && $0.name != OwnLimit.budgetTold.rawValue
    }
    let most = rules.compactMap { rule in rule.numbers(seen.tenant)?.count.map { (rule.name, $0) } }
    let sums = try await call.store(of: seen).counterSums(filter, most: Dictionary(most) { $1 })
    return SumLimitsOperation.Output(items: sums.compactMap { item($0, seen) }.sorted(by: isGraver))
  }

  private static func item(_ sum: LimitCounterSum, _ seen: Call) -> LimitSum? {
    // A counter of a limit that this version does not know ends by itself.
    guard let rule = LimitRule.named(sum.name) else { return nil }
    return LimitSum(
      name: sum.name, policyKey: Limits.Name(rawValue: sum.name).map { "limits.\($0.rawValue)" },
      party: rule.party.word, counted: sum.running, exhausted: sum.exhausted, highest: sum.highest,
      most: rule.numbers(seen.tenant)?.count, user: sum.only.flatMap(UserID.init(text:))?.text,
      endsAt: Timestamp(sum.endsAt))
  }

  /// First the policy's limits that refuse, by the parties that are refused, then the server's own; then by how near
  /// the nearest party is.
  private static func isGraver(_ one: LimitSum, _ other: LimitSum) -> Bool {
    let (own, others) = (one.exhausted > 0 && one.policyKey != nil, other.exhausted > 0 && other.policyKey != nil)
    if own != others { return own }
    if one.exhausted != other.exhausted { return one.exhausted > other.exhausted }
    let (near, far) = (share(one), share(other))
    return near == far ? one.name < other.name : near > far
  }

  private static func share(_ sum: LimitSum) -> Double {
    sum.most.map { Double(sum.highest) / Double(max($0, 1)) } ?? 0
  }
}

extension LimitRule.Party {
  /// The word of the contract.
  fileprivate var word: String {
    switch self {
    case .address: "network"
    case .tenant: "tenant"
    case .account: "account"
    case .recipient: "recipient"
    case .code: "code"
    }
  }
}
