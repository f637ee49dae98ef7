#if os(Linux)
  import Foundation

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// The thread that curl works on. It begins with a request and ends, with every connection, when there was none for a
  /// while.
  final class CurlThread: Sendable {
    /// The process's. It is out of curl before the process's libraries are torn down.
    static let shared: CurlThread = {
      CurlTransfers.prepare()
      atexit { CurlThread.shared.halt() }
      return CurlThread()
    }()

    /// A request on its way to the thread.
    struct Request: Sendable {
      let id: Int
      let call: HTTPCall
      let authorities: String?
    }

    private enum Order: Sendable {
      case begin(Request)
      case end(Int)
    }

    private struct State {
      var orders: [Order] = []
      var lastID = 0
      var isRunning = false
      var isHalted = false
      /// Woken for each order, while the thread may wait in it.
      var transfers: CurlTransfers?
    }

    private let state = Locked(State())
    private let exchanges = Exchanges()
    private let halted = DispatchSemaphore(value: 0)
    private let idle: Duration

    /// - Parameter idle: the time after which connections without a request are closed.
    init(idle: Duration = .seconds(30)) { self.idle = idle }

    /// The answer of a request that is well-formed.
    func send(_ call: HTTPCall, authorities: String?, deadline: Duration) async throws -> HTTPAnswer {
      let id = state.withLock { state in
        state.lastID += 1
        return state.lastID
      }
      return try await exchanges.run(id, largestAnswer: call.largestAnswer, deadline: deadline) {
        take(.begin(Request(id: id, call: call, authorities: authorities)))
      } stop: { [self] in
        take(.end(id))
      }
    }

    private func take(_ order: Order) {
      let begins = state.withLock { state in
        // Without a thread there is nothing to end.
        if case .end = order, !state.isRunning { return false }
        state.orders.append(order)
        state.transfers?.wake()
        defer { state.isRunning = true }
        return !state.isRunning
      }
      if begins { Thread.detachNewThread { [self] in run() } }
    }

    private func run() {
      // Handlers of signals belong to the app's threads. A write to a connection that is gone is an error, no SIGPIPE.
      Self.blockSignals()
      repeat {
        let transfers = CurlTransfers(exchanges)
        serve(transfers)
        transfers.close()
      } while !mayEnd()
    }

    private func serve(_ transfers: CurlTransfers) {
      var lastWork = ContinuousClock.now
      while let orders = next(transfers, isIdle: transfers.isEmpty && ContinuousClock.now - lastWork >= idle) {
        for order in orders {
          switch order {
          case .begin(let request): transfers.begin(request)
          case .end(let id): transfers.end(id)
          }
        }
        if !orders.isEmpty || !transfers.isEmpty { lastWork = .now }
        transfers.work(upTo: transfers.isEmpty ? idle : .seconds(1))
      }
    }

    /// The orders that came; nil to stop.
    private func next(_ transfers: CurlTransfers, isIdle: Bool) -> [Order]? {
      state.withLock { state in
        guard !state.isHalted, !isIdle || !state.orders.isEmpty else {
          state.transfers = nil
          return nil
        }
        state.transfers = transfers
        defer { state.orders = [] }
        return state.orders
      }
    }

    private func mayEnd() -> Bool {
      state.withLock { state in
        if state.isHalted {
          halted.signal()
          return true
        }
        state.isRunning = !state.orders.isEmpty
        return !state.isRunning
      }
    }

    /// Takes the thread out of curl, for good. Returns after a second at the latest.
    private func halt() {
      let isRunning = state.withLock { state in
        state.isHalted = true
        state.transfers?.wake()
        return state.isRunning
      }
      if isRunning { _ = halted.wait(timeout: .now() + 1) }
    }

    private static func blockSignals() {
      var all = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_BLOCK, &all, nil)
    }
  }
#endif
