import GatehouseRuntime

/// When answers leave that must not tell, by the time they take, whether an address is somebody's: only at whole steps since the
/// request came. What was found takes a few hundredths of a millisecond more or less to write; at a step both are the same.
enum EvenAnswer {
  /// Far more than the work differs by, far less than a person notices.
  static let step = Duration.milliseconds(25)

  /// Waits for the next step. An answer that opens a session tells its owner nothing new and does not wait.
  static func wait(_ response: Response, since started: ContinuousClock.Instant) async {
    guard response.status != 200, response.status != 201 else { return }
    try? await Loop.current?.sleep(for: rest(after: ContinuousClock.now - started))
  }

  /// What is left until a whole number of steps, at least one, has passed.
  static func rest(after elapsed: Duration) -> Duration {
    let steps = max(1, (elapsed / step).rounded(.up))
    return step * steps - elapsed
  }
}
