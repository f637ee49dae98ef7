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

  /// Sends a request with the access token, to the configured server and to `AuthConfiguration.tokenHosts` alone; other
  /// hosts get the request without it. An answer 401 is asked again once, with a new token, if the refused one is still
  /// the current one.
  public func send(_ request: URLRequest) async throws(AuthError) -> (Data, HTTPURLResponse) {
    start()
    guard let url = request.url else { throw await keeper.own(.unknown) }
    guard isTrusted(url) else { return try await send(request, url, token: nil) }
    let session = try await keeper.living(for: .seconds(10))
    let answer = try await send(request, url, token: session.accessToken)
    guard answer.1.statusCode == 401 else { return answer }
    return try await send(request, url, token: keeper.replacing(session).accessToken)
  }

  /// Tokens travel over TLS; in clear only to the configured server, where its own address is clear.
  private func isTrusted(_ url: URL) -> Bool {
    let server = configuration.server
    guard let host = url.host?.lowercased(), let scheme = url.scheme?.lowercased() else { return false }
    if host == server.host?.lowercased(), scheme == server.scheme?.lowercased(), url.port == server.port { return true }
    return scheme == "https" && configuration.tokenHosts.contains { $0.lowercased() == host }
  }

  private func send(_ request: URLRequest, _ url: URL, token: String?) async throws(AuthError)
    -> (Data, HTTPURLResponse)
  {
    var headers = request.allHTTPHeaderFields ?? [:]
    if let token { headers["Authorization"] = "Bearer \(token)" }
    let call = HTTPCall(
      url: url, method: request.httpMethod ?? "GET", headers: headers, body: request.httpBody,
      largestAnswer: 64 << 20)
    let until = configuration.clock.uptime + Requests.deadline
    let answer = try await keeper.requests.exchange(call, "send", until)
    guard
      let response = HTTPURLResponse(
        url: url, statusCode: answer.status, httpVersion: "HTTP/1.1", headerFields: answer.headers)
    else { throw await keeper.own(.unknown) }
    return (answer.body, response)
  }
}
