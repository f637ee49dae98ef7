import GatehouseAdminWire
import Foundation
import GatehouseAssembly
import GatehouseIdentity
import GatehouseOutbound
import GatehousePolicy
import GatehousePrimitives
import GatehouseServer
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

/// One action of a user, and the audit row that must tell of it.
struct VocabularyStep: Sendable {
  let name: String
  let event: AuditEvent
  /// The route it goes through, as `POST /v1/sign-in`; nil for a verb of the operator.
  let route: String?
  /// Whether a user is known by then.
  let names: Bool
  let run: @Sendable (VocabularyScene) async throws -> Void

  init(
    _ event: AuditEvent, _ name: String, _ route: String?, names: Bool = true,
    _ run: @escaping @Sendable (VocabularyScene) async throws -> Void
  ) {
    self.event = event
    self.name = name
    self.route = route
    self.names = names
    self.run = run
  }
}

/// Where the steps happen: DD Ride and a person in it.
final class VocabularyScene: Sendable {
  let apps: ThreeApps
  private let state = LockBox<[String: String]>([:])

  init(_ apps: ThreeApps) { self.apps = apps }

  subscript(_ key: String) -> String {
    get { state.withLock { $0[key] ?? "" } }
    set { state.withLock { $0[key] = newValue } }
  }

  @discardableResult
  func send(_ method: String, _ path: String, _ body: String? = nil, token: String? = nil, _ status: Int) async throws
    -> JSONValue
  {
    let answer = try await apps.ride.send(
      method, path, body, token: token, headers: ["X-Request-Id": "vocabulary-request"])
    #expect(answer.status == status, "\(method) \(path): \(answer.text)")
    return answer.json
  }

  func link(to address: String) async throws -> String {
    let mail = try #require(try await apps.server.latestMail(to: address))
    return try #require(mail.link?.split(separator: "=").last.map(String.init))
  }
}

extension VocabularyStep {
  private static let pat = #""email":"pat@ksu.edu","password":"\#(App.password)""#

