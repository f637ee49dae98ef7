#if os(Linux)
  import CCurl
  import Foundation

  /// One request under way, by a handle of curl. Confined to its `CurlTransfers`, which keeps it until curl has let go
  /// of the handle.
  final class CurlTransfer {
    let id: Int
    let handle: UnsafeMutableRawPointer
    private let exchanges: Exchanges
    private let fields: UnsafeMutablePointer<curl_slist>?
    private var head: AnswerHead
    private var unsent: Data

    /// Nil where curl takes no such request.
    init?(_ request: CurlThread.Request, _ exchanges: Exchanges) {
      guard let handle = curl_easy_init() else { return nil }
      self.handle = handle
      self.exchanges = exchanges
      id = request.id
      head = AnswerHead(mayHaveContent: request.call.method != "HEAD")
      unsent = request.call.body ?? Data()
      fields = Self.lines(request.call.headers).reduce(nil) { list, line in curl_slist_append(list, line) ?? list }
      guard configure(request.call, request.authorities) else { return nil }
    }

    deinit {
      // SAFETY: the handle came from curl_easy_init and is in no multi handle any more; the list is only read through
      // it.
      curl_easy_cleanup(handle)
      curl_slist_free_all(fields)
    }

    /// The fields as curl takes them: a semicolon stands for a field without a value, and a colon for one that curl
    /// would add and must not. It would ask first and wait a second for leave, and make up a type for each content.
    private static func lines(_ headers: [String: String]) -> [String] {
      let names = Set(headers.keys.map { $0.lowercased() })
      return headers.map { $1.isEmpty ? "\($0);" : "\($0): \($1)" }
        + ["Expect", "Content-Type"].filter { !names.contains($0.lowercased()) }.map { "\($0):" }
    }

    /// Methods that may come twice (RFC 9110, section 9.2.2).
    private static let repeatable: Set = ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]

    private func configure(_ call: HTTPCall, _ authorities: String?) -> Bool {
      var texts: [(CURLoption, String)] = [
        (CURLOPT_URL, call.url.absoluteString), (CURLOPT_CUSTOMREQUEST, call.method), (CURLOPT_USERAGENT, "Gatehouse"),
      ]
      if let authorities { texts.append((CURLOPT_CAINFO, authorities)) }
      let numbers: [(CURLoption, Int)] = [
        (CURLOPT_NOSIGNAL, 1),
        (CURLOPT_FOLLOWLOCATION, 0),  // GUARD: client: no redirect
        (CURLOPT_SSL_VERIFYPEER, 1),  // GUARD: client: certificate
        (CURLOPT_SSL_VERIFYHOST, 2),  // GUARD: client: certificate's name
        (CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)), (CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS)),
        (CURLOPT_HTTP09_ALLOWED, 0), (CURLOPT_NETRC, 0), (CURLOPT_PATH_AS_IS, 1), (CURLOPT_MAXAGE_CONN, 30),
        (CURLOPT_SUPPRESS_CONNECT_HEADERS, 1), (CURLOPT_NOBODY, call.method == "HEAD" ? 1 : 0),
        // On a kept connection that breaks, curl sends a request again. It can not where bytes of a content have left;
        // a request without any goes on a connection of its own.
        (CURLOPT_FRESH_CONNECT, unsent.isEmpty && !Self.repeatable.contains(call.method) ? 1 : 0),
      ]
      // Refused as soon as its length is told. An answer to HEAD tells the length of another one's content.
      let largest = call.method == "HEAD" ? 0 : max(1, call.largestAnswer)
      return texts.allSatisfy { gh_curl_set_text(handle, $0.0, $0.1) == CURLE_OK }
        && numbers.allSatisfy { gh_curl_set_long(handle, $0.0, $0.1) == CURLE_OK }
        && gh_curl_set_offset(handle, CURLOPT_MAXFILESIZE_LARGE, largest) == CURLE_OK
        && gh_curl_set_list(handle, CURLOPT_HTTPHEADER, fields) == CURLE_OK
        && gh_curl_set_web_only(handle) == CURLE_OK && gh_curl_set_quick_exit(handle) == CURLE_OK
        && setBody(call) && setCallbacks()
    }

    /// By the reader, which can not begin again, so that nothing with a content is sent twice.
    private func setBody(_ call: HTTPCall) -> Bool {
      guard !unsent.isEmpty || !["GET", "HEAD", "DELETE", "OPTIONS"].contains(call.method) else { return true }
      return gh_curl_set_long(handle, CURLOPT_POST, 1) == CURLE_OK
        && gh_curl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, unsent.count) == CURLE_OK
    }

    private func setCallbacks() -> Bool {
      // SAFETY: the transfer outlives its handle's place in the multi handle, where alone curl calls back.
      let context = Unmanaged.passUnretained(self).toOpaque()
      return gh_curl_set_reader(handle, Self.read, context) == CURLE_OK
        && gh_curl_set_writer(handle, Self.write, context) == CURLE_OK
        && gh_curl_set_header_writer(handle, Self.line, context) == CURLE_OK
    }

    /// Ends the exchange, by curl's code. What was found wrong on the way came first.
    func finish(_ code: CURLcode) {
      guard code == CURLE_OK else { return exchanges.finish(id, TransportError(reason: Self.reason(code))) }
      exchanges.finish(id)
    }

    private static let reasons: [(CURLcode, String)] = [
      (CURLE_COULDNT_RESOLVE_HOST, "host not found"), (CURLE_COULDNT_RESOLVE_PROXY, "proxy not found"),
      (CURLE_COULDNT_CONNECT, "no connection"), (CURLE_PEER_FAILED_VERIFICATION, "certificate not trusted"),
      (CURLE_SSL_CACERT_BADFILE, "no certificate authorities"), (CURLE_SSL_CONNECT_ERROR, "TLS"),
      (CURLE_SSL_CIPHER, "TLS"), (CURLE_SSL_ENGINE_INITFAILED, "TLS"), (CURLE_FILESIZE_EXCEEDED, "too large"),
      (CURLE_GOT_NOTHING, "no answer"), (CURLE_PARTIAL_FILE, "cut"), (CURLE_RECV_ERROR, "connection lost"),
      (CURLE_SEND_ERROR, "connection lost"), (CURLE_SEND_FAIL_REWIND, "connection lost"),
      (CURLE_WEIRD_SERVER_REPLY, "not HTTP"), (CURLE_UNSUPPORTED_PROTOCOL, "not HTTP"), (CURLE_HTTP2, "HTTP/2"),
      (CURLE_HTTP2_STREAM, "HTTP/2"), (CURLE_URL_MALFORMAT, "address"),
    ]

    private static func reason(_ code: CURLcode) -> String {
      reasons.first { $0.0 == code }?.1 ?? "curl \(code.rawValue)"
    }

    private func take(line: UnsafeRawBufferPointer) -> Bool {
      do {
        let wasWhole = head.answer != nil
        try head.take(line)
        if !wasWhole, let answer = head.answer { exchanges.receive(answer, for: id) }
        return true
      } catch {
        exchanges.finish(id, error)
        return false
      }
    }

    private func take(content: UnsafeRawBufferPointer) -> Bool {
      // GUARD: client: size
      guard exchanges.receive(Data(content), for: id) else { return true }
      exchanges.finish(id, TransportError(reason: "too large"))
      return false
    }

    // SAFETY (the three callbacks): `context` is the transfer, alive and on its thread while curl works for it; `bytes`
    // are `size * count` many.
    private typealias Taker = @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int

    private static let read: Taker = { bytes, size, count, context in
      guard let bytes, let context else { return 0 }
      let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
      let chunk = transfer.unsent.prefix(size * count)
      chunk.copyBytes(to: UnsafeMutableRawBufferPointer(start: bytes, count: chunk.count))
      transfer.unsent.removeFirst(chunk.count)
      return chunk.count
    }

    private static let write: Taker = { bytes, size, count, context in
      guard let bytes, let context else { return 0 }
      let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
      return transfer.take(content: UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
    }

    private static let line: Taker = { bytes, size, count, context in
      guard let bytes, let context else { return 0 }
      let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
      return transfer.take(line: UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
    }
  }
#endif
