import CNGHTTP2
import Glibc

/// nghttp2's callbacks: from pointers to the session's own words. None of them answers a request or writes; that comes
/// when nghttp2 is left again.
enum HTTP2Library {
  // SAFETY: made once, only read from then on; nghttp2 copies what it needs into every session.
  nonisolated(unsafe) private static let callbacks: OpaquePointer? = {
    var callbacks: OpaquePointer?
    guard nghttp2_session_callbacks_new(&callbacks) == 0 else { return nil }
    setReceiving(callbacks)
    setFields(callbacks)
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, id, _, context in
      HTTP2Library.session(context)?.streamClosed(id) == false ? HTTP2Library.failure : 0
    }
    nghttp2_session_callbacks_set_on_frame_send_callback(callbacks) { _, frame, context in
      if let header = frame?.pointee.hd { HTTP2Library.session(context)?.frameSent(header) }
      return 0
    }
    return callbacks
  }()

  private static let failure = NGHTTP2_ERR_CALLBACK_FAILURE.rawValue

  private static func session(_ context: UnsafeMutableRawPointer?) -> HTTP2Session? {
    // SAFETY: the session deletes nghttp2's before it goes away itself.
    context.map { Unmanaged<HTTP2Session>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func setReceiving(_ callbacks: OpaquePointer?) {
    nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks) { _, _, context in
      HTTP2Library.session(context)?.frameBegan() == false ? HTTP2Library.failure : 0
    }
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, context in
      if let header = frame?.pointee.hd { HTTP2Library.session(context)?.frameReceived(header) }
      return 0
    }
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, id, data, count, context in
      HTTP2Library.session(context)?.dataReceived(id, UnsafeBufferPointer(start: data, count: count))
      return 0
    }
  }

  private static func setFields(_ callbacks: OpaquePointer?) {
    nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, context in
      guard let frame else { return 0 }
      let isRequest = frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST
      HTTP2Library.session(context)?.headersBegan(frame.pointee.hd.stream_id, isRequest: isRequest)
      return 0
    }
    nghttp2_session_callbacks_set_on_header_callback(callbacks) {
      _, frame, name, nameSize, value, valueSize, _, context in
      guard let frame, let session = HTTP2Library.session(context) else { return 0 }
      let isWelcome = session.fieldReceived(
        frame.pointee.hd.stream_id, UnsafeBufferPointer(start: name, count: nameSize),
        UnsafeBufferPointer(start: value, count: valueSize))
      return isWelcome ? 0 : HTTP2Library.failure
    }
    // Without this one nghttp2 leaves such fields away and goes on.
    nghttp2_session_callbacks_set_on_invalid_header_callback(callbacks) { _, frame, _, _, _, _, _, context in
      if let frame { HTTP2Library.session(context)?.fieldRefused(frame.pointee.hd.stream_id) }
      return 0
    }
  }

  /// A session that calls `owner`, its settings waiting to be sent; nil without memory.
  static func makeSession(for owner: HTTP2Session, limits: HTTPLimits) -> OpaquePointer? {
    var options: OpaquePointer?
    guard nghttp2_option_new(&options) == 0 else { return nil }
    defer { nghttp2_option_del(options) }
    nghttp2_option_set_no_closed_streams(options, 1)
    // Ours counts every stream that ends without an answer, and goes by the loop's time.
    nghttp2_option_set_stream_reset_rate_limit(options, UInt64(UInt32.max), UInt64(UInt32.max))
    var session: OpaquePointer?
    guard
      nghttp2_session_server_new2(&session, callbacks, Unmanaged.passUnretained(owner).toOpaque(), options) == 0
    else { return nil }
    let settings = [
      entry(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, limits.streams),
      entry(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, limits.headBytes),
      entry(NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES, 1),
    ]
    nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), settings, settings.count)
    return session
  }

  private static func entry(_ id: nghttp2_settings_id, _ value: Int) -> nghttp2_settings_entry {
    nghttp2_settings_entry(settings_id: Int32(id.rawValue), value: UInt32(clamping: value))
  }

  /// How many bytes of the answers on so many new streams the peer lets come before it makes room again.
  static func window(of streams: Int, _ session: OpaquePointer?) -> Int {
    let each = Int(nghttp2_session_get_remote_settings(session, NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE))
    return min(streams * each, max(0, Int(nghttp2_session_get_remote_window_size(session))))
  }

  /// Hands an answer to nghttp2; its body is taken from the stream as the peer makes room.
  static func submit(_ response: Response, on stream: HTTP2Stream, to session: OpaquePointer, date: [UInt8]) {
    let status = (200...599).contains(response.status) ? response.status : 500
    // RFC 9110, section 8.6: neither 204 nor 304 has a body to measure here.
    let hasBody = status != 204 && status != 304
    stream.answer = hasBody && !stream.isHead ? response.body : []
    // SAFETY: nghttp2 copies names and values before it returns.
    var text = Array("\(status)\(response.body.count)".utf8)
    let numbers = text.count
    if let id = response.requestID { Headers.append(id, to: &text) }
    let headers = response.headers
    text.withUnsafeMutableBufferPointer { text in
      headers.bytes.withUnsafeBufferPointer { bytes in
        date.withUnsafeBufferPointer { date in
          var pairs = [
            pair((":status" as StaticString).bytes, UnsafeBufferPointer(rebasing: text[..<3])),
            pair(("date" as StaticString).bytes, date),
          ]
          for field in headers.fields where !ResponseWriter.isOurs(headers, field) {
            pairs.append(pair(part(bytes, field.name), part(bytes, field.value)))
          }
          if hasBody {
            pairs.append(
              pair(("content-length" as StaticString).bytes, UnsafeBufferPointer(rebasing: text[3..<numbers])))
          }
          if response.requestID != nil {
            pairs.append(
              pair(("x-request-id" as StaticString).bytes, UnsafeBufferPointer(rebasing: text[numbers...])))
          }
          submit(pairs, stream, session)
        }
      }
    }
  }

  private static func submit(_ pairs: [nghttp2_nv], _ stream: HTTP2Stream, _ session: OpaquePointer) {
    guard !stream.answer.isEmpty else {
      nghttp2_submit_response(session, stream.id, pairs, pairs.count, nil)
      return
    }
    var provider = nghttp2_data_provider()
    // SAFETY: a stream stays in its session's table until nghttp2 has closed it.
    provider.source.ptr = Unmanaged.passUnretained(stream).toOpaque()
    provider.read_callback = { _, _, buffer, room, flags, source, _ in
      guard let raw = source?.pointee.ptr, let buffer else { return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue) }
      let stream = Unmanaged<HTTP2Stream>.fromOpaque(raw).takeUnretainedValue()
      let count = min(room, stream.answer.count - stream.sent)
      stream.answer.withUnsafeBufferPointer { bytes in
        if let base = bytes.baseAddress { buffer.update(from: base + stream.sent, count: count) }
      }
      stream.sent += count
      if stream.sent == stream.answer.count { flags?.pointee |= UInt32(NGHTTP2_DATA_FLAG_EOF.rawValue) }
      return count
    }
    nghttp2_submit_response(session, stream.id, pairs, pairs.count, &provider)
  }

  /// `100 Continue`.
  static func submitContinue(_ id: Int32, to session: OpaquePointer) {
    let pairs = [pair((":status" as StaticString).bytes, ("100" as StaticString).bytes)]
    nghttp2_submit_headers(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), id, nil, pairs, pairs.count, nil)
  }

  /// The frame that ends a connection (RFC 9113, section 6.8), for a session that may not be asked for it.
  static func goodbye(_ session: OpaquePointer?, _ code: nghttp2_error_code) -> [UInt8] {
    let last = UInt32(bitPattern: nghttp2_session_get_last_proc_stream_id(session))
    var frame: [UInt8] = [0, 0, 8, UInt8(NGHTTP2_GOAWAY.rawValue), 0, 0, 0, 0, 0]
    for word in [last, code.rawValue] { withUnsafeBytes(of: word.bigEndian) { frame += $0 } }
    return frame
  }

  private static func part(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<UInt32>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: bytes[Int(range.lowerBound)..<Int(range.upperBound)])
  }

  private static func pair(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> nghttp2_nv {
    // A secret stays out of the tables that make later fields shorter (RFC 7541, section 7.1).
    let isSecret = name.elementsEqual(("set-cookie" as StaticString).bytes)
    return nghttp2_nv(
      name: UnsafeMutablePointer(mutating: name.baseAddress), value: UnsafeMutablePointer(mutating: value.baseAddress),
      namelen: name.count, valuelen: value.count,
      flags: UInt8((isSecret ? NGHTTP2_NV_FLAG_NO_INDEX : NGHTTP2_NV_FLAG_NONE).rawValue))
  }
}