  /// In the order of a life.
  static let life: [VocabularyStep] = [
    VocabularyStep(.signUpRefused, "sign-up that the policy refuses", "POST /v1/sign-up", names: false) { scene in
      try await scene.send("POST", "/v1/sign-up", #"{"email":"a@gmail.com","password":"x","profile":{}}"#, 422)
    },
    VocabularyStep(.userCreated, "sign-up", "POST /v1/sign-up") { scene in
      let up = try await scene.send("POST", "/v1/sign-up", App.ride.signUp(), 201)
      scene["first"] = up.accessToken
    },
    VocabularyStep(.verificationSent, "verification mail again", "POST /v1/email-verification") { scene in
      scene.apps.server.clock.advance(seconds: 120)
      try await scene.send("POST", "/v1/email-verification", "{}", token: scene["first"], 202)
    },
    VocabularyStep(.codeRefused, "a code that is wrong", "POST /v1/email-verification/confirm") { scene in
      try await scene.send(
        "POST", "/v1/email-verification/confirm", #"{"email":"pat@ksu.edu","code":"000000"}"#,
        token: scene["first"], 400)
    },
    VocabularyStep(.emailVerified, "verification", "POST /v1/email-verification/confirm") { scene in
      let token = try await scene.link(to: "pat@ksu.edu")
      try await scene.send(
        "POST", "/v1/email-verification/confirm", #"{"token":"\#(token)"}"#, token: scene["first"], 200)
    },
    VocabularyStep(.signInFailed, "wrong password", "POST /v1/sign-in") { scene in
      try await scene.send("POST", "/v1/sign-in", App.ride.signIn(password: "Wrong1234"), 401)
    },
    VocabularyStep(.signInSucceeded, "sign-in", "POST /v1/sign-in") { scene in
      let answer = try await scene.send("POST", "/v1/sign-in", "{\(pat)}", 200)
      (scene["access"], scene["refresh"]) = (answer.accessToken, answer.refreshToken)
    },
    VocabularyStep(.sessionCreated, "the session of a sign-in", "POST /v1/sign-in") { scene in
      let answer = try await scene.send("POST", "/v1/sign-in", "{\(pat)}", 200)
      (scene["second"], scene["session"]) = (answer.accessToken, answer["session"]?["id"]?.string ?? "")
    },
    VocabularyStep(.tokenRefused, "another tenant's token", "GET /v1/me", names: false) { scene in
      let foreign = try await scene.apps.signUp(.messai).json.accessToken
      try await scene.send("GET", "/v1/me", token: foreign, 401)
    },
    VocabularyStep(.tokenRefused, "a refresh token of no session", "POST /v1/token", names: false) { scene in
      try await scene.send("POST", "/v1/token", #"{"refresh_token":"gh_rt_nobody"}"#, 401)
    },
    VocabularyStep(.tokenReused, "a spent refresh token", "POST /v1/token") { scene in
      try await scene.send("POST", "/v1/token", #"{"refresh_token":"\#(scene["refresh"])"}"#, 200)
      scene.apps.server.clock.advance(seconds: 60)
      try await scene.send("POST", "/v1/token", #"{"refresh_token":"\#(scene["refresh"])"}"#, 401)
    },
    VocabularyStep(.sessionUsedAfterEnd, "an ended session", "GET /v1/me") { scene in
      try await scene.send("GET", "/v1/me", token: scene["access"], 401)
    },
    VocabularyStep(.reauthenticated, "reauthentication", "POST /v1/reauthenticate") { scene in
      let answer = try await scene.send(
        "POST", "/v1/reauthenticate", #"{"password":"\#(App.password)"}"#, token: scene["first"], 200)
      scene["first"] = answer.accessToken
    },
    VocabularyStep(.signInFailed, "wrong reauthentication", "POST /v1/reauthenticate") { scene in
      try await scene.send("POST", "/v1/reauthenticate", #"{"password":"Wrong1234"}"#, token: scene["first"], 401)
    },
    VocabularyStep(.userUpdated, "profile", "PATCH /v1/me") { scene in
      try await scene.send("PATCH", "/v1/me", #"{"profile":{"name":"Pat Q"}}"#, token: scene["first"], 200)
    },
    VocabularyStep(.userExported, "data export", "GET /v1/me/export") { scene in
      try await scene.send("GET", "/v1/me/export", token: scene["first"], 200)
    },
    VocabularyStep(.forbidden, "what only administrators may", "GET /v1/users") { scene in
      try await scene.send("GET", "/v1/users", token: scene["first"], 403)
    },
    VocabularyStep(.forbidden, "another's record", "PATCH /v1/users/{id}") { scene in
      try await scene.send(
        "PATCH", "/v1/users/\(UUID().text)", #"{"profile":{"role":"admin"}}"#, token: scene["first"],
        403)
    },
    VocabularyStep(.sessionEnded, "one of one's sessions", "DELETE /v1/me/sessions/{id}") { scene in
      try await scene.send("DELETE", "/v1/me/sessions/\(scene["session"])", token: scene["first"], 204)
    },
    VocabularyStep(.emailChangeRequested, "a new address", "POST /v1/me/email") { scene in
      try await scene.send(
        "POST", "/v1/me/email", #"{"email":"pat2@ksu.edu","password":"\#(App.password)"}"#, token: scene["first"], 202)
    },
    VocabularyStep(.emailChanged, "a new address, confirmed", "POST /v1/email-change/confirm") { scene in
      let token = try await scene.link(to: "pat2@ksu.edu")
      try await scene.send("POST", "/v1/email-change/confirm", #"{"token":"\#(token)"}"#, token: scene["first"], 200)
    },
    VocabularyStep(.emailChangeUndone, "a new address, undone", "POST /v1/email-change/undo") { scene in
      let token = try await scene.link(to: "pat@ksu.edu")
      try await scene.send("POST", "/v1/email-change/undo", #"{"token":"\#(token)"}"#, 204)
    },
    VocabularyStep(.passwordResetRequested, "password reset", "POST /v1/password-reset") { scene in
      try await scene.send("POST", "/v1/password-reset", #"{"email":"pat@ksu.edu"}"#, 202)
    },
    VocabularyStep(.passwordReset, "password reset, confirmed", "POST /v1/password-reset/confirm") { scene in
      let token = try await scene.link(to: "pat@ksu.edu")
      try await scene.send(
        "POST", "/v1/password-reset/confirm", #"{"token":"\#(token)","password":"\#(App.password)"}"#, 204)
    },
    VocabularyStep(.passwordChanged, "password change", "POST /v1/me/password") { scene in
      let answer = try await scene.send("POST", "/v1/sign-in", "{\(pat)}", 200)
      scene["access"] = answer.accessToken
      try await scene.send(
        "POST", "/v1/me/password", #"{"current_password":"\#(App.password)","password":"\#(App.otherPassword)"}"#,
        token: answer.accessToken, 200)
      try await scene.send(
        "POST", "/v1/me/password", #"{"current_password":"\#(App.otherPassword)","password":"\#(App.password)"}"#,
        token: answer.accessToken, 200)
    },
    VocabularyStep(.privilegeChanged, "an administrator is made", nil) { scene in
      try await Operator.set(.ride, "pat", ["role": .string("admin")], scene.apps)
    },
    VocabularyStep(.userUpdated, "another's record, by an administrator", "PATCH /v1/users/{id}") { scene in
      let other = try await scene.apps.signUp(.ride, "other").json.userID
      try await scene.send(
        "PATCH", "/v1/users/\(other)", #"{"profile":{"classYear":3}}"#, token: scene["access"], 200)
    },
    VocabularyStep(.sessionEnded, "sign-out", "POST /v1/sign-out") { scene in
      try await scene.send("POST", "/v1/sign-out", #"{"scope":"all"}"#, token: scene["access"], 204)
    },
    VocabularyStep(.signInBlocked, "too many failures", "POST /v1/sign-in") { scene in
      for _ in 0..<5 { try await scene.send("POST", "/v1/sign-in", App.ride.signIn(password: "Wrong1234"), 401) }
      try await scene.send("POST", "/v1/sign-in", "{\(pat)}", 429)
    },
    VocabularyStep(.limitExceeded, "a limit", "POST /v1/sign-in", names: false) { scene in
      for _ in 0..<12 {
        _ = try await scene.apps.ride.send(
          "POST", "/v1/sign-in", App.ride.signIn("nobody"), headers: ["X-Request-Id": "vocabulary-request"])
      }
      try await scene.send("POST", "/v1/sign-in", App.ride.signIn("nobody"), 429)
    },
    VocabularyStep(.userDisabled, "user disable", nil) { scene in
      try await Operator.disable(.ride, "pat", scene.apps)
    },
    VocabularyStep(.userEnabled, "user enable", nil) { scene in
      try await Operator.disable(.ride, "pat", scene.apps, disabled: false)
    },
    VocabularyStep(.userExported, "user export", nil) { scene in
      _ = try await ExportUser.run(.init(tenant: "dd-ride", user: "pat@ksu.edu"), scene.apps.asOperator)
    },
    VocabularyStep(.userUnlocked, "user unlock", nil) { scene in
      _ = try await UnlockUser.run(.init(tenant: "dd-ride", user: "pat@ksu.edu"), scene.apps.asOperator)
    },
    VocabularyStep(.mailRetried, "mail retry", nil, names: false) { scene in
      _ = try await RetryWaitingMails.run(.init(tenant: "dd-ride"), scene.apps.asOperator)
    },
    VocabularyStep(.mailDropped, "mail drop", nil, names: false) { scene in
      _ = try await DropWaitingMails.run(.init(tenant: "dd-ride", kind: "test"), scene.apps.asOperator)
    },
    VocabularyStep(.limitsCleared, "limit clear", nil) { scene in
      _ = try await ClearLimits.run(.init(tenant: "dd-ride", user: "pat@ksu.edu"), scene.apps.asOperator)
    },
    VocabularyStep(.pushTokensRead, "push list", nil, names: false) { scene in
      _ = try await ListPushTokens.run(
        .init(tenant: "dd-ride", users: [scene.apps.server.clock.clock.makeID().uuidString.lowercased()]),
        scene.apps.asOperator)
    },
    VocabularyStep(.pushTokenRemoved, "push remove", nil, names: false) { scene in
      let noUser = scene.apps.server.clock.clock.makeID().uuidString.lowercased()
      _ = try await RemovePushToken.run(
        .init(tenant: "dd-ride", user: noUser, token: "rejected"), scene.apps.asOperator)
    },
    VocabularyStep(.sessionExpired, "a session runs out", nil) { scene in
      scene.apps.server.clock.advance(seconds: 20 * 60)
      let answer = try await scene.send("POST", "/v1/sign-in", "{\(pat)}", 200)
      scene["access"] = answer.accessToken
      scene.apps.server.clock.advance(seconds: 400 * 86_400)
      _ = try await scene.apps.server.round(of: .expireSessions)
    },
    VocabularyStep(.userDeleted, "deletion", "DELETE /v1/me") { scene in
      let answer = try await scene.send("POST", "/v1/sign-in", "{\(pat)}", 200)
      try await scene.send("DELETE", "/v1/me", "{}", token: answer.accessToken, 204)
    },
  ]
}
