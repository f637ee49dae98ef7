import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Sign-up, all or nothing")
struct AllOrNothingTests {
  @Test(
    "T122 credential and profile come into being together or not at all, whichever write fails; the next request is as ever",
    arguments: App.allCases)
  func whicheverWriteFails(app: App) async throws {
    try await ThreeApps.run { apps in
      var tables = ["account", "credential", "session", "refresh_token", "one_time_code", "outbox"]
      if app == .vibes { tables.append("unique_value") }
      for table in tables {
        // No row fits any more: what a full disk, a lost column or a bug would do to this one write.
        try await apps.server.storage.runAsSuperuser(
          script: "ALTER TABLE gatehouse.\(table) ADD CONSTRAINT broken CHECK (false) NOT VALID")
        let broken = try await apps.signUp(app)
        #expect(broken.status == 500 && broken.code == "internal", "\(table)")
        // T119: the person learns nothing of tables and constraints.
        #expect(broken.json.names == ["type", "title", "status", "code", "request_id"], "\(table)")
        #expect(!broken.text.contains(table) && !broken.text.contains("broken"))
        try await apps.server.storage.runAsSuperuser(
          script: "ALTER TABLE gatehouse.\(table) DROP CONSTRAINT broken")
        apps.server.clock.advance(seconds: 60)  // a failed sign-in per round must not be taken for guessing
        #expect(try await apps.signIn(app).code == "invalid_credentials", "an orphan login is left after \(table)")
        #expect(try await apps.server.mailCount(to: app.email()) == 0, "\(table)")
      }
      // Nothing blocks the address or the username.
      let up = try await apps.signUp(app)
      #expect(up.status == 201)
      #expect(try await apps.me(app, up.json.accessToken).json["user"]?["profile"] == up.json["user"]?["profile"])
    }
  }

  @Test("a profile that the policy refuses leaves no login", arguments: App.allCases)
  func refusedProfile(app: App) async throws {
    try await ThreeApps.share { apps in
      let profiles =
        switch app {
        case .messai:
          [#"{}"#, #"{"displayName":" A "}"#, #"{"displayName":"Al","photoURL":"http://example.com/a.jpg"}"#]
        case .ride:
          [#"{"name":"W"}"#, #"{"name":"W","phoneNumber":"555-0123"}"#, #"{"name":"","phoneNumber":"7855550123"}"#]
        case .vibes: [#"{}"#, #"{"username":"al"}"#, #"{"username":"admin"}"#]
        }
      for profile in profiles {
        let refused = try await apps.client(app).post(
          "/v1/sign-up", #"{"email":"\#(app.email())","password":"\#(App.password)","profile":\#(profile)}"#)
        #expect(refused.status == 422 && !refused.rules.isEmpty, "\(profile)")
        #expect(try await apps.signIn(app).code == "invalid_credentials", "\(profile)")
      }
      #expect(try await apps.signUp(app).status == 201)
    }
  }

  @Test("of eight people who want one address at the same moment, one gets it, whole", arguments: App.allCases)
  func sameMoment(app: App) async throws {
    try await ThreeApps.share { apps in
      let client = apps.client(app)
      let answers = try await withThrowingTaskGroup(of: (Int, TestClient.Answer).self) { group in
        for index in 0..<8 {
          let body =
            #"{"email":"\#(app.email())","password":"Kq7!vmTz\#(index)","profile":\#(app.profile("pat\(index)"))}"#
          group.addTask { (index, try await client.post("/v1/sign-up", body)) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      let winners = answers.filter { $0.1.status == 201 }
      #expect(winners.count == 1)
      #expect(answers.filter { $0.1.code == "account_exists" }.count == 7)
      let (index, answer) = try #require(winners.first)
      #expect(try await apps.signIn(app, password: "Kq7!vmTz\(index)").json.userID == answer.json.userID)
      #expect(try await apps.signIn(app, password: "Kq7!vmTz\((index + 1) % 8)").code == "invalid_credentials")
    }
  }
}
