package import GatehousePolicy

extension Policy {
  /// Every day at which this policy changes by itself: dated stages and the ends of exceptions. In order, without
  /// repeats.
  package var dates: [Day] {
    let days = staged.map(\.enforcement).filter { $0.mode == .warn }.compactMap(\.from) + exceptions.map(\.until)
    return Array(Set(days)).sorted()
  }
}
