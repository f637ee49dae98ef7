import CCurl
import GatehouseRuntime

/// curl's transfers on a loop: its sockets are watched there, its timer is one of the loop's. Confined to the loop.
final class CurlMulti {
  private let loop: Loop
  private let multi: UnsafeMutableRawPointer?
  private var watches: [curl_socket_t: Watch] = [:]
  private var timer: LoopTimer?
  private var transfers: [UInt64: CurlTransfer] = [:]
  private let ended: (CurlTransfer, CURLcode) -> Void

  /// CURL_SOCKET_TIMEOUT, a macro that Swift does not see.
  private static let timeout: curl_socket_t = -1

  /// `ended` is called on the loop, once for each transfer that was added and not removed; curl has let go of it by
  /// then.
  init(_ loop: Loop, ended: @escaping (CurlTransfer, CURLcode) -> Void) {
    self.loop = loop
    self.ended = ended
    multi = CurlLibrary.isReady ? curl_multi_init() : nil
    guard let multi else { return }
    // SAFETY: this object outlives the multi handle, and curl calls back only inside the calls made here.
    let context = Unmanaged.passUnretained(self).toOpaque()
    _ = gh_multi_set_socket(multi, Self.socket, context)
    _ = gh_multi_set_timer(multi, Self.timer, context)
    _ = gh_multi_set_long(multi, CURLMOPT_MAXCONNECTS, 32)
  }

  /// Begins a transfer; false if curl does not take it, and then `ended` is not called.
  func add(_ transfer: CurlTransfer) -> Bool {
    guard let multi, curl_multi_add_handle(multi, transfer.handle) == CURLM_OK else { return false }
    transfers[transfer.id] = transfer
    return true
  }

  /// Gives a transfer up; `ended` is not called.
  func remove(_ id: UInt64) {
    guard let transfer = transfers.removeValue(forKey: id) else { return }
    curl_multi_remove_handle(multi, transfer.handle)
  }

  /// Gives everything up and closes every connection. Nothing may be added any more.
  func close() {
    for id in Array(transfers.keys) { remove(id) }
    timer?.cancel()
    // curl has said of each socket that it is done; this is for the case that it did not. Before it closes them: a
    // watch must not outlive its descriptor.
    for watch in watches.values { watch.cancel() }
    watches = [:]
    if let multi { curl_multi_cleanup(multi) }
    for watch in watches.values { watch.cancel() }
    watches = [:]
  }

  private func act(_ socket: curl_socket_t, _ events: Int32) {
    var running: Int32 = 0
    curl_multi_socket_action(multi, socket, events, &running)
    var code = CURLE_OK
    while let handle = gh_multi_next_done(multi, &code) {
      guard let transfer = transfer(of: handle) else { continue }
      curl_multi_remove_handle(multi, handle)
      transfers[transfer.id] = nil
      ended(transfer, code)
    }
  }

  private func transfer(of handle: UnsafeMutableRawPointer) -> CurlTransfer? {
    var context: UnsafeMutableRawPointer?
    guard gh_curl_get_pointer(handle, CURLINFO_PRIVATE, &context) == CURLE_OK, let context else { return nil }
    // SAFETY: set by the transfer to itself, and every transfer whose handle is in the multi handle is in `transfers`.
    return Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
  }

  private func follow(_ socket: curl_socket_t, _ what: Int32) {
    guard what != CURL_POLL_REMOVE else {
      watches.removeValue(forKey: socket)?.cancel()
      return
    }
    let watch =
      watches[socket]
      ?? loop.watch(socket) { [unowned self] ready in
        act(socket, ready == .read ? CURL_CSELECT_IN : CURL_CSELECT_OUT)
      }
    watches[socket] = watch
    watch.interest =
      switch what {
      case CURL_POLL_IN: .read
      case CURL_POLL_OUT: .write
      case CURL_POLL_INOUT: [.read, .write]
      default: []
      }
  }

  private func arm(_ milliseconds: Int) {
    timer?.cancel()
    timer = nil
    guard milliseconds >= 0 else { return }
    timer = loop.after(.milliseconds(milliseconds)) { [unowned self] in
      timer = nil
      act(Self.timeout, 0)
    }
  }

  // SAFETY (both callbacks): `context` is this object, see `init`; curl only calls on the loop's thread.
  private static let socket:
    @convention(c) (
      UnsafeMutableRawPointer?, curl_socket_t, Int32, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
    ) -> Int32 = { _, socket, what, context, _ in
      guard let context else { return 0 }
      Unmanaged<CurlMulti>.fromOpaque(context).takeUnretainedValue().follow(socket, what)
      return 0
    }

  private static let timer: @convention(c) (UnsafeMutableRawPointer?, Int, UnsafeMutableRawPointer?) -> Int32 = {
    _, milliseconds, context in
    guard let context else { return 0 }
    Unmanaged<CurlMulti>.fromOpaque(context).takeUnretainedValue().arm(milliseconds)
    return 0
  }
}
