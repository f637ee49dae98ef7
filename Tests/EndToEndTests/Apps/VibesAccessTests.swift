import Foundation
import GatehouseOutbound
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("vibes: authenticated, but not fully before Spotify is linked")
struct VibesAccessTests {
  private let app = App.vibes

  @Test("limited with the step to take, in every answer and in the token, verified or not")
  func limited() async throws {
    try await ThreeApps.runWithMail { apps in
      let up = try await apps.signUp(app).json
      #expect(up["access"] == .string("limited") && up.next == ["link:spotify"])
      #expect(up["user"]?["links"] == .array([]))
      let code = try #require(try await apps.mail(to: app.email()).code)
      let body = #"{"email":"\#(app.email())","code":"\#(code)"}"#
      #expect(try await apps.vibes.post("/v1/email-verification/confirm", body, token: up.accessToken).status == 200)
      let answers = [
        try await apps.signIn(app).json, try await apps.refresh(app, up.refreshToken).json,
        try await apps.me(app, up.accessToken).json,
      ]
      for answer in answers {
        #expect(answer["access"] == .string("limited") && answer.next == ["link:spotify"])
        guard answer["access_token"] != nil else { continue }
        #expect(try Token.claims(of: answer.accessToken)["access"] == .string("limited"))
      }
      let other = try await apps.vibes.get("/v1/users/\(up.userID)", token: up.accessToken)
      #expect(other.status == 403 && other.code == "access_limited" && other.json.next == ["link:spotify"])
    }
  }

  @Test("while Spotify is down its step can be waived: people get in with their next token, and are told")
  func waived() async throws {
    try await ThreeApps.run { apps in
      let up = try await apps.signUp(app).json
      let text = PolicyText.withoutTests(try TestLists.policy("vibes"))
      let open = text.replacing(
        #"requires: ["profile:username", "linked:spotify"]"#,
        with: #"requires: ["profile:username", {need: "linked:spotify", enforce: warn}]"#)
      #expect(open != text)
      _ = try await apps.server.apply(open, to: "vibes", allowsWeaker: true)
      try await apps.reload()
      let me = try await apps.me(app, up.accessToken).json
      #expect(me["access"] == .string("full") && me.next.isEmpty)
      let next = try await apps.refresh(app, up.refreshToken).json
      #expect(next["access"] == .string("full") && next["policy"]?["revision"] == .integer(2))
      #expect(try await apps.vibes.get("/v1/users/\(up.userID)", token: next.accessToken).status == 200)
      // And back, which takes access from people, so that an operator has to mean it: the token in hand is judged anew.
      await #expect(throws: OperatorError.self) { try await apps.server.apply(text, to: "vibes") }
      _ = try await apps.server.apply(text, to: "vibes", allowsLockout: true)
      try await apps.reload()
      #expect(try await apps.me(app, next.accessToken).json["access"] == .string("limited"))
      #expect(try await apps.vibes.get("/v1/users/\(up.userID)", token: next.accessToken).code == "access_limited")
    }
  }

  @Test("today's one rule of the password is Firebase's; eight are asked for with a warning")
  func password() async throws {
    try await ThreeApps.share { apps in
      #expect(try await apps.signUp(app, password: "abc12").rules == ["password.min6"])
      let up = try await apps.signUp(app, password: "abc1234")
      #expect(up.status == 201 && up.json.warnings == ["password.min8"])
      #expect(try await apps.signIn(app, password: "abc1234").json.warnings == ["password.min8"])
    }
  }
}
