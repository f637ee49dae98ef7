import Testing

/// Requests that must be refused, and with what. Each is tried on the parser in every split, and over a socket.
struct MalformedRequest: Sendable, CustomTestStringConvertible {
  let name: String
  let text: String
  let status: Int

  init(_ status: Int, _ name: String, _ text: String) {
    self.name = name
    self.text = text
    self.status = status
  }

  var testDescription: String { name }
  var bytes: [UInt8] { Array(text.utf8) }

  static let all = requestLines + fields + lengths + encodings + chunks + limits

  private static func get(_ fields: String) -> String { "GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n" }
  private static func post(_ fields: String, _ body: String = "") -> String {
    "POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\(body)"
  }
  private static func chunked(_ body: String) -> String { post("Transfer-Encoding: chunked\r\n", body) }
  private static let next = "GET /next HTTP/1.1\r\nHost: a\r\n\r\n"

  private static let requestLines: [MalformedRequest] = [
    .init(400, "double space", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n"),
    .init(400, "a brace in the method", "GE{T / HTTP/1.1\r\nHost: a\r\n\r\n"),
    .init(400, "no method", " / HTTP/1.1\r\nHost: a\r\n\r\n"),
    .init(400, "a method of 33 bytes", String(repeating: "A", count: 33) + " / HTTP/1.1\r\nHost: a\r\n\r\n"),
    .init(400, "HTTP/0.9", "GET /\r\n"),
    .init(400, "a space after the version", "GET / HTTP/1.1 \r\nHost: a\r\n\r\n"),
    .init(400, "a lower-case protocol", "GET / http/1.1\r\nHost: a\r\n\r\n"),
    .init(400, "a long version", "GET / HTTP/1.10\r\nHost: a\r\n\r\n"),
    .init(505, "HTTP/2.0", "GET / HTTP/2.0\r\nHost: a\r\n\r\n"),
    .init(505, "HTTP/1.2", "GET / HTTP/1.2\r\nHost: a\r\n\r\n"),
    .init(400, "two empty lines first", "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
    .init(400, "a bare LF first", "\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
    .init(400, "bare LF line ends", "GET / HTTP/1.1\nHost: a\n\n"),
    .init(400, "a bare LF after one field", "GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n"),
    .init(400, "a bare CR after the version", "GET / HTTP/1.1\rHost: a\r\n\r\n"),
    .init(400, "a TLS greeting", "\u{16}\u{03}\u{01}\u{02}\u{00}\u{01}"),
    .init(400, "a fragment in the target", "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n"),
    .init(400, "a backslash in the target", "GET /a\\b HTTP/1.1\r\nHost: a\r\n\r\n"),
    .init(400, "UTF-8 in the target", "GET /\u{e9} HTTP/1.1\r\nHost: a\r\n\r\n"),
    .init(400, "NUL in the target", "GET /\u{0} HTTP/1.1\r\nHost: a\r\n\r\n"),
    .init(400, "half an escape", "GET /a%2 HTTP/1.1\r\nHost: a\r\n\r\n"),
    .init(400, "a broken escape in the query", "GET /?a=%zz HTTP/1.1\r\nHost: a\r\n\r\n"),
    .init(400, "a target without a slash", "GET a HTTP/1.1\r\nHost: a\r\n\r\n"),
    .init(400, "an asterisk for GET", "GET * HTTP/1.1\r\nHost: a\r\n\r\n"),
    .init(400, "another host in an absolute target", "GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n"),
    .init(400, "an absolute target without a path", "GET http://a HTTP/1.1\r\nHost: a\r\n\r\n"),
    .init(400, "user information in an absolute target", "GET http://u@a/ HTTP/1.1\r\nHost: a\r\n\r\n"),
    .init(400, "another scheme", "GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n"),
    .init(400, "a path for CONNECT", "CONNECT /a HTTP/1.1\r\nHost: a\r\n\r\n"),

  ]

  private static let fields: [MalformedRequest] = [
    .init(400, "a space before the colon", get("X : b\r\n")),
    .init(400, "Transfer-Encoding with a space before the colon", post("Transfer-Encoding : chunked\r\n", "0\r\n\r\n")),
    .init(400, "a folded field", get("X: b\r\n c\r\n")),
    .init(400, "a folded field with a tab", get("X: b\r\n\tc\r\n")),
    .init(501, "a folded Transfer-Encoding and a request behind it", post("Transfer-Encoding:\r\n chunked\r\n") + next),
    .init(400, "a space before the first field", "GET / HTTP/1.1\r\n Host: a\r\n\r\n"),
    .init(400, "a field without a colon", get("Xb\r\n")),
    .init(400, "a field without a name", get(": b\r\n")),
    .init(400, "a bare CR in a value", get("X: b\rc\r\n")),
    .init(400, "NUL in a value", get("X: b\u{0}c\r\n")),
    .init(400, "NUL in a name", get("X\u{0}: b\r\n")),
    .init(400, "DEL in a value", get("X: b\u{7f}c\r\n")),
    .init(400, "a bare CR at the end", "GET / HTTP/1.1\r\nHost: a\r\n\rX"),
    .init(400, "no Host", "GET / HTTP/1.1\r\n\r\n"),
    .init(400, "two Hosts", get("Host: a\r\n")),
    .init(400, "two Hosts for HTTP/1.0", "GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n"),
    .init(400, "an empty Host", "GET / HTTP/1.1\r\nHost:\r\n\r\n"),
    .init(400, "a list of Hosts", "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n"),
    .init(400, "a path in Host", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"),
    .init(417, "an unknown expectation", post("Expect: the-unexpected\r\nContent-Length: 1\r\n", "x")),
  ]

  private static let lengths: [MalformedRequest] = [
    .init(400, "two different lengths", post("Content-Length: 3\r\nContent-Length: 4\r\n", "abcd")),
    .init(400, "two equal lengths", post("Content-Length: 3\r\nContent-Length: 3\r\n", "abc")),
    .init(400, "a list of lengths", post("Content-Length: 3, 3\r\n", "abc")),
    .init(400, "a negative length", post("Content-Length: -1\r\n")),
    .init(400, "a length with a plus", post("Content-Length: +47\r\n")),
    .init(400, "a hexadecimal length", post("Content-Length: 0x2f\r\n")),
    .init(400, "a length with letters", post("Content-Length: 47abc\r\n")),
    .init(400, "an empty length", post("Content-Length:\r\n")),
    .init(400, "a length with a space inside", post("Content-Length: 4 7\r\n")),
    .init(400, "a length of eleven zeros", post("Content-Length: 00000000001\r\n", "x")),
    .init(413, "a length beyond every integer", post("Content-Length: 99999999999999999999999\r\n")),
    .init(413, "a body over the limit", post("Content-Length: 65537\r\n")),
    .init(400, "length and chunked", post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n") + next),
    .init(400, "chunked and length", post("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "0\r\n\r\n") + next),
  ]

  private static let encodings: [MalformedRequest] = [
    .init(501, "xchunked", post("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n") + next),
    .init(501, "chunked, identity", post("Transfer-Encoding: chunked, identity\r\n", "0\r\n\r\n") + next),
    .init(501, "gzip, chunked", post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n") + next),
    .init(501, "identity", post("Transfer-Encoding: identity\r\n")),
    .init(501, "a quoted chunked", post("Transfer-Encoding: \"chunked\"\r\n")),
    .init(400, "chunked twice", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n")),
    .init(400, "a vertical tab before chunked", post("Transfer-Encoding: \u{b}chunked\r\n", "0\r\n\r\n")),
    .init(400, "chunked for HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
  ]

  private static let chunks: [MalformedRequest] = [
    .init(400, "a chunk size of zz", chunked("zz\r\n")),
    .init(400, "a negative chunk size", chunked("-1\r\n")),
    .init(400, "a chunk size with 0x", chunked("0x5\r\nabcde\r\n0\r\n\r\n")),
    .init(400, "an empty chunk size", chunked("\r\n")),
    .init(400, "a chunk size that overflows", chunked("FFFFFFFFFFFFFFFFF\r\n")),
    .init(400, "a chunk size of seven digits", chunked("0000005\r\nabcde\r\n0\r\n\r\n")),
    .init(400, "a space after the chunk size", chunked("5 \r\nabcde\r\n0\r\n\r\n")),
    .init(400, "a chunk extension", chunked("5;a=b\r\nabcde\r\n0\r\n\r\n")),
    .init(400, "chunks with bare LF", chunked("5\nabcde\n0\n\n")),
    .init(400, "a bare LF after the data", chunked("5\r\nabcde\n0\r\n\r\n")),
    .init(400, "a chunk longer than its size", chunked("5\r\nabcdef\r\n0\r\n\r\n")),
    .init(400, "a bare CR after the size", chunked("5\rabcde\r\n0\r\n\r\n")),
    .init(400, "a trailer", chunked("0\r\nX: y\r\n\r\n")),
    .init(413, "a chunk over the limit", chunked("10001\r\n")),
    .init(413, "chunks over the limit together", chunked("FFFF\r\n\(String(repeating: "a", count: 65_535))\r\n2\r\n")),
  ]

  private static let limits: [MalformedRequest] = [
    .init(431, "a field of 64 KiB", get("X: \(String(repeating: "a", count: 65_536))\r\n")),
    .init(431, "a name of 64 KiB", get("\(String(repeating: "a", count: 65_536)): b\r\n")),
    .init(431, "5000 fields", get(String(repeating: "X: b\r\n", count: 5000))),
    .init(431, "65 fields", get(String(repeating: "X: b\r\n", count: 64))),
    .init(414, "a target of 8193 bytes", "GET /\(String(repeating: "a", count: 8192)) HTTP/1.1\r\nHost: a\r\n\r\n"),
  ]
}
