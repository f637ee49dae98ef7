/// Decides which traces are recorded, and keeps their spans until they are exported. The queue is bounded, and no
/// request waits for it.
package final class Tracer: Sendable {
  /// The share of traces that are recorded, 0 to 1.
  private let share: Double
  private let capacity: Int
  /// Nanoseconds since 1970.
  let now: @Sendable () -> UInt64
  private let queue = LockBox((spans: [FinishedSpan](), counts: Counts()))

  /// Spans since the start.
  package struct Counts: Sendable, Equatable {
    package var exported = 0
    /// Spans that found the queue full, and those that the collector refused.
    package var dropped = 0
    package var waiting = 0

    package init(exported: Int = 0, dropped: Int = 0, waiting: Int = 0) {
      (self.exported, self.dropped, self.waiting) = (exported, dropped, waiting)
    }
  }

  package init(share: Double, capacity: Int = 4096, now: @escaping @Sendable () -> UInt64) {
    (self.share, self.capacity, self.now) = (share, capacity, now)
  }

  /// The context of a request and its span.
  /// - Parameters:
  ///   - parent: the caller's place, if it names one.
  ///   - isTrusted: whether the caller's decision to record the trace is this server's too.
  package func request(
    _ parent: TraceParent?, _ state: TraceState?, isTrusted: Bool
  ) -> (context: TraceContext, span: TraceSpan?) {
    // GUARD: traces: a stranger does not decide what is recorded
    let isSampled = isTrusted ? parent?.isSampled ?? samples() : samples()
    let span = span(.server, in: parent, state, isSampled: isSampled)
    return (TraceContext(span.place, state: state, tracer: self), isSampled ? span : nil)
  }

  /// The context of a job.
  package var job: TraceContext { TraceContext(nil, tracer: self) }

  func samples() -> Bool { share > 0 && (share >= 1 || Double.random(in: 0..<1) < share) }

  func span(_ kind: TraceSpan.Kind, in parent: TraceParent?, _ state: TraceState? = nil, isSampled: Bool = true)
    -> TraceSpan
  {
    TraceSpan(
      tracer: self,
      place: TraceParent(traceID: parent?.traceID ?? .fresh(), spanID: .fresh(), isSampled: isSampled),
      above: parent?.spanID, state: state, kind: kind, start: now())
  }

  func add(_ span: FinishedSpan) {
    queue.withLock {
      // GUARD: traces: the queue is bounded
      if $0.spans.count < capacity { $0.spans.append(span) } else { $0.counts.dropped += 1 }
    }
  }

  package var counts: Counts {
    queue.withLock {
      var counts = $0.counts
      counts.waiting = $0.spans.count
      return counts
    }
  }

  /// The oldest spans, which stay until `settle`.
  package func next(atMost most: Int) -> [FinishedSpan] { queue.withLock { Array($0.spans.prefix(most)) } }

  /// Removes the oldest spans. One task at a time may take and settle.
  package func settle(_ count: Int, isExported: Bool) {
    queue.withLock {
      $0.spans.removeFirst(min(count, $0.spans.count))
      if isExported { $0.counts.exported += count } else { $0.counts.dropped += count }
    }
  }
}
