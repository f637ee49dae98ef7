import CCurl
import GatehousePrimitives

/// One request under way: its curl handle, and what has come so far. Confined to the loop of its `CurlMulti`, which
/// keeps it alive until the handle is out of there.
final class CurlTransfer {
  let id: UInt64
  let handle: UnsafeMutableRawPointer
  private let request: OutboundRequest
  private let addresses: ReachableAddresses
  private let headers: UnsafeMutablePointer<curl_slist>?
  private var received = Received()

  private struct Received {
    var body: [UInt8] = []
    var fields: [(name: String, value: String)] = []
    /// All header bytes, of interim answers too.
    var headerBytes = 0
    var isTooLarge = false
    /// An address was refused.
    var isBlocked = false
  }

  /// Headers of one answer and of the interim ones before it.
  private static let maxHeaderBytes = 16_384
  private static let maxFields = 64

  /// Nil when curl refuses an option.
  init?(_ id: UInt64, _ request: OutboundRequest, timeout: Duration, _ settings: OutboundHTTP.Settings) {
    guard CurlLibrary.isReady, let handle = curl_easy_init() else { return nil }
    self.id = id
    self.handle = handle
    self.request = request
    addresses = settings.addresses
    // Without a value: not to be sent. curl would ask first and wait a second for leave, and make up a type for each
    // body.
    let isTyped = request.headers.contains { $0.name.lowercased() == "content-type" }
    let lines = request.headers.map { "\($0.name): \($0.value)" } + ["Expect:"] + (isTyped ? [] : ["Content-Type:"])
    headers = lines.reduce(nil) { list, line in curl_slist_append(list, line) ?? list }
    guard configure(timeout, settings) else { return nil }
  }

  deinit {
    // SAFETY: the handle came from curl_easy_init and is in no multi handle any more; the list is only read through it.
    curl_easy_cleanup(handle)
    curl_slist_free_all(headers)
  }

