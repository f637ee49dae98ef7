import Foundation
import GatehouseOutbound
import GatehousePolicy
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("A change of address belongs to the account, and the address that is left can take it back")
struct AddressChangeTests {
  /// A person at DD Ride with a proven address.
  private func rider(_ apps: ThreeApps, _ local: String = "pat") async throws -> JSONValue {
    let up = try await apps.signUp(.ride, local).json
    try await Operator.verify(.ride, local, apps)
    apps.server.clock.advance(seconds: 61)
    return up
  }

  private func ask(_ apps: ThreeApps, for local: String, _ token: String, password: String = App.password) async throws
    -> String
  {
    apps.server.clock.advance(seconds: 61)
    let body = #"{"email":"\#(App.ride.email(local))","password":"\#(password)"}"#
    let asked = try await apps.ride.post("/v1/me/email", body, token: token)
    #expect(asked.status == 202, "\(asked.text)")
    return try await link(apps, to: local)
  }

  /// The token of the newest link that was mailed to an address.
  private func link(_ apps: ThreeApps, to local: String) async throws -> String {
    let mail = try await apps.server.latestMail(to: App.ride.email(local))
    return try #require(mail?.link?.split(separator: "=").last.map(String.init))
  }

  private func confirm(_ apps: ThreeApps, _ link: String, _ token: String? = nil, password: String? = nil) async throws
    -> TestClient.Answer
  {
    let more = password.map { #","password":"\#($0)""# } ?? ""
    return try await apps.ride.post("/v1/email-change/confirm", #"{"token":"\#(link)"\#(more)}"#, token: token)
  }

  /// Moves an account to another address; the link back that the address left was mailed.
  private func move(_ apps: ThreeApps, to local: String, from former: String, _ token: String) async throws -> String {
    let mailed = try await ask(apps, for: local, token)
    #expect(try await confirm(apps, mailed, token).status == 200)
    return try await link(apps, to: former)
  }

  private func undo(_ apps: ThreeApps, _ link: String) async throws -> TestClient.Answer {
    try await apps.ride.post("/v1/email-change/undo", #"{"token":"\#(link)"}"#)
  }

  // MARK: Confirming

  @Test("T126 a reader of the mail without the account is refused, and the code is not spent")
  func mailAlone() async throws {
    try await ThreeApps.run { apps in
      let token = try await rider(apps).accessToken
      let other = try await rider(apps, "kim").accessToken
      let mailed = try await ask(apps, for: "new", token)
      for caller in [nil, other] {
        let refused = try await confirm(apps, mailed, caller)
        #expect(refused.status == 403 && refused.code == "reauthentication_required", "\(refused.text)")
      }
      #expect(try await confirm(apps, mailed, token).status == 200)
    }
  }

  @Test("T126 another session of the account does not confirm; the account's password does")
  func password() async throws {
    try await ThreeApps.run { apps in
      let token = try await rider(apps).accessToken
      let mailed = try await ask(apps, for: "new", token)
      let elsewhere = try await apps.signIn(.ride).json.accessToken
      #expect(try await confirm(apps, mailed, elsewhere).code == "reauthentication_required")
      #expect(try await confirm(apps, mailed, password: App.otherPassword).code == "invalid_credentials")
      #expect(try await confirm(apps, mailed, password: App.password).status == 200)
    }
  }

  @Test("T126 wrong passwords at a confirmation count as failed sign-ins")
  func counted() async throws {
    try await ThreeApps.run { apps in
      let mailed = try await ask(apps, for: "new", try await rider(apps).accessToken)
      for _ in 0..<5 { _ = try await confirm(apps, mailed, password: App.otherPassword) }
      #expect(try await confirm(apps, mailed, password: App.password).code == "too_many_attempts")
      #expect(try await apps.signIn(.ride).code == "too_many_attempts")
    }
  }

  @Test("T126 the session that asked confirms nothing once it has ended")
  func endedSession() async throws {
    try await ThreeApps.run { apps in
      let token = try await rider(apps).accessToken
      let mailed = try await ask(apps, for: "new", token)
      try await Operator.revoke(.ride, "pat", apps)
      #expect(try await confirm(apps, mailed, token).code == "session_revoked")
    }
  }

  @Test("T126 an account without a password is shown by a sign-in with its provider, just made")
  func provider() async throws {
    try await ProvidedApps.run(isHonest: true) { provided in
      let apps = provided.apps
      let claims: JSONObject = ["email": .string("pat@ksu.edu")]
      let profile = #","profile":{"name":"Pat","phoneNumber":"785-555-0123"}"#
      let up = try await provided.google(.ride, "g1", claims, more: profile)
      #expect(up.status == 200, "\(up.text)")
      let body = #"{"email":"new@ksu.edu"}"#
      #expect(try await apps.ride.post("/v1/me/email", body, token: up.json.accessToken).status == 202)
      let mailed = try await link(apps, to: "new")
      let again = try await provided.google(.ride, "g1", claims).json.accessToken
      apps.server.clock.advance(seconds: 301)
      #expect(try await confirm(apps, mailed, again).code == "reauthentication_required")
      let fresh = try await provided.google(.ride, "g1", claims).json.accessToken
      #expect(try await confirm(apps, mailed, fresh).status == 200)
    }
  }

  // MARK: Undoing

  @Test("T127 after the undo at the address that was left first, no later way back moves the account again")
  func undoOfUndo() async throws {
    try await ThreeApps.run { apps in
      let thief = try await rider(apps).accessToken
      let atA = try await move(apps, to: "b", from: "pat", thief)
      let atB = try await move(apps, to: "c", from: "b", thief)
      #expect(try await undo(apps, atA).status == 204)
      #expect(try await undo(apps, atB).code == "code_invalid")
      #expect(try await apps.signIn(.ride).status == 200)
    }
  }

  @Test("T127 an undo at the second address leaves the first one's way back alive")
  func both() async throws {
    try await ThreeApps.run { apps in
      let token = try await rider(apps).accessToken
      let atA = try await move(apps, to: "b", from: "pat", token)
      let atB = try await move(apps, to: "c", from: "b", token)
      #expect(try await undo(apps, atB).status == 204)
      #expect(try await undo(apps, atA).status == 204)
      #expect(try await apps.signIn(.ride).status == 200)
    }
  }

  @Test("T127 the undo wins over a reset at the new address, takes the password of since, and mails a way to another")
  func afterReset() async throws {
    try await ThreeApps.run { apps in
      let thief = try await rider(apps).accessToken
      let atA = try await move(apps, to: "b", from: "pat", thief)
      apps.server.clock.advance(seconds: 61)
      #expect(try await apps.ride.post("/v1/password-reset", #"{"email":"b@ksu.edu"}"#).status == 202)
      let reset = #"{"token":"\#(try await link(apps, to: "b"))","password":"\#(App.otherPassword)"}"#
      #expect(try await apps.ride.post("/v1/password-reset/confirm", reset).status == 204)
      apps.server.clock.advance(seconds: 1)
      #expect(try await undo(apps, atA).status == 204)
      for password in [App.password, App.otherPassword] {
        #expect(try await apps.signIn(.ride, password: password).code == "invalid_credentials")
      }
      let mailed = #"{"token":"\#(try await link(apps, to: "pat"))","password":"\#(App.password)"}"#
      #expect(try await apps.ride.post("/v1/password-reset/confirm", mailed).status == 204)
      #expect(try await apps.signIn(.ride).status == 200)
    }
  }

  @Test("T127 the password and the device from before the change stay")
  func before() async throws {
    try await ThreeApps.run { apps in
      let up = try await rider(apps)
      let atA = try await move(apps, to: "b", from: "pat", up.accessToken)
      apps.server.clock.advance(seconds: 1)
      let body = #"{"email":"b@ksu.edu","password":"\#(App.password)"}"#
      let late = try await apps.ride.post("/v1/sign-in", body).json
      #expect(try await undo(apps, atA).status == 204)
      #expect(try await apps.me(.ride, up.accessToken).code == "session_revoked")
      let count = try await apps.server.mailCount(to: "pat@ksu.edu")
      for (session, notices) in [(up, 0), (late, 1)] {
        let device = session["device"]?["id"]?.string ?? ""
        let back = #"{"email":"pat@ksu.edu","password":"\#(App.password)","device":{"id":"\#(device)"}}"#
        #expect(try await apps.ride.post("/v1/sign-in", back).status == 200)
        #expect(try await apps.server.mailCount(to: "pat@ksu.edu") == count + notices)
      }
    }
  }

  @Test("T127 the address that an undo leaves is told")
  func told() async throws {
    try await ThreeApps.run { apps in
      let token = try await rider(apps).accessToken
      let atA = try await move(apps, to: "b", from: "pat", token)
      apps.server.clock.advance(seconds: 1)
      _ = try await undo(apps, atA)
      let mail = try await apps.server.latestMail(to: "b@ksu.edu")
      #expect(mail?.subject == "The address of your DD Ride account was changed back")
    }
  }

  // MARK: The address that is left

  @Test("T128 no sign-up and no change takes an address that an account left and may come back to")
  func reserved() async throws {
    try await ThreeApps.run { apps in
      let thief = try await rider(apps).accessToken
      let other = try await rider(apps, "kim").accessToken
      let atA = try await move(apps, to: "b", from: "pat", thief)
      #expect(try await apps.signUp(.ride).code == "account_exists")
      let body = #"{"email":"pat@ksu.edu","password":"\#(App.password)"}"#
      #expect(try await apps.ride.post("/v1/me/email", body, token: other).code == "account_exists")
      #expect(try await undo(apps, atA).status == 204)
    }
  }

  @Test("T128 the account itself may go back, and the address is free once the way back has ended")
  func freed() async throws {
    try await ThreeApps.run { apps in
      let token = try await rider(apps).accessToken
      _ = try await move(apps, to: "b", from: "pat", token)
      _ = try await move(apps, to: "pat", from: "b", token)
      #expect(try await apps.signUp(.ride, "b").code == "account_exists")
      apps.server.clock.advance(seconds: 86_400)
      #expect(try await apps.signUp(.ride, "b").status == 201)
    }
  }

  @Test("T128 an address that was never proven is not reserved")
  func unproven() async throws {
    try await ThreeApps.run { apps in
      let token = try await apps.signUp(.ride).json.accessToken
      let mailed = try await ask(apps, for: "b", token)
      #expect(try await confirm(apps, mailed, token).status == 200)
      let notice = try #require(try await apps.server.latestMail(to: "pat@ksu.edu"))
      #expect(notice.subject.contains("is changing") && notice.link?.hasSuffix("/ui/forgot") == true)
      #expect(try await apps.signUp(.ride).status == 201)
    }
  }

  @Test("T128 where the tenant hides accounts, a reserved address answers as a free one, and its reader is told")
  func hidden() async throws {
    try await ThreeApps.run(policy: { PolicyText.hiding(PolicyText.withoutTests($1)) }) { apps in
      let up = try await apps.signUp(.ride)
      let code = try #require(try await apps.server.latestMail(to: "pat@ksu.edu")?.code)
      let done = #"{"sign_up_id":"\#(up.signUpID)","email":"pat@ksu.edu","code":"\#(code)"}"#
      #expect(try await apps.ride.post("/v1/email-verification/confirm", done).status == 200)
      apps.server.clock.advance(seconds: 61)
      let token = try await apps.signIn(.ride).json.accessToken
      let atA = try await move(apps, to: "b", from: "pat", token)
      apps.server.clock.advance(seconds: 61)
      let taken = try await apps.signUp(.ride)
      let free = try await apps.signUp(.ride, "free")
      #expect(taken.status == 202 && taken.unnamed == free.unnamed)
      #expect(try await apps.server.latestMail(to: "pat@ksu.edu")?.subject == "You already have a DD Ride account")
      #expect(try await undo(apps, atA).status == 204)
    }
  }

  @Test("T128 the owner of the address who arrives by a provider takes the change back")
  func ownerByProvider() async throws {
    try await ProvidedApps.run { provided in
      let apps = provided.apps
      let up = try await rider(apps)
      _ = try await move(apps, to: "b", from: "pat", up.accessToken)
      let owner = try await provided.google(.ride, "g1", ["email": .string("pat@ksu.edu")])
      #expect(owner.status == 200 && owner.json.userID == up.userID, "\(owner.text)")
      #expect(owner.json["user"]?["email"] == .string("pat@ksu.edu"))
      #expect(try await apps.me(.ride, up.accessToken).code == "session_revoked")
    }
  }

  @Test("T128 a provider that did not prove the address is answered as at a taken one, and takes nothing back")
  func strangerByProvider() async throws {
    try await ProvidedApps.run { provided in
      let up = try await rider(provided.apps)
      _ = try await move(provided.apps, to: "b", from: "pat", up.accessToken)
      let claims: JSONObject = ["email": .string("pat@ksu.edu"), "email_verified": .bool(false)]
      #expect(try await provided.google(.ride, "g1", claims).code == "account_exists")
      #expect(try await provided.apps.me(.ride, up.accessToken).json["user"]?["email"] == .string("b@ksu.edu"))
    }
  }
}
