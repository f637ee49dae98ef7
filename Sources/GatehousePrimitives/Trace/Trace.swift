/// The trace that a task works for. Work that is not traced costs one look at a task-local value that is nil.
package enum Trace {
  /// Nil in a task that belongs to no trace.
  @TaskLocal package static var current: TraceContext?

  /// Begins a span below the current one; nil where none is recorded.
  package static func begin(_ kind: TraceSpan.Kind) -> TraceSpan? {
    guard let current else { return nil }
    return current.begin(kind)
  }

  /// The place that work which is kept for later belongs to; nil outside a request that is traced.
  package static var origin: TraceParent? { current?.parent }

  /// Does work that was kept by a request, in the trace of that request; without an origin the work stays where it is.
  package static func resuming<Result>(_ origin: TraceParent?, _ work: () async throws -> Result) async rethrows
    -> Result
  {
    guard let origin else { return try await work() }
    return try await $current.withValue(TraceContext(origin, tracer: current?.tracer)) { try await work() }
  }
}

/// The place of a task in a trace.
package struct TraceContext: Sendable {
  /// The span that the task works in; nil in a job, where each message that leaves begins a trace of its own.
  package let parent: TraceParent?
  /// Handed on with each request further on.
  package let state: TraceState?
  /// Takes the spans; nil where none are recorded.
  let tracer: Tracer?

  package init(_ parent: TraceParent?, state: TraceState? = nil, tracer: Tracer? = nil) {
    (self.parent, self.state, self.tracer) = (parent, state, tracer)
  }

  fileprivate func begin(_ kind: TraceSpan.Kind) -> TraceSpan? {
    guard let tracer else { return nil }
    guard let parent else { return kind.beginsTraces && tracer.samples() ? tracer.span(kind, in: nil) : nil }
    return parent.isSampled ? tracer.span(kind, in: parent, state) : nil
  }
}

/// A span under way.
package struct TraceSpan: Sendable {
  package enum Kind: Int, Sendable {
    // The numbers are those of `Span.SpanKind` of OTLP, with the ones of messages and statements apart.
    case work = 1
    case server = 2
    case message = 3
    case statement = 4

    /// `SpanKind` of OTLP.
    package var number: Int { self == .statement ? Kind.message.rawValue : rawValue }
    /// Whether one in a job is recorded, as a trace of its own. Statements of jobs run all day and say nothing.
    var beginsTraces: Bool { self == .message }
  }

  let tracer: Tracer
  /// The place that a request further on names as its parent.
  package let place: TraceParent
  let above: SpanID?
  let state: TraceState?
  let kind: Kind
  let start: UInt64

  /// Ends it. A name and attributes MUST hold no value that a person chose.
  /// - Parameter error: the kind of failure, where it failed.
  package func end(_ name: String, _ attributes: [SpanAttribute] = [], error: String? = nil) {
    tracer.add(
      FinishedSpan(
        traceID: place.traceID, spanID: place.spanID, parent: above, state: state, name: name, kind: kind,
        start: start, end: max(start, tracer.now()),
        attributes: attributes + (error.map { [SpanAttribute("error.type", $0)] } ?? []), isFailure: error != nil))
  }
}

/// One fact about a span, by a name of the semantic conventions or of this server.
package struct SpanAttribute: Sendable, Equatable {
  package enum Value: Sendable, Equatable {
    case text(String)
    case integer(Int)
  }

  package let name: String
  package let value: Value

  package init(_ name: String, _ text: String) { (self.name, value) = (name, .text(text)) }
  package init(_ name: String, _ number: Int) { (self.name, value) = (name, .integer(number)) }
}

/// A span that waits to be exported. Moments are nanoseconds since 1970.
package struct FinishedSpan: Sendable {
  package let traceID: TraceID
  package let spanID: SpanID
  package let parent: SpanID?
  package let state: TraceState?
  package let name: String
  package let kind: TraceSpan.Kind
  package let start: UInt64
  package let end: UInt64
  package let attributes: [SpanAttribute]
  package let isFailure: Bool
}
