/// Requests as this system sends them: by `URLSession` on Apple's systems, by libcurl on Linux.
///
/// No cookie, no cache and no credential is kept, and no redirect is followed. An answer is whole or it is an error. A
/// host has six connections at most. Proxies are those of the system; on Linux the environment names them
/// (`http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`).
public struct SystemTransport: HTTPTransport {
  #if os(Linux)
    private let base = CurlTransport()
  #else
    private let base = URLSessionTransport()
  #endif

  /// The process's connections.
  public init() {}

  /// Sends a request. The deadline covers all of it: the name's look-up, the connection, and the whole answer.
  public func send(_ call: HTTPCall, deadline: Duration) async throws -> HTTPAnswer {
    try await base.send(call, deadline: deadline)
  }
}
