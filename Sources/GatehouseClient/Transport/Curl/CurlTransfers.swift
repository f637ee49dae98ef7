#if os(Linux)
  import CCurl
  import Foundation

  /// curl's transfers and connections. Confined to one thread, but for `wake`.
  final class CurlTransfers {
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    private let multi: UnsafeMutableRawPointer?
    private let exchanges: Exchanges
    private var transfers: [Int: CurlTransfer] = [:]

    var isEmpty: Bool { transfers.isEmpty }

    /// Sets libcurl up, once for the process.
    static func prepare() { _ = isReady }

    init(_ exchanges: Exchanges) {
      self.exchanges = exchanges
      multi = Self.isReady ? curl_multi_init() : nil
      guard let multi else { return }
      _ = gh_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, 6)  // GUARD: client: six connections of a host
      _ = gh_multi_set_long(multi, CURLMOPT_MAXCONNECTS, 12)
    }

    /// Begins a transfer, unless its caller has gone on.
    func begin(_ request: CurlThread.Request) {
      // GUARD: client: a request that was given up is not sent
      guard exchanges.isOpen(request.id) else { return }
      guard let multi, let transfer = CurlTransfer(request, exchanges),
        curl_multi_add_handle(multi, transfer.handle) == CURLM_OK
      else { return exchanges.finish(request.id, TransportError(reason: "not sent")) }
      transfers[request.id] = transfer
    }

    /// Gives a transfer up, and its connection with it.
    func end(_ id: Int) {
      guard let transfer = transfers.removeValue(forKey: id) else { return }
      curl_multi_remove_handle(multi, transfer.handle)
    }

    /// Does what can be done, and waits for more: for so long, or until it is woken.
    func work(upTo wait: Duration) {
      var running: Int32 = 0
      curl_multi_perform(multi, &running)
      var code = CURLE_OK
      while let handle = gh_multi_next_done(multi, &code) {
        guard let transfer = transfers.values.first(where: { $0.handle == handle }) else { continue }
        end(transfer.id)
        transfer.finish(code)
      }
      let milliseconds = Int32(clamping: Int(wait.inSeconds * 1000))
      // A failure returns at once; the thread must not run on without a pause.
      if curl_multi_poll(multi, nil, 0, milliseconds, nil) != CURLM_OK { Thread.sleep(forTimeInterval: 0.05) }
    }

    /// Ends the wait of `work`, or the next one. From any thread, until `close` is called.
    func wake() { curl_multi_wakeup(multi) }

    /// Gives everything up and closes every connection.
    func close() {
      for id in Array(transfers.keys) { end(id) }
      if let multi { curl_multi_cleanup(multi) }
    }
  }
#endif
