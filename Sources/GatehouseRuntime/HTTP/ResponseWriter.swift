/// Turns a response into the bytes of HTTP/1.1 (RFC 9112, sections 4 and 6).
struct ResponseWriter {
  static let continueLine: StaticString = "HTTP/1.1 100 Continue\r\n\r\n"

  /// The request was HEAD: the length is told, the body is not sent.
  let isHead: Bool
  /// The connection closes after this answer.
  let closes: Bool
  let isVersion11: Bool

  func write(_ response: Response, date: [UInt8], to output: inout [UInt8]) {
    let status = (200...599).contains(response.status) ? response.status : 500
    output.reserveCapacity(output.count + 192 + response.headers.bytes.count + response.body.count)
    output.append("HTTP/1.1 ")
    output.append(decimal: status)
    output.append(" ")
    output.append(Status.reason(status))
    output.append("\r\ndate: ")
    output.append(contentsOf: date)
    let headers = response.headers
    if headers.areLines {
      output.append(contentsOf: headers.bytes)
    } else {
      for field in headers.fields where !Self.isOurs(headers, field) {
        output.append("\r\n")
        output.append(contentsOf: headers.slice(field.name))
        output.append(": ")
        output.append(contentsOf: headers.slice(field.value))
      }
    }
    if let id = response.requestID {
      output.append("\r\nx-request-id: ")
      Headers.append(id, to: &output)
    }
    // RFC 9110, section 8.6: neither 204 nor 304 has a body to measure here.
    let hasBody = status != 204 && status != 304
    if hasBody {
      output.append("\r\ncontent-length: ")
      output.append(decimal: response.body.count)
    }
    if closes {
      output.append("\r\nconnection: close")
    } else if !isVersion11 {
      output.append("\r\nconnection: keep-alive")
    }
    output.append("\r\n\r\n")
    if hasBody, !isHead { output.append(contentsOf: response.body) }
  }

  /// Whether a field of a handler's is the server's business.
  static func isOurs(_ headers: Headers, _ field: Headers.Field) -> Bool {
    let name = headers.slice(field.name)
    switch name.count {
    case 4: return name.elementsEqual(("date" as StaticString).bytes)
    case 10: return name.elementsEqual(("connection" as StaticString).bytes)
    case 14: return name.elementsEqual(("content-length" as StaticString).bytes)
    case 17: return name.elementsEqual(("transfer-encoding" as StaticString).bytes)
    default: return false
    }
  }
}

extension Response {
  /// Whether the handler set `Connection: close`.
  var asksToClose: Bool {
    guard let value = headers.bytes(of: "connection") else { return false }
    return value.lazy.map(lowercased).elementsEqual(("close" as StaticString).bytes)
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ text: StaticString) {
    guard text.utf8CodeUnitCount > 0 else { return }
    append(contentsOf: text.bytes)
  }

  fileprivate mutating func append(decimal number: Int) {
    var divisor = 1
    while number / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      append(0x30 + UInt8(truncatingIfNeeded: number / divisor % 10))
      divisor /= 10
    }
  }
}
