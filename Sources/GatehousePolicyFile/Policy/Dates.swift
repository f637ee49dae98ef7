package import GatehousePolicy

extension Policy {
  /// Every day at which this policy changes by itself: dated stages, the ends of exceptions, and the first day of the
  /// offer of a passkey. In order, without repeats. The end of a former relying party is none: until then people make
  /// new passkeys, so nothing is known of that day.
  package var dates: [Day] {
    let days =
      staged.map(\.enforcement).filter { $0.mode == .warn }.compactMap(\.from) + exceptions.map(\.until)
      + [passkeys?.upgrade?.from].compactMap(\.self)
    return Array(Set(days)).sorted()
  }
}
