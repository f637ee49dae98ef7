import GatehouseRuntime

/// The one connection that listens. Every subscriber of a channel gets every payload, and an empty one whenever
/// listening began anew, because something may have been missed.
final class NotificationListener: @unchecked Sendable {
  // SAFETY: but for `listen`, touched only on the loop's thread.
  private let loop: Loop
  private let connection: Connection
  private let gauge: ConnectionGauge
  /// How long the answer to a LISTEN is awaited.
  private let timeout: Duration
  private var subscribers: [String: [UInt64: AsyncStream<String>.Continuation]] = [:]
  private var subscriptions: UInt64 = 0
  private var sweep: Sweep?
  private var isClosed = false

  init(loop: Loop, configuration: DatabaseConfiguration, hosts: ConnectionHosts, gauge: ConnectionGauge) {
    self.loop = loop
    self.gauge = gauge
    timeout = configuration.readTimeout * 2 + .seconds(1)
    connection = Connection(loop: loop, settings: configuration.settings(for: .listen, on: hosts))
  }

  func open() {
    sweep = Sweep(loop: loop) { [weak self] now in
      self?.connection.watchOver(at: now)
      return self?.connection.pending ?? 0 > 0
    }
    connection.events = Connection.Events(
      ready: { [unowned self] _ in
        gauge.connected()
        for channel in subscribers.keys { send(listenTo: channel) }
      },
      down: { [gauge] in gauge.disconnected() },
      notified: { [unowned self] channel, payload in deliver(payload, to: channel) },
      failedToConnect: { [gauge] in gauge.note($0) })
    connection.open()
  }

  func close() {
    isClosed = true
    sweep?.cancel()
    connection.close()
    for continuation in subscribers.values.flatMap(\.values) { continuation.finish() }
    subscribers = [:]
  }

  /// A stream of payloads. A slow reader keeps the newest 1024.
  func listen(to channel: String) -> AsyncStream<String> {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(1024))
    loop.perform { [self] in
      guard !isClosed else { return continuation.finish() }
      subscriptions += 1
      let id = subscriptions
      subscribers[channel, default: [:]][id] = continuation
      continuation.onTermination = { [weak self] _ in
        guard let self else { return }
        loop.execute { [weak self] in self?.leave(channel, id) }
      }
      // Sent again even if the channel is known: the answer tells the new subscriber that it hears from now on.
      if connection.isReady { send(listenTo: channel) }
    }
    return stream
  }

  /// A connection that does not listen is of no use: one whose LISTEN is refused or stays unanswered is given up, and
  /// the next one is asked.
  private func send(listenTo channel: String) {
    connection.send(
      Job(.read, ["LISTEN \(identifier: channel)"], timeout: timeout) { [unowned self] result in
        switch result {
        case .success: deliver("", to: channel)
        case .failure:
          // GUARD: listen: a connection that does not listen is given up
          connection.lose()
        }
      })
    sweep?.arm()
  }

  private func deliver(_ payload: String, to channel: String) {
    for continuation in (subscribers[channel] ?? [:]).values { continuation.yield(payload) }
  }

  private func leave(_ channel: String, _ id: UInt64) {
    subscribers[channel]?[id] = nil
    guard subscribers[channel]?.isEmpty == true else { return }
    subscribers[channel] = nil
    if connection.isReady {
      connection.send(Job(.read, ["UNLISTEN \(identifier: channel)"], timeout: timeout) { _ in })
    }
  }
}
