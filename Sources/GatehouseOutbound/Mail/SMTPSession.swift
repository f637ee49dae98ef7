import CCurl
import Foundation
import GatehouseIdentity
import GatehousePrimitives

/// One curl handle with the connection it keeps. Belongs to one thread and is not Sendable.
final class SMTPSession {
  private let settings: SMTPSettings
  private let handle: UnsafeMutableRawPointer?
  private var hasConnected = false

  /// How much of the text that explains a failure is kept, in bytes.
  private static let maxDetail = 200

  init(_ settings: SMTPSettings) {
    self.settings = settings
    handle = CurlLibrary.isReady ? curl_easy_init() : nil
  }

  deinit {
    // SAFETY: `handle` came from curl_easy_init, is cleaned up here only, and no transfer runs any more.
    if let handle { curl_easy_cleanup(handle) }
  }

  /// One attempt; blocks up to the settings' time-out. A kept connection that turns out to be dead is replaced once,
  /// and only while nothing of the message can have been taken.
  func deliver(_ message: MIMEMessage) -> DeliveryOutcome {
    guard let handle, configure(handle) else { return .temporaryFailure(reason: "curl could not be set up") }
    var report = perform(handle, message)
    defer { hasConnected = report.code == CURLE_OK }
    if report.code != CURLE_OK, report.reused, report.sent == 0, report.replies == 0 || report.status == 421 {
      _ = gh_curl_set_long(handle, CURLOPT_FRESH_CONNECT, 1)
      report = perform(handle, message)
      _ = gh_curl_set_long(handle, CURLOPT_FRESH_CONNECT, 0)
    }
    return report.outcome
  }

  /// Connects, secures, signs in and says NOOP (RFC 5321 section 4.1.1.9). The session is of no use for messages after.
  func probe() -> DeliveryOutcome {
    guard let handle, configure(handle), gh_curl_set_text(handle, CURLOPT_CUSTOMREQUEST, "NOOP") == CURLE_OK,
      gh_curl_set_long(handle, CURLOPT_UPLOAD, 0) == CURLE_OK
    else { return .temporaryFailure(reason: "curl could not be set up") }
    return perform(handle, nil).outcome
  }

