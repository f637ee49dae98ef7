package import Foundation
import GatehousePrimitives

/// An identity provider of another make on a free loopback port: OpenID Connect and plain OAuth 2.0 over HTTPS, in a
/// child process. It consents at once for the person it was told of, rotates refresh tokens as Spotify does, and fails
/// as it is told. It ends with this object.
package final class IdentityProviderPeer: Sendable {
  /// One request as it saw it.
  package struct Received: Sendable {
    package let method: String
    package let path: String
    package let query: [String: String]
    package let form: [String: String]
    package let body: [UInt8]
    private let headers: [(name: String, value: String)]

    fileprivate init(_ event: [String: any Sendable]) {
      let fields = (event["headers"] as? [any Sendable] ?? []).compactMap { $0 as? [any Sendable] }
      method = event["method"] as? String ?? ""
      path = event["path"] as? String ?? ""
      query = event["query"] as? [String: String] ?? [:]
      form = event["form"] as? [String: String] ?? [:]
      body = Array(Data(base64Encoded: event["body"] as? String ?? "") ?? Data())
      headers = fields.compactMap { field in
        guard field.count == 2, let name = field[0] as? String, let value = field[1] as? String else { return nil }
        return (name, value)
      }
    }

    /// The first field of this name, compared without case.
    package func header(_ name: String) -> String? {
      headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
  }

  /// How a path fails.
  package enum Fault: Sendable {
    case status(Int, retryAfter: String? = nil, error: String? = nil)
    case body([UInt8], status: Int = 200)
    case redirect(String)
    /// It takes the request and never answers.
    case silent
    case close, huge
    /// It does what it is asked, and its answer gets lost.
    case lost
  }

  /// The counts of the peer: redeemed codes, refreshes, used refresh tokens that came again, revocations; and live
  /// tokens.
  package struct Counts: Sendable, Equatable {
    package var exchanges = 0, refreshes = 0, replays = 0, revocations = 0
    package var accessTokens = 0, refreshTokens = 0
  }

  package let port: UInt16
  /// The PEM file a client must trust.
  package let certificate: String
  private let child: PeerProcess
  private let turns = ConcurrencyLimit(places: 1)

  private init(port: UInt16, certificate: String, child: PeerProcess) {
    self.port = port
    self.certificate = certificate
    self.child = child
  }

  deinit { child.stop() }

  /// Starts one and returns when it listens.
  package static func start() async throws -> IdentityProviderPeer {
    let child = try PeerProcess(
      String(decoding: PackageResources.identity_peer_py, as: UTF8.self), names: "DNS:localhost,IP:127.0.0.1", [:])
    return IdentityProviderPeer(port: try await child.port(), certificate: child.certificate ?? "", child: child)
  }

  /// Its issuer, and the root of its addresses.
  package var issuer: String { "https://localhost:\(port)" }

  /// The lines of `endpoints:` that point an OpenID provider of a policy here.
  package var openIDEndpoints: String { "{issuer: \"\(issuer)\"}" }

  /// The same for Spotify: no revocation.
  package var spotifyEndpoints: String {
    "{authorization: \"\(issuer)/authorize\", token: \"\(issuer)/token\", userinfo: \"\(issuer)/v1/me\"}"
  }

  /// The same for GitHub and this client.
  package func githubEndpoints(_ client: String) -> String {
    "{authorization: \"\(issuer)/authorize\", token: \"\(issuer)/token\", userinfo: \"\(issuer)/user\", "
      + "revocation: \"\(issuer)/applications/\(client)/grant\"}"
  }

  // MARK: What it knows

  /// A client; without a secret a public one.
  package func register(_ client: String, secret: String?, redirectURIs: [String]) async throws {
    var command: [String: any Sendable] = ["do": "client", "id": client, "redirect_uris": redirectURIs]
    command["secret"] = secret
    _ = try await tell(command)
  }

  /// Sets the person before the browser from now on; `sub` is among the claims.
  package func signIn(_ claims: [String: any Sendable]) async throws {
    _ = try await tell(["do": "user", "claims": claims])
  }

  /// Which scopes people allow from now on, also of grants they gave before; everything when nil.
  package func allow(_ scopes: [String]?) async throws {
    var command: [String: any Sendable] = ["do": "grant_only"]
    command["scopes"] = scopes
    _ = try await tell(command)
  }

  /// People refuse from now on, or do not.
  package func denies(_ denies: Bool) async throws { _ = try await tell(["do": "set", "values": ["denies": denies]]) }

  /// Whether each refresh ends the refresh token; it does at first.
  package func rotates(_ rotates: Bool) async throws {
    _ = try await tell(["do": "set", "values": ["rotates": rotates]])
  }

  /// Seconds that access tokens say they live; an hour at first.
  package func expiresIn(_ seconds: Int) async throws {
    _ = try await tell(["do": "set", "values": ["expires_in": seconds]])
  }

  /// The `auth_time` of its ID tokens.
  package enum AuthTime: Sendable {
    /// Nothing, as at first: people are signed in here for months.
    case none
    /// The truth: people came a day ago, and sign in anew where `prompt=login&max_age=0` asks them to.
    case honest
    /// So many seconds from now, for every request.
    case always(Int)
    case text(String)
  }

  /// Says this from now on.
  package func authTime(_ authTime: AuthTime) async throws {
    var values: [String: any Sendable] = ["auth_time": NSNull()]
    switch authTime {
    case .none: break
    case .honest: values["auth_time"] = "honest"
    case .always(let seconds): values["auth_time"] = seconds
    case .text(let text): values["auth_time"] = text
    }
    _ = try await tell(["do": "set", "values": values])
  }

  /// Sets the peer's time, which is the machine's at first.
  package func itIs(_ now: Date) async throws {
    _ = try await tell(["do": "set", "values": ["now": Int(now.timeIntervalSince1970)]])
  }

  /// Everything that this person granted is void.
  package func withdrawGrants(of subject: String) async throws {
    _ = try await tell(["do": "withdraw", "sub": subject])
  }

  /// Signs with a new key; the one before stays published if it `keeps` it.
  package func rotateKeys(keeps: Bool = false, algorithm: String = "RS256") async throws {
    _ = try await tell(["do": "rotate_keys", "keeps": keeps, "algorithm": algorithm])
  }

  /// Where a person ends who is sent to this address: back at the client, with a code. Nil when they are sent nowhere.
  package func consent(_ authorizationURL: String) async throws -> String? {
    try await tell(["do": "consent", "url": authorizationURL])["location"] as? String
  }

  /// An ID token with exactly these claims.
  package func mint(_ claims: [String: any Sendable], kid: String? = nil) async throws -> String {
    var command: [String: any Sendable] = ["do": "mint", "claims": claims]
    command["kid"] = kid
    return try await tell(command)["token"] as? String ?? ""
  }

  // MARK: How it fails

  /// Fails at a path, `times` times; always when nil.
  package func fail(_ path: String, _ fault: Fault, times: Int? = nil) async throws {
    var told: [String: any Sendable]
    switch fault {
    case .status(let status, let retryAfter, let error):
      told = ["kind": "status", "status": status]
      told["retry_after"] = retryAfter
      if let error { told["json"] = ["error": error] }
    case .body(let bytes, let status):
      told = ["kind": "body", "status": status, "body": Data(bytes).base64EncodedString()]
    case .redirect(let location): told = ["kind": "redirect", "location": location]
    case .silent: told = ["kind": "silent"]
    case .close: told = ["kind": "close"]
    case .huge: told = ["kind": "huge"]
    case .lost: told = ["kind": "lost"]
    }
    told["times"] = times
    _ = try await tell(["do": "fault", "path": path, "fault": told])
  }

  /// Behaves again.
  package func heal() async throws { _ = try await tell(["do": "heal"]) }

  // MARK: What it saw

  package func counts() async throws -> Counts {
    let event = try await tell(["do": "state"])
    let counts = event["counts"] as? [String: any Sendable] ?? [:]
    func count(_ name: String) -> Int { counts[name] as? Int ?? -1 }
    return Counts(
      exchanges: count("exchanges"), refreshes: count("refreshes"), replays: count("replays"),
      revocations: count("revocations"), accessTokens: event["access"] as? Int ?? -1,
      refreshTokens: event["refresh"] as? Int ?? -1)
  }

  /// The refresh tokens that are good now: what must never leave the server.
  package func refreshTokens() async throws -> [String] {
    try await tell(["do": "state"])["refresh_tokens"] as? [String] ?? []
  }

  /// The next request that was not returned yet; waits for it.
  package func next(within seconds: Double = 20) async throws -> Received {
    Received(try await child.box.next("request", within: seconds))
  }

  /// Every request that came until now and was not returned yet.
  package func received() async throws -> [Received] {
    // Its report of a request comes by another channel than the answer. After an answer, the whole report is here.
    _ = try await tell(["do": "state"])
    var all: [Received] = []
    while child.box.count("request") > 0 { all.append(try await next()) }
    return all
  }

  private func tell(_ command: [String: any Sendable]) async throws -> [String: any Sendable] {
    await turns.enter()
    do {
      try child.send(command)
      let done = try await child.box.next("done", within: 20)
      await turns.leave()
      return done
    } catch {
      await turns.leave()
      throw error
    }
  }
}