  private func configure(_ timeout: Duration, _ settings: OutboundHTTP.Settings) -> Bool {
    var texts: [(CURLoption, String)] = [
      (CURLOPT_URL, request.url.description), (CURLOPT_PROTOCOLS_STR, request.url.isSecure ? "https" : "http"),
      (CURLOPT_CUSTOMREQUEST, request.method.rawValue), (CURLOPT_USERAGENT, settings.userAgent),
    ]
    // Not from the environment either.
    // GUARD: outbound: no proxy of the environment
    texts += [(CURLOPT_PROXY, ""), (CURLOPT_NOPROXY, "*")]
    if let caFile = settings.caFile { texts.append((CURLOPT_CAINFO, caFile)) }
    let milliseconds = max(1, timeout.milliseconds)
    let numbers: [(CURLoption, Int)] = [
      (CURLOPT_NOSIGNAL, 1),
      (CURLOPT_FOLLOWLOCATION, 0),  // GUARD: outbound: no redirect
      (CURLOPT_TIMEOUT_MS, milliseconds),  // GUARD: outbound: time
      (CURLOPT_CONNECTTIMEOUT_MS, milliseconds),
      (CURLOPT_SSL_VERIFYPEER, 1),  // GUARD: outbound: certificate
      (CURLOPT_SSL_VERIFYHOST, 2),  // GUARD: outbound: certificate's name
      (CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)), (CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)),
      (CURLOPT_HTTP09_ALLOWED, 0), (CURLOPT_NETRC, 0), (CURLOPT_PATH_AS_IS, 1), (CURLOPT_MAXAGE_CONN, 60),
      (CURLOPT_DISALLOW_USERNAME_IN_URL, 1),
      // On a connection that was used before and breaks, curl would send a request again; a provider that has taken it
      // already (a code, a refresh token that rotates) takes the second for theft.
      // GUARD: provider: a request is never sent twice
      (CURLOPT_FRESH_CONNECT, request.method == .post && request.purpose.kind == .provider ? 1 : 0),
      // Otherwise a transfer that ends while its name is resolved blocks the loop until the resolver's thread ends.
      (CURLOPT_QUICK_EXIT, 1),
    ]
    return texts.allSatisfy { gh_curl_set_text(handle, $0.0, $0.1) == CURLE_OK }
      && numbers.allSatisfy { gh_curl_set_long(handle, $0.0, $0.1) == CURLE_OK }
      && gh_curl_set_offset(handle, CURLOPT_MAXFILESIZE_LARGE, request.bodyLimit) == CURLE_OK
      && headers != nil && gh_curl_set_list(handle, CURLOPT_HTTPHEADER, headers) == CURLE_OK
      && setBody() && setCallbacks()
  }

  private func setBody() -> Bool {
    guard request.method != .get, request.method != .delete || !request.body.isEmpty else { return true }
    // SAFETY: curl copies the bytes, whose number it was told before.
    return gh_curl_set_long(handle, CURLOPT_POST, 1) == CURLE_OK
      && gh_curl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, request.body.count) == CURLE_OK
      && request.body.withUnsafeBytes {
        gh_curl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, $0.baseAddress ?? UnsafeRawPointer(handle)) == CURLE_OK
      }
  }

  private func setCallbacks() -> Bool {
    // SAFETY: the transfer outlives its handle's place in the multi handle, where alone curl calls back.
    let context = Unmanaged.passUnretained(self).toOpaque()
    return gh_curl_set_writer(handle, Self.write, context) == CURLE_OK
      && gh_curl_set_header_writer(handle, Self.header, context) == CURLE_OK
      && gh_curl_set_opener(handle, Self.open, context) == CURLE_OK
      && gh_curl_set_pointer(handle, CURLOPT_PRIVATE, context) == CURLE_OK
  }

  /// How it ended, by curl's code.
  func result(_ code: CURLcode) -> Result<OutboundResponse, OutboundError> {
    if received.isTooLarge || code == CURLE_FILESIZE_EXCEEDED { return .failure(.tooLarge) }
    guard code == CURLE_OK else { return .failure(error(code)) }
    var status = 0
    _ = gh_curl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
    guard (200...599).contains(status) else { return .failure(.malformed) }
    return .success(OutboundResponse(status: status, headers: received.fields, body: received.body))
  }

  private func error(_ code: CURLcode) -> OutboundError {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST: .unresolved
    case CURLE_COULDNT_CONNECT: received.isBlocked ? .addressNotAllowed : .unreachable
    case CURLE_OPERATION_TIMEDOUT: .timedOut
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR: .notTrusted(certificateTrouble)
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_ENGINE_INITFAILED:
      .tls
    default: .malformed
    }
  }

  private var certificateTrouble: CertificateTrouble {
    var verification = 0
    _ = gh_curl_get_long(handle, CURLINFO_SSL_VERIFYRESULT, &verification)
    return CertificateTrouble(verification: verification)
  }

  private func take(_ line: UnsafeRawBufferPointer) -> Bool {
    received.headerBytes += line.count
    guard received.headerBytes <= Self.maxHeaderBytes else {
      received.isTooLarge = true
      return false
    }
    let text = line.map { (0x20...0x7E).contains($0) ? $0 : 0x20 }
    // A status line: the answer begins, or begins anew after an interim one.
    if text.starts(with: "HTTP/".utf8), !text.prefix(8).contains(UInt8(ascii: ":")) {
      received.fields = []
    } else if let colon = text.firstIndex(of: UInt8(ascii: ":")), received.fields.count < Self.maxFields {
      received.fields.append((Self.trimmed(text[..<colon]), Self.trimmed(text[(colon + 1)...])))
    }
    return true
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
    let front = bytes.drop { $0 == 0x20 }
    let end = front.lastIndex { $0 != 0x20 }.map { $0 + 1 } ?? front.startIndex
    return String(decoding: front[..<end], as: UTF8.self)
  }

  // SAFETY (the three callbacks): `context` is the transfer, alive and on its loop while curl works for it; `bytes` are
  // `size * count` many; the socket is handed to curl, which closes it.
  private typealias Taker = @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int

  private static let write: Taker = { bytes, size, count, context in
    guard let bytes, let context else { return 0 }
    let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    let chunk = UnsafeRawBufferPointer(start: bytes, count: size * count)
    // GUARD: outbound: size
    guard transfer.received.body.count + chunk.count <= transfer.request.bodyLimit else {
      transfer.received.isTooLarge = true
      return 0
    }
    transfer.received.body.append(contentsOf: chunk)
    return chunk.count
  }

  private static let header: Taker = { bytes, size, count, context in
    guard let bytes, let context else { return 0 }
    let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return transfer.take(line) ? line.count : 0
  }

  private static let open:
    @convention(c) (UnsafeMutableRawPointer?, curlsocktype, UnsafeMutablePointer<curl_sockaddr>?) -> curl_socket_t = {
      context, _, address in
      guard let context, let address else { return -1 }
      let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
      var bytes = [UInt8](repeating: 0, count: 16)
      let count = Int(gh_curl_address(address, &bytes))
      guard let target = NetworkAddress(bytes: Array(bytes.prefix(count))),
        transfer.addresses.allows(target),  // GUARD: outbound: address after the name was looked up
        transfer.request.url.isSecure || ReachableAddresses.isLoopback(target)
      else {
        transfer.received.isBlocked = true
        return -1
      }
      return gh_curl_open(address)
    }
}

extension Duration {
  /// Whole milliseconds, rounded down.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
  }
}
