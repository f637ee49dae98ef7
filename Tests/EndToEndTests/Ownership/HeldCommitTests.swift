import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePolicy
import GatehousePrimitives
import GatehouseServer
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@testable import GatehousePostgres

/// The database holds a commit until the caller's session has ended, by the lock that every commit of a caller takes
/// first. So a write in flight meets the end of its session at the same place each time, without a race.
@Suite("A write of a signed-in caller that is in flight while the session ends")
struct HeldCommitTests {
  /// A caller's request that writes.
  struct Writing: Sendable, CustomTestStringConvertible {
    let route: String
    let app: App
    /// Prepares a person and says what to send: the path, and the body.
    let prepare: @Sendable (ProvidedApps, JSONValue) async throws -> (path: String, body: String?)

    init(
      _ route: String, _ app: App = .ride,
      _ prepare: @escaping @Sendable (ProvidedApps, JSONValue) async throws -> (path: String, body: String?)
    ) {
      (self.route, self.app, self.prepare) = (route, app, prepare)
    }

    /// A request whose path is the route's.
    init(_ route: String, _ app: App = .ride, body: String?) {
      self.init(route, app) { _, _ in (String(route.split(separator: " ")[1]), body) }
    }

    var testDescription: String { route }
    var method: String { String(route.split(separator: " ")[0]) }
  }

  private static let password = #""password":"\#(App.password)""#

