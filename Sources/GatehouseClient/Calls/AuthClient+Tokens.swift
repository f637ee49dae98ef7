public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension AuthClient {
  /// An access token for the app's own backend, good for at least `minTTL`; one that lives shorter than that is
  /// replaced first. While no network is there, a token that still lives is returned.
  public func accessToken(minTTL: Duration = .seconds(60)) async throws(AuthError) -> String {
    start()
    return try await keeper.living(for: minTTL).accessToken
  }

  /// A new access token, with the claims as they are now. Throws where the server cannot be reached, and never returns
  /// the token of before.
  public func accessToken(forcingRefresh: Bool) async throws(AuthError) -> String {
    guard forcingRefresh else { return try await accessToken() }
    start()
    try await keeper.opened()
    guard let session = await keeper.session else { throw await keeper.own(.unauthenticated) }
    return try await keeper.replacing(session).accessToken
  }

  /// Sends a request with the access token, to the configured server and to `AuthConfiguration.tokenHosts` alone; other
  /// hosts get the request without it. An answer 401 is asked again once, with a new token, if the refused one is still
  /// the current one.
  public func send(_ request: URLRequest) async throws(AuthError) -> (Data, HTTPURLResponse) {
    start()
    guard let url = request.url else { throw await keeper.own(.unknown) }
    let body = try await body(of: request)
    guard isTrusted(url) else {
      configuration.log(AuthLogEntry(event: "send", outcome: "without token"))
      return try await send(request, url, body, token: nil)
    }
    let session = try await keeper.living(for: .seconds(10))
    let answer = try await send(request, url, body, token: session.accessToken)
    // A backend has reasons of its own to refuse: a token of a moment ago is as good as a new one.
    guard answer.1.statusCode == 401, await keeper.age(of: session) > .seconds(30) else { return answer }
    return try await send(request, url, body, token: keeper.replacing(session).accessToken)
  }

  /// Tokens travel over TLS; in clear only to the configured server where its own address is clear, and to this
  /// machine.
  private func isTrusted(_ url: URL) -> Bool {
    let server = configuration.server
    guard let host = url.host?.lowercased(), let scheme = url.scheme?.lowercased() else { return false }
    if host == server.host?.lowercased(), scheme == server.scheme?.lowercased(), url.port == server.port { return true }
    let isSafe = scheme == "https" || (scheme == "http" && ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host))
    return isSafe && configuration.tokenHosts.contains { $0.lowercased() == host }
  }

  private func send(_ request: URLRequest, _ url: URL, _ body: Data?, token: String?) async throws(AuthError)
    -> (Data, HTTPURLResponse)
  {
    var headers = request.allHTTPHeaderFields ?? [:]
    if let token { headers["Authorization"] = "Bearer \(token)" }
    let call = HTTPCall(
      url: url, method: request.httpMethod ?? "GET", headers: headers, body: body,
      largestAnswer: 64 << 20)
    let time = min(Requests.deadline, .seconds(max(0.1, request.timeoutInterval)))
    let until = configuration.clock.uptime + time
    let answer = try await keeper.requests.exchange(call, "send", until)
    guard
      let response = HTTPURLResponse(
        url: url, statusCode: answer.status, httpVersion: "HTTP/1.1", headerFields: answer.headers)
    else { throw await keeper.own(.unknown) }
    return (answer.body, response)
  }

  /// Bytes of a stream that are read into memory.
  private static let largestBody = 16 << 20

  /// The content of a request. A stream is read, for it may have to be sent twice.
  private func body(of request: URLRequest) async throws(AuthError) -> Data? {
    guard request.httpBody == nil, let stream = request.httpBodyStream else { return request.httpBody }
    stream.open()
    defer { stream.close() }
    var body = Data()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = stream.read(&buffer, maxLength: buffer.count)
      // GUARD: client: a stream that cannot be sent is refused
      guard count >= 0 else { throw await keeper.own(.payloadTooLarge) }
      guard count > 0 else { return body }
      body.append(contentsOf: buffer.prefix(count))
      guard body.count <= Self.largestBody else { throw await keeper.own(.payloadTooLarge) }
    }
  }
}

extension SessionKeeper {
  /// The time since the access token was issued.
  func age(of session: StoredSession) -> Duration { .seconds(session.accessLifetime) - remaining(session) }
}
