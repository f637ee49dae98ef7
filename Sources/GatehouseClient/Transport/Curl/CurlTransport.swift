#if os(Linux)
  import Foundation

  /// Requests by libcurl, on one thread for the whole process. `docs/decisions/0027` says why.
  struct CurlTransport: HTTPTransport {
    /// The owner of the connections.
    var thread = CurlThread.shared
    /// A PEM file of authorities to trust; the system's when nil.
    var authorities: String?

    func send(_ call: HTTPCall, deadline: Duration) async throws -> HTTPAnswer {
      // GUARD: client: nothing but HTTP is spoken
      guard ["http", "https"].contains(call.url.scheme?.lowercased()) else { throw TransportError(reason: "address") }
      // GUARD: client: no name and password in an address
      guard call.url.user == nil else { throw TransportError(reason: "address") }
      let texts = [call.method, call.url.absoluteString] + call.headers.flatMap { [$0.key, $0.value] }
      // GUARD: client: no value is a line of its own
      guard texts.allSatisfy(Self.isOneLine) else { throw TransportError(reason: "request") }
      guard call.headers.keys.allSatisfy({ !$0.isEmpty && !$0.contains(":") }) else {
        throw TransportError(reason: "request")
      }
      return try await thread.send(call, authorities: authorities, deadline: deadline)
    }

    private static func isOneLine(_ text: String) -> Bool {
      text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }
  }
#endif
