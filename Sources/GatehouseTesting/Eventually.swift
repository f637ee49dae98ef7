/// Waits for what another process or thread does in its own time, which no clock of a test can move; false after half a
/// minute.
///
/// Between two looks it rests: asked without a pause, server and database do nothing but answer, and the threads that
/// hash, which give way to all others, stand still.
public func eventually(_ holds: () async throws -> Bool) async throws -> Bool {
  let end = ContinuousClock.now + .seconds(30)
  while ContinuousClock.now < end {
    if try await holds() { return true }
    try await Task.sleep(for: .milliseconds(5))
  }
  return false
}
