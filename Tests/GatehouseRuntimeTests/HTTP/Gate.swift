@testable import GatehouseRuntime

/// Holds handlers back until a test lets them go, and tells the test when one is waiting.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [UnsafeContinuation<Void, Never>] = []
    var watchers: [UnsafeContinuation<Void, Never>] = []
  }
  private let state = Locked(State())

  func pass() async {
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      let watchers = state.withLock { state in
        if state.isOpen {
          continuation.resume()
          return [UnsafeContinuation<Void, Never>]()
        }
        state.waiting.append(continuation)
        defer { state.watchers = [] }
        return state.watchers
      }
      for watcher in watchers { watcher.resume() }
    }
  }

  /// Returns once a task waits at the gate.
  func reached() async {
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      let isReached = state.withLock { state in
        if state.waiting.isEmpty { state.watchers.append(continuation) }
        return !state.waiting.isEmpty
      }
      if isReached { continuation.resume() }
    }
  }

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Answers at once, and a request for `/held` once the gate is open.
  var holding: Handler {
    { [self] request in
      if request.path == "/held" { await pass() }
      return .text("")
    }
  }
}
