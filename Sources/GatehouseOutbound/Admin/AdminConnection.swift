import CCurl
import Foundation
package import GatehousePrimitives

/// Why a server's admin API could not be asked. Holds no token.
package struct AdminConnectionError: Error, CustomStringConvertible {
  /// curl's words.
  package let description: String
  /// Whether the server may have accepted the request anyway.
  package let mayHaveHappened: Bool
}

/// One answer of a server's admin API.
package struct AdminAnswer: Sendable {
  package let status: Int
  /// By lower-case name; the last of a name counts.
  package let headers: [String: String]
  package let body: [UInt8]
}

/// The connection of `gatehouse --server` to a server's admin API, kept from one call to the next. Belongs to one
/// thread and is not Sendable. It follows no redirect and asks no proxy, so that the token goes nowhere else.
package final class AdminConnection {
  private let base: String
  private let token: Secret<String>
  private let caFile: String?
  private let handle: UnsafeMutableRawPointer?

  /// No answer is longer; one that is breaks the transfer.
  private static let mostBytes = 64 * 1024 * 1024
  // curl wants this once before any thread uses it; a static is made once, thread-safely.
  private static let library: CURLcode = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

  /// - Parameters:
  ///   - base: `https://host:port`, without a slash at its end.
  ///   - caFile: a PEM file of the authorities to trust instead of the system's.
  package init(base: String, token: Secret<String>, caFile: String? = nil) {
    self.base = base
    self.token = token
    self.caFile = caFile
    handle = Self.library == CURLE_OK ? curl_easy_init() : nil
  }

  deinit {
    // SAFETY: `handle` came from curl_easy_init, is cleaned up here only, and no transfer runs any more.
    if let handle { curl_easy_cleanup(handle) }
  }

  /// Sends one request and waits for the answer, for ten minutes at most: applying a policy may evaluate every stored
  /// user.
  /// - Parameter target: path and query, encoded.
  package func exchange(
    _ method: String, _ target: String, headers: [(name: String, value: String)] = [], body: [UInt8]? = nil
  ) throws(AdminConnectionError) -> AdminAnswer {
    guard let handle, configure(handle, method, target) else {
      throw AdminConnectionError(description: "curl could not be set up", mayHaveHappened: false)
    }
    var lines = headers.map { "\($0.name): \($0.value)" } + ["Accept: application/json", "Expect:"]
    token.expose { lines.append("Authorization: Bearer \($0)") }
    var list: UnsafeMutablePointer<curl_slist>?
    for line in lines { list = curl_slist_append(list, line) ?? list }
    // SAFETY: the list outlives the transfer, and the option that points to it is cleared before it is freed.
    defer {
      _ = gh_curl_set_list(handle, CURLOPT_HTTPHEADER, nil)
      curl_slist_free_all(list)
    }
    guard gh_curl_set_list(handle, CURLOPT_HTTPHEADER, list) == CURLE_OK else {
      throw AdminConnectionError(description: "curl could not be set up", mayHaveHappened: false)
    }
    return try perform(handle, body)
  }

  private func configure(_ handle: UnsafeMutableRawPointer, _ method: String, _ target: String) -> Bool {
    // Connections are kept by the handle, options are not.
    curl_easy_reset(handle)
    var texts: [(CURLoption, String)] = [
      (CURLOPT_URL, base + target), (CURLOPT_CUSTOMREQUEST, method), (CURLOPT_PROTOCOLS_STR, "http,https"),
      (CURLOPT_PROXY, ""), (CURLOPT_USERAGENT, "gatehouse"),
    ]
    if let caFile { texts.append((CURLOPT_CAINFO, caFile)) }
    let numbers: [(CURLoption, Int)] = [
      (CURLOPT_NOSIGNAL, 1), (CURLOPT_PATH_AS_IS, 1), (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_SSL_VERIFYPEER, 1),
      (CURLOPT_SSL_VERIFYHOST, 2), (CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)), (CURLOPT_TIMEOUT, 600),
      (CURLOPT_CONNECTTIMEOUT, 10),
    ]
    return texts.allSatisfy { gh_curl_set_text(handle, $0.0, $0.1) == CURLE_OK }
      && numbers.allSatisfy { gh_curl_set_long(handle, $0.0, $0.1) == CURLE_OK }
  }

  /// The target of curl's callbacks while a transfer runs.
  private struct Transfer {
    var lines: [String] = []
    var body: [UInt8] = []
  }

  private func perform(_ handle: UnsafeMutableRawPointer, _ body: [UInt8]?) throws(AdminConnectionError) -> AdminAnswer
  {
    var error = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
    var transfer = Transfer()
    // SAFETY: body, error buffer and transfer live until curl_easy_perform has returned; curl calls back only inside it
    // and on this thread, and `configure` clears every pointer before the next transfer. One byte more, so that an
    // empty body too begins somewhere.
    let code = ((body ?? []) + [0]).withUnsafeBytes { bytes in
      error.withUnsafeMutableBufferPointer { errorBuffer in
        withUnsafeMutablePointer(to: &transfer) { context in
          if body != nil {
            guard gh_curl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, bytes.count - 1) == CURLE_OK,
              gh_curl_set_pointer(handle, CURLOPT_POSTFIELDS, bytes.baseAddress) == CURLE_OK
            else { return CURLE_OUT_OF_MEMORY }
          }
          guard gh_curl_set_writer(handle, Self.take, context) == CURLE_OK,
            gh_curl_set_header_writer(handle, Self.takeHeader, context) == CURLE_OK,
            gh_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorBuffer.baseAddress) == CURLE_OK
          else { return CURLE_OUT_OF_MEMORY }
          defer { _ = gh_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, nil) }
          return curl_easy_perform(handle)
        }
      }
    }
    guard code == CURLE_OK else { throw failure(code, error) }
    var status = 0
    _ = gh_curl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
    var headers: [String: String] = [:]
    for line in transfer.lines {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespacesAndNewlines)
      headers[line[..<colon].lowercased()] = value
    }
    return AdminAnswer(status: status, headers: headers, body: transfer.body)
  }

  private func failure(_ code: CURLcode, _ error: [CChar]) -> AdminConnectionError {
    let text = String(decoding: error.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // SAFETY: curl_easy_strerror returns a constant string for every code.
    let general = curl_easy_strerror(code).map { String(cString: $0) } ?? "curl \(code.rawValue)"
    let before: [CURLcode] = [
      CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST, CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION,
      CURLE_SSL_CACERT_BADFILE, CURLE_URL_MALFORMAT,
    ]
    return AdminConnectionError(
      description: text.isEmpty ? general : text, mayHaveHappened: !before.contains(code))
  }

  // SAFETY (both callbacks): `context` is the Transfer of the running `perform`, and `buffer` holds `size * count`
  // bytes.
  private static let take: @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int = {
    buffer, size, count, context in
    guard let buffer, let transfer = context?.assumingMemoryBound(to: Transfer.self),
      transfer.pointee.body.count + size * count <= AdminConnection.mostBytes
    else { return 0 }
    transfer.pointee.body += UnsafeRawBufferPointer(start: buffer, count: size * count)
    return size * count
  }

  private static let takeHeader:
    @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int = {
      buffer, size, count, context in
      guard let buffer, let transfer = context?.assumingMemoryBound(to: Transfer.self) else { return 0 }
      let line = String(decoding: UnsafeRawBufferPointer(start: buffer, count: size * count), as: UTF8.self)
      // A new status line begins a new answer: what an interim one said is forgotten.
      if line.hasPrefix("HTTP/") { transfer.pointee.lines = [] }
      transfer.pointee.lines.append(line)
      return size * count
    }
}