  /// Sets what is the same for every message; false if curl refuses an option.
  private func configure(_ handle: UnsafeMutableRawPointer) -> Bool {
    let scheme = settings.security == .implicitTLS ? "smtps" : "smtp"
    var texts: [(CURLoption, String)] = [
      (CURLOPT_URL, "\(scheme)://\(settings.authority)" + (settings.hello.map { "/\($0)" } ?? "")),
      (CURLOPT_PROTOCOLS_STR, "smtp,smtps"),
      (CURLOPT_PROXY, ""),  // Not from the environment either.
    ]
    if let user = settings.user { texts.append((CURLOPT_USERNAME, user)) }
    settings.password?.expose { texts.append((CURLOPT_PASSWORD, String(decoding: $0, as: UTF8.self))) }
    if let caFile = settings.caFile { texts.append((CURLOPT_CAINFO, caFile)) }
    let milliseconds = settings.timeout * 1000
    let numbers: [(CURLoption, Int)] = [
      (CURLOPT_NOSIGNAL, 1), (CURLOPT_UPLOAD, 1), (CURLOPT_USE_SSL, useSSL), (CURLOPT_SSL_VERIFYPEER, 1),
      (CURLOPT_SSL_VERIFYHOST, 2), (CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
      (CURLOPT_TIMEOUT_MS, milliseconds),
      (CURLOPT_CONNECTTIMEOUT_MS, min(10_000, milliseconds)), (CURLOPT_SERVER_RESPONSE_TIMEOUT, settings.timeout),
      (CURLOPT_MAXAGE_CONN, 30), (CURLOPT_MAXCONNECTS, 1),
    ]
    return texts.allSatisfy { gh_curl_set_text(handle, $0.0, $0.1) == CURLE_OK }
      && numbers.allSatisfy { gh_curl_set_long(handle, $0.0, $0.1) == CURLE_OK }
  }

  private var useSSL: Int {
    switch settings.security {
    case .implicitTLS, .startTLSRequired: Int(CURLUSESSL_ALL.rawValue)
    case .startTLSIfOffered: Int(CURLUSESSL_TRY.rawValue)
    case .none: Int(CURLUSESSL_NONE.rawValue)
    }
  }

  /// The target of curl's callbacks while a transfer runs.
  private struct Transfer {
    let bytes: UnsafeRawBufferPointer
    var sent = 0
    var replies = 0
    var reply: [UInt8] = []
  }

  /// Without a message the command set as CURLOPT_CUSTOMREQUEST is sent instead: curl does so where no recipient is
  /// set.
  private func perform(_ handle: UnsafeMutableRawPointer, _ message: MIMEMessage?) -> SMTPReport {
    var error = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
    let recipients = message.flatMap { curl_slist_append(nil, "<\($0.recipient)>") }
    // SAFETY: the list outlives the transfer, and the option that points to it is cleared before it is freed.
    defer {
      _ = gh_curl_set_list(handle, CURLOPT_MAIL_RCPT, nil)
      curl_slist_free_all(recipients)
    }
    // SAFETY: message bytes, error buffer and transfer live on this frame until curl_easy_perform has returned; curl
    // calls back only inside it and on this thread, and the pointers are cleared again before the closures end.
    return (message?.bytes ?? []).withUnsafeBytes { bytes in
      error.withUnsafeMutableBufferPointer { errorBuffer in
        var transfer = Transfer(bytes: bytes)
        let code = withUnsafeMutablePointer(to: &transfer) { context in
          defer { _ = gh_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, nil) }
          guard message == nil || recipients != nil,
            gh_curl_set_list(handle, CURLOPT_MAIL_RCPT, recipients) == CURLE_OK,
            message.map({ gh_curl_set_text(handle, CURLOPT_MAIL_FROM, "<\($0.sender)>") }) ?? CURLE_OK == CURLE_OK,
            gh_curl_set_offset(handle, CURLOPT_INFILESIZE_LARGE, Int(bytes.count)) == CURLE_OK,
            gh_curl_set_reader(handle, Self.read, context) == CURLE_OK,
            gh_curl_set_header_writer(handle, Self.readReply, context) == CURLE_OK,
            gh_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorBuffer.baseAddress) == CURLE_OK
          else { return CURLE_OUT_OF_MEMORY }
          return curl_easy_perform(handle)
        }
        let text = errorBuffer.prefix(while: { $0 != 0 }).map { UInt8(bitPattern: $0) }
        return report(handle, code, transfer, error: text)
      }
    }
  }

  private func report(
    _ handle: UnsafeMutableRawPointer, _ code: CURLcode, _ transfer: Transfer, error: [UInt8]
  ) -> SMTPReport {
    var status = 0
    var connections = 0
    _ = gh_curl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
    _ = gh_curl_get_long(handle, CURLINFO_NUM_CONNECTS, &connections)
    // SAFETY: curl_easy_strerror returns a constant string for every code.
    let general = curl_easy_strerror(code).map { Array(String(cString: $0).utf8) } ?? []
    return SMTPReport(
      code: code, status: status, reused: connections == 0 && hasConnected, sent: transfer.sent,
      replies: transfer.replies,
      reply: Self.shown(transfer.reply), error: Self.shown(error.isEmpty ? general : error))
  }

  // SAFETY (both callbacks): `context` is the Transfer of the running `perform`, `buffer` holds `size * count` bytes,
  // and exactly the returned number of them is written or read.
  private static let read: @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int = {
    buffer, size, count, context in
    guard let buffer, let transfer = context?.assumingMemoryBound(to: Transfer.self) else { return 0 }
    let rest = transfer.pointee.bytes[transfer.pointee.sent...].prefix(size * count)
    UnsafeMutableRawBufferPointer(start: buffer, count: size * count).copyBytes(from: rest)
    transfer.pointee.sent += rest.count
    return rest.count
  }

  private static let readReply:
    @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int = {
      buffer, size, count, context in
      guard let buffer, let transfer = context?.assumingMemoryBound(to: Transfer.self) else { return 0 }
      let reply = Array(UnsafeRawBufferPointer(start: buffer, count: size * count).prefix(512))
      transfer.pointee.replies += 1
      // The answer to QUIT says nothing of the message: the reply before it does.
      if !reply.starts(with: "221".utf8) { transfer.pointee.reply = reply }
      return size * count
    }

  /// A server's words made fit for a log: one line of printable ASCII, without anything that holds an address.
  private static func shown(_ bytes: [UInt8]) -> String {
    let printable = bytes.map { (0x20...0x7e).contains($0) ? $0 : 0x20 }
    let words = printable.split(separator: 0x20).map {
      $0.contains(UInt8(ascii: "@")) ? Array("(address)".utf8)[...] : $0
    }
    return String(decoding: Array(words.joined(separator: [0x20])).prefix(maxDetail), as: UTF8.self)
  }
}

/// How one transfer went.
struct SMTPReport {
  let code: CURLcode
  /// The last reply's code, 0 without any.
  let status: Int
  /// Whether a kept connection was used.
  let reused: Bool
  /// How many bytes of the message curl took; above 0 the server had accepted sender, recipient and DATA.
  let sent: Int
  /// How many reply lines came.
  let replies: Int
  let reply, error: String

  var outcome: DeliveryOutcome {
    if code == CURLE_OK { return .delivered(detail: reply) }
    let reason = replies > 0 && status >= 400 ? "\(error) (\(reply))" : error
    return isPermanent ? .permanentFailure(reason: reason) : .temporaryFailure(reason: reason)
  }

  /// A 5xx to MAIL, RCPT, DATA (curl's send error) or to the content. Not for want of a login (RFC 4954 section 6), and
  /// not a refused session: those are the operator's to mend, and the mail waits.
  private var isPermanent: Bool {
    guard (500...599).contains(status), ![530, 534, 535, 538].contains(status) else { return false }
    return code == CURLE_SEND_ERROR || sent > 0
  }
}
