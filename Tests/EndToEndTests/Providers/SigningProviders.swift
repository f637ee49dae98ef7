import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// Providers that a test is itself: it signs what they sign, and says who comes back with which code. (What goes over
/// the network is tested with a provider of its own.)
final class SigningProviders: ProviderClient, Sendable {
  let clock: TestClock
  private let state: LockBox<State>
  private let trouble = LockBox<ProviderFailure?>(nil)

  private struct State {
    var key: P256PrivateKey
    var kid = 1
    /// Whether our side has fetched the newest key.
    var known: P256PrivateKey
    var knownKid = 1
    var fetches = 0
    var grants: [String: Coming] = [:]
    var verifiers: [String] = []
    var signsInAnew = false
  }

  /// A user who will come back with a code.
  struct Coming: Sendable {
    var user: ProviderUser
    var scopes: [String]?
    /// The claims of the ID token, for providers that make one.
    var idToken: String?
  }

  init(_ clock: TestClock) throws {
    self.clock = clock
    let key = try P256PrivateKey.generate()
    state = LockBox(State(key: key, known: key))
  }

  static let googleClient = "REPLACE.apps.googleusercontent.com"
  static let google = "https://accounts.google.com"

  /// Every call fails so, until it is told otherwise.
  func fail(_ failure: ProviderFailure?) { trouble.withLock { $0 = failure } }
  private func check() throws(ProviderFailure) { if let failure = trouble.withLock({ $0 }) { throw failure } }

  /// The provider signs with another key from now on.
  func rotate() throws {
    let key = try P256PrivateKey.generate()
    state.withLock {
      $0.key = key
      $0.kid += 1
    }
  }

  /// From now on its users sign in anew each time, and its ID tokens say so.
  func signInAnew() { state.withLock { $0.signsInAnew = true } }

  var fetches: Int { state.withLock { $0.fetches } }

  /// An ID token of Google's, for vibes unless it says otherwise. A claim that is null is left out.
  /// - Parameter written: claims that are written as they are, also null.
  func token(
    _ subject: String, nonce: String = "n-1", _ changes: JSONObject = JSONObject(),
    as written: JSONObject = JSONObject()
  ) throws -> String {
    let now = Int64(clock.now.timeIntervalSince1970)
    var claims: JSONObject = [
      "iss": .string(Self.google), "aud": .string(Self.googleClient), "azp": .string(Self.googleClient),
      "sub": .string(subject), "email": .string("\(subject)@gmail.com"), "email_verified": .bool(true),
      "name": .string("Pat \(subject)"), "iat": .integer(now), "exp": .integer(now + 3600),
      "nonce": .string(nonce),
    ]
    if state.withLock({ $0.signsInAnew }) { claims["auth_time"] = .integer(now) }
    for member in changes.members { claims[member.key] = member.value == .null ? nil : member.value }
    for member in written.members { claims[member.key] = member.value }
    let (key, kid) = state.withLock { ($0.key, $0.kid) }
    return try JWT.sign(claims: JSONValue.object(claims).bytes, type: "JWT", kid: "g\(kid)", key: key)
  }

  /// A user who is about to come back with this code.
  func expect(_ code: String, _ coming: Coming) { state.withLock { $0.grants[code] = coming } }

  func description(of registration: ProviderRegistration) throws(ProviderFailure) -> ProviderDescription {
    let name = registration.provider.name
    switch name {
    case "google", "apple":
      return ProviderDescription(
        name: name, base: .openIDConnect,
        issuers: name == "google" ? [Self.google, "accounts.google.com"] : ["https://appleid.apple.com"],
        endpoints: registration.provider.endpoints ?? Provider.Endpoints(), hosts: [], clientSecret: .post,
        usualScopes: ["openid", "email"],
        sendsAuthTime: registration.provider.requireAuthTime)
    case "spotify":
      return ProviderDescription(
        name: name, base: .oauth2(.init(subject: "id")), issuers: ["https://accounts.spotify.com"],
        endpoints: Provider.Endpoints(), hosts: [], clientSecret: .basic)
    default: throw .misconfigured("no such provider")
    }
  }

