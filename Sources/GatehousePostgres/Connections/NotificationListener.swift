import GatehouseRuntime

/// The one connection that listens. Every subscriber of a channel gets every payload, and an empty one whenever
/// listening began anew, because something may have been missed.
final class NotificationListener: @unchecked Sendable {
  // SAFETY: but for `listen`, touched only on the loop's thread.
  private let loop: Loop
  private let connection: Connection
  private let gauge: ConnectionGauge
  private var subscribers: [String: [UInt64: AsyncStream<String>.Continuation]] = [:]
  private var subscriptions: UInt64 = 0
  private var isClosed = false

  init(loop: Loop, configuration: DatabaseConfiguration, gauge: ConnectionGauge) {
    self.loop = loop
    self.gauge = gauge
    connection = Connection(loop: loop, settings: configuration.settings(for: .listen))
  }

  func open() {
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

  private func send(listenTo channel: String) {
    connection.send(
      Job(.read, ["LISTEN \(identifier: channel)"], timeout: .seconds(10)) { [unowned self] result in
        if case .success = result { deliver("", to: channel) }
      })
  }

  private func deliver(_ payload: String, to channel: String) {
    for continuation in (subscribers[channel] ?? [:]).values { continuation.yield(payload) }
  }

  private func leave(_ channel: String, _ id: UInt64) {
    subscribers[channel]?[id] = nil
    guard subscribers[channel]?.isEmpty == true else { return }
    subscribers[channel] = nil
    if connection.isReady {
      connection.send(Job(.read, ["UNLISTEN \(identifier: channel)"], timeout: .seconds(10)) { _ in })
    }
  }
}
