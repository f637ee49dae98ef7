import GatehouseRuntime

/// When connections are opened: some at once, the others as soon as they are needed or when a second has passed, one
/// after another. Neither a start nor a command of an operator waits for PostgreSQL to start a process for each, and a
/// server that is away is not asked by all of them at once. Loop thread only.
final class Openings {
  private let loop: Loop
  private var unopened: ArraySlice<Connection>
  private var isOpening = false
  /// Set until the connections that are not needed yet begin to be opened.
  private var pause: LoopTimer?

  /// `others` wait to be needed.
  init(loop: Loop, first: [Connection], others: [Connection]) {
    self.loop = loop
    unopened = others[...]
    pause = loop.after(.seconds(1)) { [weak self] in
      self?.pause = nil
      self?.openNext()
    }
    for connection in first { connection.open() }
  }

  /// Opens one more, unless one is being opened already.
  func openNext() {
    guard !isOpening, let next = unopened.popFirst() else { return }
    isOpening = true
    next.open()
  }

  /// A connection is there: after the pause the next one follows.
  func connected() {
    isOpening = false
    if pause == nil { openNext() }
  }

  /// No more are opened.
  func cancel() {
    pause?.cancel()
    unopened = []
  }
}