  func keys(
    at registration: ProviderRegistration, isKeyMissing: Bool
  ) async throws(ProviderFailure) -> VerificationKeys {
    try check()
    return state.withLock {
      if isKeyMissing {
        $0.fetches += 1
        ($0.known, $0.knownKid) = ($0.key, $0.kid)
      }
      return VerificationKeys([VerificationKey(kid: "g\($0.knownKid)", $0.known.publicKey)])
    }
  }

  func authorizationURL(
    _ request: ProviderAuthorization, at registration: ProviderRegistration
  ) async throws(ProviderFailure) -> String {
    try check()
    return QueryText.address(
      "https://provider.example/authorize",
      adding: [
        ("state", request.state), ("redirect_uri", request.redirectURI), ("nonce", request.nonce ?? ""),
        ("code_challenge", request.challenge), ("client_id", registration.clientID ?? ""),
        ("prompt", request.isFresh ? "login" : ""),
      ])
  }

  func exchange(
    _ code: ProviderCode, at registration: ProviderRegistration
  ) async throws(ProviderFailure) -> ProviderGrant {
    try check()
    let text = code.code.expose { $0 }
    let verifier = code.verifier.expose { $0 }
    let coming = state.withLock {
      $0.verifiers.append(verifier)
      return $0.grants.removeValue(forKey: text)
    }
    guard let coming else { throw .refused(.invalidGrant) }
    state.withLock { $0.grants["access " + text] = coming }
    return ProviderGrant(
      accessToken: Secret("access " + text), refreshToken: Secret("refresh " + text), expiresIn: 3600,
      scopes: coming.scopes, idToken: coming.idToken.map { Secret($0) })
  }

  func refresh(
    _ token: Secret<String>, at registration: ProviderRegistration
  ) async throws(ProviderFailure) -> ProviderGrant { throw .refused(.invalidGrant) }

  func user(
    _ accessToken: Secret<String>, at registration: ProviderRegistration
  ) async throws(ProviderFailure) -> ProviderUser {
    try check()
    let token = accessToken.expose { $0 }
    guard let coming = state.withLock({ $0.grants[token] }) else { throw .refused(.other) }
    return coming.user
  }

  func revoke(
    _ grant: GrantedTokens, at registration: ProviderRegistration
  ) async throws(ProviderFailure) -> Bool { false }

  /// The verifiers that came with codes.
  var verifiers: [String] { state.withLock { $0.verifiers } }
}

/// The three apps with Google, Apple and Spotify.
struct ProvidedApps {
  let apps: ThreeApps
  let providers: SigningProviders

  static let back = "https://app.vibes.example/back"
  static let spotifyScopes = [
    "user-read-email", "user-read-private", "playlist-read-private", "playlist-read-collaborative",
    "playlist-modify-public", "playlist-modify-private", "user-library-read", "user-library-modify", "user-top-read",
    "user-read-recently-played", "user-read-currently-playing", "user-read-playback-state",
  ]

  /// The policies as they are, with providers where they have none, and Google in browsers.
  static func policy(_ app: App, _ text: String) -> String {
    let google =
      "  google: {use: sign_in, client_id: \(SigningProviders.googleClient), audiences: [\(SigningProviders.googleClient)], "
      + "redirect_uris: [\"https://ride.example/back\"], existing_email: link_if_both_verified}\n"
    let apple = "  apple: {use: sign_in, audiences: [com.example.app], existing_email: refuse}\n"
    switch app {
    case .vibes:
      return text.replacing(
        "    audiences: [REPLACE.apps",
        with: "    client_id: \(SigningProviders.googleClient)\n    audiences: [REPLACE.apps"
      )
      .replacing(
        "continue: [vibes://signed-in]",
        with: "continue: [\"\(back)\", vibes://signed-in]\n  origins: [\"https://app.vibes.example\"]")
    case .ride, .messai:
      return text.replacing(
        "providers:\n  password: {use: sign_in}\n", with: "providers:\n  password: {use: sign_in}\n" + google + apple)
    }
  }

