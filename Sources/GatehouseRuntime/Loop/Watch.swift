import CEvent

/// The operations that a descriptor is ready for, or that one waits for.
package struct Readiness: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  /// Bytes, a new connection, the end of the stream or an error can be read.
  package static let read = Readiness(rawValue: 1)
  /// Bytes can be written, or a connection attempt has ended.
  package static let write = Readiness(rawValue: 2)
}

/// A descriptor watched by a loop. It lives, and keeps its body alive, until `cancel()`; cancel before closing the
/// descriptor. Loop thread only.
package final class Watch {
  private let loop: Loop
  private let descriptor: Int32
  private var body: ((Readiness) -> Void)?
  private var readEvent: OpaquePointer?
  private var writeEvent: OpaquePointer?

  init(loop: Loop, descriptor: Int32, body: @escaping (Readiness) -> Void) {
    self.loop = loop
    self.descriptor = descriptor
    self.body = body
    // libevent holds a bare pointer to the watch: it stays retained until `cancel` has freed the events.
    _ = Unmanaged.passRetained(self)
  }

  /// The events that call the body; level-triggered, so the body is called again while the condition holds. Starts
  /// empty.
  package var interest: Readiness = [] {
    didSet {
      guard body != nil, interest != oldValue else { return }
      assert(loop.isCurrent)
      arm(&readEvent, EV_READ, wanted: interest.contains(.read), was: oldValue.contains(.read))
      arm(&writeEvent, EV_WRITE, wanted: interest.contains(.write), was: oldValue.contains(.write))
    }
  }

  /// Ends the watch: the body is not called again and is let go. Safe to call twice, and inside the body.
  package func cancel() {
    guard body != nil else { return }
    assert(loop.isCurrent)
    body = nil
    if let readEvent { event_free(readEvent) }
    if let writeEvent { event_free(writeEvent) }
    readEvent = nil
    writeEvent = nil
    // SAFETY: balances the retain of `init`, once, because `body` was still set.
    Unmanaged.passUnretained(self).release()
  }

  private func arm(_ event: inout OpaquePointer?, _ kind: Int32, wanted: Bool, was: Bool) {
    guard wanted != was else { return }
    guard wanted else {
      if let event { event_del(event) }
      return
    }
    if event == nil {
      event = event_new(
        loop.base, descriptor, Int16(kind | EV_PERSIST),
        { _, what, context in
          guard let context else { return }
          // SAFETY: the watch is retained until its events are freed, and a freed event does not fire.
          let watch = Unmanaged<Watch>.fromOpaque(context).takeUnretainedValue()
          watch.loop.servesDescriptor()
          watch.body?(Int32(what) & EV_READ != 0 ? .read : .write)
        }, Unmanaged.passUnretained(self).toOpaque())
    }
    event_add(event, nil)
  }
}

extension Loop {
  /// Watches `descriptor` (non-blocking); set `interest` to begin. Loop thread only.
  package func watch(_ descriptor: Int32, _ body: @escaping (Readiness) -> Void) -> Watch {
    Watch(loop: self, descriptor: descriptor, body: body)
  }
}