  static let writings: [Writing] = [
    Writing("POST /v1/reauthenticate", body: "{\(password)}"),
    Writing("POST /v1/reauthenticate/code") { provided, user in
      let tenant = try await provided.apps.operatorCall(.ride).tenant.id
      let id = UserID(try #require(UUID(uuidString: user.userID)))
      // For accounts without a password, with a proven address.
      try await provided.apps.server.services.store.open(tenant).commit(
        [.provider(.reclaim(id, email: try #require(user["user"]?["email"]?.string)))], as: .job)
      return ("/v1/reauthenticate/code", "{}")
    },
    Writing("POST /v1/sign-out", body: #"{"scope":"all"}"#),
    Writing("PATCH /v1/me", body: #"{"profile":{"name":"New"}}"#),
    Writing("DELETE /v1/me", body: "{\(password)}"),
    Writing("GET /v1/me/export", body: nil),
    Writing("PUT /v1/me/presence", body: #"{"online":true}"#),
    Writing("PUT /v1/me/sessions/current/push-token", body: #"{"push_token":"abc","platform":"apns"}"#),
    Writing(
      "POST /v1/me/password", body: #"{"current_password":"\#(App.password)","password":"\#(App.otherPassword)"}"#),
    Writing("POST /v1/email-verification") { provided, _ in
      provided.apps.server.clock.advance(seconds: 61)
      return ("/v1/email-verification", "{}")
    },
    Writing("DELETE /v1/me/sessions/{id}") { provided, user in
      let email = user["user"]?["email"]?.string ?? ""
      let other = try await provided.apps.ride.post("/v1/sign-in", #"{"email":"\#(email)",\#(password)}"#).json
      return ("/v1/me/sessions/\(other["session"]?["id"]?.string ?? "")", nil)
    },
    Writing("POST /v1/me/email") { _, user in
      ("/v1/me/email", #"{"email":"new-\#(user.userID)@ksu.edu",\#(password)}"#)
    },
    Writing("POST /v1/email-verification/confirm") { provided, user in
      ("/v1/email-verification/confirm", #"{"token":"\#(try await mailed(provided, to: user["user"]?["email"]))"}"#)
    },
    Writing("POST /v1/email-change/confirm") { provided, user in
      let email = "moved-\(user.userID)@ksu.edu"
      _ = try await provided.apps.ride.post(
        "/v1/me/email", #"{"email":"\#(email)",\#(password)}"#, token: user.accessToken)
      return ("/v1/email-change/confirm", #"{"token":"\#(try await mailed(provided, to: .string(email)))"}"#)
    },
    Writing("POST /v1/me/links/{provider}", .vibes) { _, _ in
      ("/v1/me/links/spotify", #"{"redirect_uri":"vibes://spotify-callback"}"#)
    },
    Writing("POST /v1/me/links/{provider}/complete", .vibes) { provided, user in
      let token = try provided.providers.token("of-\(user.userID)")
      return ("/v1/me/links/google/complete", #"{"id_token":"\#(token)","nonce":"n-1"}"#)
    },
    Writing("DELETE /v1/me/links/{provider}", .vibes) { provided, user in
      _ = try await provided.linkSpotify(user.accessToken, subject: "of-\(user.userID)")
      return ("/v1/me/links/spotify", "{\(password)}")
    },
    Writing("POST /v1/me/factors/totp", body: "{}"),
    Writing("POST /v1/me/factors/totp/confirm") { provided, user in
      let path = "/v1/me/factors/totp"
      let begun = try await provided.apps.ride.post(path, "{}", token: user.accessToken)
      let step = TOTP.step(at: provided.apps.server.clock.now)
      let code = TOTP.code(seed: try begun.seed(), step: step)
      return (path + "/confirm", #"{"enrolment_id":"\#(begun.enrolment)","code":"\#(code)"}"#)
    },
    Writing("POST /v1/passkeys/register/start", body: "{}"),
    Writing("POST /v1/passkeys/register/complete") { provided, user in
      let begun = try await provided.apps.ride.post("/v1/passkeys/register/start", "{}", token: user.accessToken)
      return ("/v1/passkeys/register/complete", try added(begun).body)
    },
    Writing("POST /v1/reauthenticate/start") { provided, user in
      // An account without a passkey gets no challenge, and nothing is written.
      try await passkey(provided, of: user)
      return ("/v1/reauthenticate/start", "{}")
    },
    Writing("PATCH /v1/me/factors/{id}") { provided, user in
      ("/v1/me/factors/\(try await factor(provided, of: user))", #"{"name":"Phone"}"#)
    },
    Writing("DELETE /v1/me/factors/{id}") { provided, user in
      ("/v1/me/factors/\(try await factor(provided, of: user))", nil)
    },
    Writing("POST /v1/me/recovery-codes") { provided, user in
      _ = try await factor(provided, of: user)
      return ("/v1/me/recovery-codes", "{}")
    },
    Writing("PATCH /v1/users/{id}") { provided, user in
      let email = try #require(user["user"]?["email"]?.string)
      try await provided.verify(.ride, email)
      try await Operator.set(["role": .string("admin")], of: email, in: "dd-ride", provided.apps.server)
      return ("/v1/users/\(user.userID)", #"{"profile":{"classYear":2}}"#)
    },
  ]

  /// The id of a second factor that the person's session, which stays as it is, has just proven.
  private static let host = "auth.ride.example"

  /// The answer to the options for a new passkey.
  private static func added(_ begun: TestClient.Answer) throws -> (passkey: TestPasskey, body: String) {
    let passkey = try PasskeyScene.passkey(begun.json["public_key"])
    let made = try passkey.registration(begun.passkeyChallenge) { $0.origin = "http://\(host)" }
    let answer = RegistrationAnswer(
      id: made.id, clientData: made.clientDataJSON, attestationObject: made.attestationObject)
    return (
      passkey, try PasskeyScene.text(AddPasskeyEndpoint.Input(challengeID: begun.challenge, credential: answer))
    )
  }

  /// Gives the account a passkey, and leaves the session as it is.
  private static func passkey(_ provided: ProvidedApps, of user: JSONValue) async throws {
    let now = provided.apps.server.clock.now
    let store = provided.apps.server.services.store.open(try await provided.apps.operatorCall(.ride).tenant.id)
    let id = try #require(UserID(text: user.userID))
    let passkey = Passkey(
      id: UUID(), user: id, credentialID: SecureRandom.bytes(32), rpID: host, publicKey: [1], algorithm: -7,
      signCount: 0, model: [UInt8](repeating: 0, count: 16), isAttested: false, isBackupEligible: false,
      isBackedUp: false, transports: [], name: nil, createdAt: now)
    try await store.commit([.factor(.addPasskey(passkey))], as: .job)
  }

  private static func factor(_ provided: ProvidedApps, of user: JSONValue) async throws -> String {
    let now = provided.apps.server.clock.now
    let store = provided.apps.server.services.store.open(try await provided.apps.operatorCall(.ride).tenant.id)
    let id = try #require(SessionID(text: user["session"]?["id"]?.string ?? ""))
    let found = try #require(try await store.session(id: id))
    let app = AuthenticatorApp(
      id: UUID(), user: found.user.id, sealedSeed: [1], name: nil, lastStep: 0, createdAt: now)
    let seen = found.session.proofs
    let proofs = Proofs(
      tenant: seen.tenant, user: seen.user, first: seen.newest,
      [Proof(method: .totp, factor: app.id, at: now.addingTimeInterval(1))])
    try await store.commit([.factor(.add(app)), .session(.reauthenticate(id, proofs, seen: seen))], as: .job)
    return app.id.text
  }

  private static func mailed(_ provided: ProvidedApps, to email: JSONValue?) async throws -> String {
    let mail = try await provided.apps.server.latestMail(to: try #require(email?.string))
    return try #require(mail?.link?.split(separator: "=").last.map(String.init))
  }

  private func signUp(_ provided: ProvidedApps, _ app: App, _ local: String) async throws -> JSONValue {
    let up = try await provided.apps.signUp(app, local)
    try #require(up.status == 201, "\(up.text)")
    return up.json
  }

  private func send(_ writing: Writing, _ provided: ProvidedApps, _ user: JSONValue) async throws
    -> @Sendable () async throws -> TestClient.Answer
  {
    let (path, body) = try await writing.prepare(provided, user)
    let client = provided.apps.client(writing.app)
    return { try await client.send(writing.method, path, body, token: user.accessToken) }
  }

  /// The answer to a request whose commits wait until this transaction has ended the session.
  private func answer(
    _ provided: ProvidedApps, _ app: App, _ user: JSONValue, holding changes: [Change],
    _ request: @escaping @Sendable () async throws -> TestClient.Answer
  ) async throws -> TestClient.Answer {
    let tenant = try #require(provided.apps.server.services.registry.snapshot(app.rawValue))
    let database = provided.apps.server.database
    let user = try #require(UUID(uuidString: user.userID))
    let waiting = try await database.transaction(tenant.id.uuid) { transaction in
      _ = try await transaction.query("SELECT 1 FROM account WHERE id = \(user) FOR NO KEY UPDATE")
      for statement in changes.flatMap(\.statements) { _ = try await transaction.query(statement) }
      let isDone = LockBox(false)
      let waiting = Task {
        defer { isDone.withLock { $0 = true } }
        return try await request()
      }
      _ = try await eventually { try await isDone.withLock { $0 } ? true : hasLockWaiter(database) }
      return waiting
    }
    return try await waiting.value
  }

  private func hasLockWaiter(_ database: Database) async throws -> Bool {
    try await database.read(
      nil,
      """
      SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')
      """
    ).single()?[0] ?? false
  }

  private func session(_ user: JSONValue) throws -> SessionID {
    try #require(SessionID(text: user["session"]?["id"]?.string ?? ""))
  }

  @Test("T129 every route that writes for a caller is refused by the commit, and succeeds where the session lives")
  func everyRoute() async throws {
    let passkeys = "passkeys: {use: [sign_in]}\n"
    try await ProvidedApps.run(policy: { PolicyText.with(mfa: PolicyText.mfa, $1) + passkeys }) { provided in
      try await provided.apps.own(Self.host, of: App.ride.rawValue)
      for (number, writing) in Self.writings.enumerated() {
        let free = try await signUp(provided, writing.app, "free\(number)")
        let done = try await send(writing, provided, free)()
        #expect((200..<300).contains(done.status), "\(writing.route): \(done.text)")
        let held = try await signUp(provided, writing.app, "held\(number)")
        let request = try await send(writing, provided, held)
        let end = Change.session(.end(try session(held), .revoked))
        let refused = try await answer(provided, writing.app, held, holding: [end], request)
        #expect(refused.code == "session_revoked", "\(writing.route): \(refused.status) \(refused.text)")
        provided.apps.server.clock.advance(seconds: 61)
      }
    }
  }

  /// Routes for callers that write nothing, or nothing that depends on the session, and why.
  static let others = [
    "GET /v1/me": "reads", "GET /v1/me/sessions": "reads", "GET /v1/users/{id}": "reads", "GET /v1/users": "reads",
    "GET /v1/me/factors": "reads",
    "POST /v1/me/links/{provider}/token": "a refresh that began is kept, or the provider's rotated token is lost",
  ]

  @Test("T129 no route for callers is missing from the table")
  func complete() {
    let callers = Routes.all.filter { $0.auth != .anonymous }.map { "\($0.method.rawValue) \($0.path)" }
    #expect(Set(callers) == Set(Self.writings.map(\.route)).union(Self.others.keys))
  }

  @Test("T130 a password change in flight while another one commits is judged again, and refused")
  func passwordBesidePassword() async throws {
    try await ProvidedApps.run { provided in
      let user = try await signUp(provided, .ride, "pat")
      let writing = try #require(Self.writings.first { $0.route == "POST /v1/me/password" })
      let request = try await send(writing, provided, user)
      let id = UserID(try #require(UUID(uuidString: user.userID)))
      // The owner's password, and the session that is in flight stays.
      let (services, tenant) = (provided.apps.server.services, try await provided.apps.operatorCall(.ride).tenant.id)
      let owners = try await services.passwords.hash("The owner's 1", in: services.passwords.permit(for: tenant))
      let refused = try await answer(
        provided, .ride, user, holding: [.user(.setPassword(id, phc: owners))], request)
      #expect(refused.code == "invalid_credentials", "\(refused.text)")
    }
  }

  /// Requests that would hash a password of another cost anew.
  static let upgrading = [
    Writing("POST /v1/reauthenticate", body: "{\(password)}"), Writing("POST /v1/sign-in", body: App.ride.signIn()),
  ]

  @Test(
    "T013 a new hash of the old password, in flight while another password commits, does not replace it",
    arguments: upgrading)
  func upgradeBesidePassword(writing: Writing) async throws {
    try await ProvidedApps.run { provided in
      let user = try await signUp(provided, .ride, "pat")
      let id = UserID(try #require(UUID(uuidString: user.userID)))
      let (services, tenant) = (provided.apps.server.services, try await provided.apps.operatorCall(.ride).tenant.id)
      let store = services.store.open(tenant)
      let dearer = HashPool(limits: HashPool.Limits(threads: 1), cost: PasswordCost(memory: 64, passes: 2)) { 0 }
      let old = try await dearer.hash(
        try Password(App.password), in: dearer.permit(for: tenant.uuid, deadline: .max))
      try await store.commit([
        .user(.upgradePassword(id, old: try #require(try await store.passwordHash(of: id)), phc: old))
      ])
      let owners = try await services.passwords.hash("The owner's 1", in: services.passwords.permit(for: tenant))
      let request = try await send(writing, provided, user)
      let refused = try await answer(
        provided, .ride, user, holding: [.user(.setPassword(id, phc: owners))], request)
      #expect(refused.code == "invalid_credentials", "\(refused.text)")
      #expect(try await store.passwordHash(of: id) == owners)
    }
  }

  @Test("T130 a profile change in flight is not disturbed by another password or an identity")
  func profileBesidePassword() async throws {
    try await ProvidedApps.run { provided in
      let user = try await signUp(provided, .ride, "pat")
      let writing = try #require(Self.writings.first { $0.route == "PATCH /v1/me" })
      let request = try await send(writing, provided, user)
      let id = UserID(try #require(UUID(uuidString: user.userID)))
      let answer = try await answer(provided, .ride, user, holding: [.user(.setPassword(id, phc: "x"))], request)
      #expect(answer.status == 200, "\(answer.text)")
    }
  }

  @Test("T130 an administrator who loses the role in flight changes no account")
  func role() async throws {
    try await ProvidedApps.run { provided in
      let user = try await signUp(provided, .ride, "pat")
      let writing = try #require(Self.writings.first { $0.route == "PATCH /v1/users/{id}" })
      let request = try await send(writing, provided, user)
      let id = UserID(try #require(UUID(uuidString: user.userID)))
      let refused = try await answer(
        provided, .ride, user, holding: [.user(.updateProfile(id, ["role": .string("member")], unique: []))],
        request)
      #expect(refused.code == "forbidden", "\(refused.text)")
    }
  }

  @Test("T130 a sign-in by a provider does not pass the identity that goes")
  func providerBesideUnlink() async throws {
    try await ProvidedApps.run { provided in
      let up = try await provided.google(.vibes, more: #","profile":{"username":"pat"}"#)
      try #require(up.status == 200, "\(up.text)")
      let id = UserID(try #require(UUID(uuidString: up.json.userID)))
      let token = try provided.providers.token("g1")
      let client = provided.apps.vibes
      let refused = try await answer(
        provided, .vibes, up.json,
        holding: [.user(.setDisabled(id, true)), .provider(.unlink(id, .provider("google")))]
      ) { try await client.post("/v1/sign-in/google", #"{"id_token":"\#(token)","nonce":"n-1"}"#) }
      #expect(refused.status != 200, "\(refused.text)")
    }
  }
}