  /// Google, as if it could be asked for a new sign-in: a provider of the same shape can.
  private static func honest(_ text: String) -> String {
    let client = "client_id: \(SigningProviders.googleClient)"
    let more = "require_auth_time: true"
    let endpoints = "endpoints: {issuer: \"\(SigningProviders.google)\"}"
    return text.replacing("    \(client)\n", with: "    \(client)\n    \(more)\n    \(endpoints)\n")
      .replacing("\(client), ", with: "\(client), \(more), \(endpoints), ")
  }

  /// - Parameter isHonest: whether Google signs its users in anew, says so in `auth_time`, and is held to it.
  static func run(
    policy: @escaping (App, String) throws -> String = { $1 }, isSecure: Bool = false, isHonest: Bool = false,
    _ body: (ProvidedApps) async throws -> Void
  ) async throws {
    var policies: [String: String] = [:]
    for app in App.allCases {
      let text = try policy(app, Self.policy(app, try TestLists.policy(app.rawValue)))
      policies[app.rawValue] = isHonest ? honest(text) : text
    }
    let clock = TestClock()
    let providers = try SigningProviders(clock)
    if isHonest { providers.signInAnew() }
    let server = try await TestServer.start(
      policies: policies, clock: clock, isSecure: isSecure, providers: providers)
    do {
      try await body(ProvidedApps(apps: ThreeApps(server), providers: providers))
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  /// Signs in at an app with an ID token of Google's.
  func google(
    _ app: App = .vibes, _ subject: String = "g1", nonce: String = "n-1", _ claims: JSONObject = JSONObject(),
    more: String = ""
  ) async throws -> TestClient.Answer {
    let token = try providers.token(subject, nonce: nonce, claims)
    return try await apps.client(app).post(
      "/v1/sign-in/google", #"{"id_token":"\#(token)","nonce":"n-1"\#(more)}"#)
  }

  /// Serves this text from now on. It is not checked as a file would be: the server's own address is plain HTTP.
  func serve(_ text: String, at app: App) async throws {
    _ = try await apps.server.apply(text, to: app.rawValue, allowsWeaker: true)
    try await apps.reload()
  }

  /// A proven address, by the operator's hand.
  func verify(_ app: App, _ email: String) async throws {
    try await Operator.verify(email, of: app.rawValue, apps.server)
  }

  func user(_ app: App, _ email: String) async throws -> (user: StoredUser, passwordHash: String?)? {
    let tenant = try #require(apps.server.services.registry.snapshot(app.rawValue))
    return try await apps.server.services.store.open(tenant.id).user(email: email)
  }

  /// Begins to link Spotify and goes there: the address that the provider sends the person back to.
  func wayBack(
    from start: TestClient.Answer, code: String, more: [(name: String, value: String)] = []
  ) throws -> String {
    let query = try Self.query(#require(start.json["authorization_url"]?.string))
    return QueryText.address(
      try #require(query["redirect_uri"]), adding: [("code", code), ("state", try #require(query["state"]))] + more)
  }

  static func query(_ address: String) throws -> [String: String] {
    let items = try #require(URLComponents(string: address)?.queryItems)
    return Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { first, _ in first })
  }

  /// Links Spotify as the app does that is opened at the end.
  func linkSpotify(
    _ token: String, subject: String = "listener", scopes: [String]? = ProvidedApps.spotifyScopes
  ) async throws -> TestClient.Answer {
    let start = try await apps.vibes.post(
      "/v1/me/links/spotify", #"{"redirect_uri":"vibes://spotify-callback"}"#, token: token)
    guard start.status == 200 else { return start }
    let code = "c-\(subject)-\(UUID().text)"
    providers.expect(
      code,
      .init(
        user: ProviderUser(issuer: "https://accounts.spotify.com", subject: subject, email: "x@spotify.example"),
        scopes: scopes))
    let back = try wayBack(from: start, code: code)
    return try await apps.vibes.post(
      "/v1/me/links/spotify/complete", #"{"callback_url":"\#(back)"}"#, token: token)
  }
}
