/// The tenants that a metric names: a bounded number, those that it counts most. The others share one word, so that the
/// number of series does not grow with the number of tenants.
struct NamedTenants: Sendable {
  /// The word for all tenants that are not named.
  static let others = "(other)"
  /// The number of tenants that are named at a time.
  static let most = 50
  /// The number of tenants that are watched at a time: of a tenant with a greater share of the counts than one in so
  /// many, some count is always known (J. Misra and D. Gries, 1982).
  private static let mostWatched = 200
  /// After so many counts each of them weighs half: the names follow who is active now.
  private static let halfLife = 16_384
  /// The lead by which a tenant takes the place of a named one. Without it two that are about equal take turns.
  private static let lead = 16

  private var counts: [String: Int] = [:]
  private var named: Set<String> = []
  private var counted = 0

  /// Counts one event of a tenant.
  /// - Returns: The name that stands for the tenant, and the one that is no longer named from now on.
  mutating func count(_ tenant: String) -> (label: String, gone: String?) {
    weigh()
    watch(tenant)
    if named.contains(tenant) { return (tenant, nil) }
    guard named.count >= Self.most else {
      named.insert(tenant)
      return (tenant, nil)
    }
    guard let own = counts[tenant], let least = named.min(by: { counts[$0, default: 0] < counts[$1, default: 0] }),
      own > 2 * counts[least, default: 0] + Self.lead
    else { return (Self.others, nil) }
    named.remove(least)
    named.insert(tenant)
    return (tenant, least)
  }

  private mutating func weigh() {
    counted += 1
    guard counted.isMultiple(of: Self.halfLife) else { return }
    counts = counts.mapValues { $0 / 2 }.filter { $0.value > 0 }
  }

  private mutating func watch(_ tenant: String) {
    if counts[tenant] != nil || counts.count < Self.mostWatched {
      counts[tenant, default: 0] += 1
    } else {
      counts = counts.mapValues { $0 - 1 }.filter { $0.value > 0 }
    }
  }
}
