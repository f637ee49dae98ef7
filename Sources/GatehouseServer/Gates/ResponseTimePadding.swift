import GatehouseRuntime

/// Delays answers whose timing must not tell whether an address has an account: they leave only at whole steps since
/// the request came. The write for a known address takes a few hundredths of a millisecond more or less; at a step both
/// are the same.
enum ResponseTimePadding {
  /// Far more than the work differs by, far less than a person notices.
  static let step = Duration.milliseconds(25)

  /// Waits for the next step. An answer that opens a session tells its owner nothing new and does not wait.
  static func wait(_ response: Response, since started: ContinuousClock.Instant) async {
    guard response.status != 200, response.status != 201 else { return }
    await Loop.current?.wait(until: started + step * steps(after: ContinuousClock.now - started))
  }

  /// How many steps such an answer takes: those that have begun, at least one.
  static func steps(after elapsed: Duration) -> Int { max(1, Int((elapsed / step).rounded(.up))) }
}
