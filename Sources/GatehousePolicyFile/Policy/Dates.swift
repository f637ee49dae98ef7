package import GatehousePolicy

extension Policy {
  /// Every day at which this policy changes by itself: dated stages and the ends of exceptions. In order, without
  /// repeats.
  package var dates: [Day] {
    let stages = allRules.map(\.enforcement) + access.full.map(\.enforcement)
    let days = stages.filter { $0.mode == .warn }.compactMap(\.from) + exceptions.map(\.until)
    return Array(Set(days)).sorted()
  }
}
