/// Counts since the start, and the state now, for metrics.
package struct DatabaseStatistics: Sendable, Equatable {
  /// Connections that are ready.
  package var connected = 0
  /// Batches sent and not answered, or waiting for a connection.
  package var pending = 0
  /// Statements of callers, in whichever batch or step.
  package var statements = 0
  /// Batches and transaction steps answered with success.
  package var succeeded = 0
  /// Batches and transaction steps that failed, for any reason.
  package var failed = 0
  /// Batches refused because too much was pending.
  package var refused = 0
  /// Batches whose outcome stayed unknown.
  package var unknown = 0
  /// Connections that were lost after they had been ready.
  package var lost = 0
  /// Connections that became ready, the first time included.
  package var connects = 0
}
