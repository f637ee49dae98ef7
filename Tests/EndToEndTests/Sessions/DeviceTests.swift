import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

extension JSONValue {
  /// What the session answer gives a device to keep.
  fileprivate var deviceID: String { self["device"]?["id"]?.string ?? "" }
}

extension ThreeApps {
  /// A sign-in on a device.
  fileprivate func signIn(_ app: App, device: String?, _ local: String = "pat", language: String = "en") async throws
    -> TestClient.Answer
  {
    let device = device.map { #","device":{"id":"\#($0)","name":"Pat's Pixel"}"# } ?? ""
    let body = #"{"email":"\#(app.email(local))","password":"\#(App.password)"\#(device)}"#
    return try await client(app).send("POST", "/v1/sign-in", body, headers: ["Accept-Language": language])
  }

  /// How many notices of new devices a user has received.
  fileprivate func notices(_ app: App, _ before: Int) async throws -> Int {
    try await server.mailCount(to: app.email()) - before
  }
}

@Suite("Devices")
struct DeviceTests {
  @Test(
    "T044 a sign-in on a device not seen before is told by mail; sign-up and known devices are not",
    arguments: App.allCases)
  func notice(app: App) async throws {
    try await ThreeApps.run { apps in
      let up = try await apps.signUp(app).json
      #expect(up.deviceID.hasPrefix("gh_dv_"))
      let before = try await apps.server.mailCount(to: app.email())
      let home = try await apps.signIn(app, device: up.deviceID).json
      #expect(home.deviceID == up.deviceID)
      #expect(try await apps.notices(app, before) == 0)
      apps.server.clock.advance(seconds: 1)
      let away = try await apps.signIn(app, device: nil).json
      #expect(away.deviceID.hasPrefix("gh_dv_") && away.deviceID != up.deviceID)
      #expect(try await apps.notices(app, before) == 1)
      let mail = try #require(try await apps.server.latestMail(to: app.email()))
      #expect(mail.subject == "New sign-in to your \(app.name) account" && mail.code == nil)
      #expect(mail.text.contains("UTC") && !mail.text.contains(away.deviceID))
      // From now on both are known, wherever they are.
      for device in [up.deviceID, away.deviceID] { _ = try await apps.signIn(app, device: device) }
      #expect(try await apps.notices(app, before) == 1)
      // Refreshing and proving again are no sign-ins on a device.
      let fresh = try await apps.refresh(app, away.refreshToken).json
      #expect(fresh["device"] == nil)
      #expect(try await apps.notices(app, before) == 1)
    }
  }

  @Test(
    "the notice names the device as its app does, or by its User-Agent, in the reader's language, and carries no link of a stranger's"
  )
  func words() async throws {
    try await ThreeApps.run(policy: { app, text in
      app == .messai ? PolicyText.withoutTests(text).replacing("locales: [en]", with: "locales: [en, es]") : text
    }) { apps in
      _ = try await apps.signUp(.messai)
      try await Operator.verify(.messai, "pat", apps)
      func notice(_ device: String, _ headers: [String: String]) async throws -> StoredMail {
        apps.server.clock.advance(seconds: 10)
        let body = #"{"email":"\#(App.messai.email())","password":"\#(App.password)"\#(device)}"#
        #expect(try await apps.messai.send("POST", "/v1/sign-in", body, headers: headers).status == 200)
        return try #require(try await apps.server.latestMail(to: App.messai.email()))
      }
      let firefox = ["User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0"]
      let named = try await notice(#","device":{"name":"Pat's Pixel"}"#, firefox)
      #expect(named.text.contains("Device: Pat's Pixel"))
      let derived = try await notice("", firefox.merging(["Accept-Language": "es"]) { $1 })
      #expect(derived.text.contains("Firefox on Linux") && derived.subject.hasPrefix("Nuevo inicio de sesión"))
      let evil = try await notice(#","device":{"name":"go to evil.example now"}"#, [:])
      #expect(!evil.text.contains("evil.example") && evil.subject.hasPrefix("New sign-in"))
      let items = try await apps.messai.get(
        "/v1/me/sessions", token: try await apps.signIn(.messai, device: nil).json.accessToken
      ).json["items"]?.array
      let names = (items ?? []).map { $0["device"]?["name"]?.string }
      #expect(names.contains("Pat's Pixel") && names.contains("Firefox on Linux"))
    }
  }

  /// Names that a device gives itself, and those that are stored.
  private static let names: [(given: String, stored: String)] = [
    (String(repeating: "x", count: 101), String(repeating: "x", count: 100)),
    (String(repeating: "x", count: 99) + "e\u{301}", String(repeating: "x", count: 99)),
    (#"Pat\u202e's\n  iPhone\u0007"#, "Pat's iPhone"), (#" \u200b\t"#, "curl"), ("", "curl"), ("iPad", "iPad"),
  ]

  @Test("T026 a device's own name refuses no sign-in: it is one line, cut to 100 code points", arguments: names.indices)
  func oddName(index: Int) async throws {
    let (given, stored) = Self.names[index]
    try await ThreeApps.share { apps in
      _ = try await apps.signUp(.messai)
      let answer = try await apps.messai.send(
        "POST", "/v1/sign-in",
        #"{"email":"\#(App.messai.email())","password":"\#(App.password)","device":{"name":"\#(given)"}}"#,
        headers: ["User-Agent": "curl/8"])
      #expect(answer.status == 200, "\(answer.seen)")
      let sessions = try await apps.messai.send("GET", "/v1/me/sessions", token: answer.json.accessToken).json
      let names = sessions["items"]?.array?.compactMap { $0["device"]?["name"]?.string } ?? []
      #expect(names.contains(stored), "\(names)")
    }
  }

  @Test("an id of another account, an invented one or a changed one is no known device, and is not taken over")
  func planted() async throws {
    try await ThreeApps.run { apps in
      let mallory = try await apps.signUp(.messai, "mallory").json.deviceID
      let pat = try await apps.signUp(.messai).json.deviceID
      try await Operator.verify(.messai, "pat", apps)
      let before = try await apps.server.mailCount(to: App.messai.email())
      let made = "gh_dv_" + String(repeating: "A", count: 43)
      var expected = 0
      for device in [mallory, made, String(pat.dropLast()), pat + "A", pat.uppercased()] {
        apps.server.clock.advance(seconds: 86_401)
        for _ in 0..<2 {
          let answer = try await apps.signIn(.messai, device: device)
          #expect(answer.status == 200 && answer.json.deviceID != device)
          expected += 1
        }
        #expect(try await apps.notices(.messai, before) == expected, "\(device)")
      }
    }
  }

  @Test("a policy may do without the notice, and a device that is not given back is told of five times a day")
  func limits() async throws {
    try await ThreeApps.run(policy: { app, text in
      app == .vibes
        ? PolicyText.withoutTests(text).replacing(
          "max_per_user: 20}", with: "max_per_user: 20, new_device_notice: false}")
        : text
    }) { apps in
      for app in [App.vibes, .messai] {
        _ = try await apps.signUp(app)
        try await Operator.verify(app, "pat", apps)
        let before = try await apps.server.mailCount(to: app.email())
        for _ in 0..<8 {
          apps.server.clock.advance(seconds: 200)
          #expect(try await apps.signIn(app, device: nil).status == 200)
        }
        #expect(try await apps.notices(app, before) == (app == .vibes ? 0 : 5))
      }
    }
  }

  @Test(
    "signing out keeps a device known; ending it from elsewhere, a new password or signing out the others forgets it")
  func forgotten() async throws {
    try await ThreeApps.run { apps in
      var phone = try await apps.signUp(.messai).json
      try await Operator.verify(.messai, "pat", apps)
      let before = try await apps.server.mailCount(to: App.messai.email())
      var told = 0
      /// Signs in on the phone again and says whether that was a surprise.
      func isSurprise() async throws -> Bool {
        apps.server.clock.advance(seconds: 400)
        phone = try await apps.signIn(.messai, device: phone.deviceID).json
        let now = try await apps.notices(.messai, before)
        defer { told = now }
        return now > told
      }
      _ = try await apps.messai.post("/v1/sign-out", token: phone.accessToken)
      var surprise = try await isSurprise()
      #expect(!surprise)
      let tablet = try await apps.signIn(.messai, device: nil).json
      told += 1
      let phoneSession = try #require(phone["session"]?["id"]?.string)
      _ = try await apps.messai.send("DELETE", "/v1/me/sessions/\(phoneSession)", token: tablet.accessToken)
      surprise = try await isSurprise()
      #expect(surprise)
      let fresh = try await apps.refresh(.messai, tablet.refreshToken).json
      _ = try await apps.messai.post("/v1/sign-out", #"{"scope":"others"}"#, token: fresh.accessToken)
      surprise = try await isSurprise()
      #expect(surprise)
      let change = #"{"current_password":"\#(App.password)","password":"\#(App.password)"}"#
      _ = try await apps.messai.post("/v1/me/password", change, token: phone.accessToken)
      told += 1  // the notice of that
      surprise = try await isSurprise()
      #expect(!surprise)
      let again = try await apps.refresh(.messai, fresh.refreshToken)
      #expect(again.code == "session_revoked")
      let back = try await apps.signIn(.messai, device: tablet.deviceID).json
      #expect(back.deviceID != tablet.deviceID)
    }
  }

  @Test("T134 the owner of a hidden sign-up is told of the first device, and of each new one")
  func first() async throws {
    try await ThreeApps.run(policy: { app, text in
      app == .messai
        ? PolicyText.withoutTests(text).replacing("account_exists: reveal", with: "account_exists: hide") : text
    }) { apps in
      #expect(try await apps.signUp(.messai).status == 202)
      let link = try #require(try await apps.server.latestMail(to: App.messai.email())?.link)
      let token = try #require(link.split(separator: "=").last)
      let confirm = #"{"token":"\#(token)","password":"\#(App.password)"}"#
      #expect(try await apps.messai.post("/v1/email-verification/confirm", confirm).status == 200)
      let before = try await apps.server.mailCount(to: App.messai.email())
      #expect(try await apps.signIn(.messai, device: nil).status == 200)
      #expect(try await apps.notices(.messai, before) == 1)
      #expect(try await apps.signIn(.messai, device: nil).status == 200)
      #expect(try await apps.notices(.messai, before) == 2)
    }
  }

  @Test("only a digest of a device's id is stored")
  func stored() async throws {
    try await ThreeApps.run { apps in
      let device = try await apps.signUp(.messai).json.deviceID
      let all = try await apps.server.storage.connect(user: Embedded.superuser)
      let rows = try await all.read(nil, "SELECT token_hash, to_jsonb(d)::text FROM gatehouse.device AS d")
      await all.stop()
      #expect(rows.count == 1)
      let (hash, text): ([UInt8], String) = (try rows[0][0], try rows[0][1])
      #expect(hash == SHA256.digest(device) && !text.contains(device.dropFirst(6)))
    }
  }
}

@Suite("How long sessions last")
struct SessionTimeTests {
  @Test(
    "T046 each sign-in is a new session, and a fresh proof keeps it but not the refresh token that came along",
    arguments: App.allCases)
  func newSession(app: App) async throws {
    try await ThreeApps.run { apps in
      let up = try await apps.signUp(app).json
      let one = try await apps.signIn(app, device: up.deviceID).json
      let two = try await apps.signIn(app, device: up.deviceID).json
      let sessions = [up, one, two].map { $0["session"]?["id"]?.string ?? "" }
      #expect(Set(sessions).count == 3)
      #expect(Set([up, one, two].map(\.refreshToken)).count == 3)
      // What a client names as its session or account is refused as an unknown name.
      let planted = #"{"email":"\#(app.email())","password":"\#(App.password)","session":{"id":"\#(sessions[0])"}}"#
      #expect(try await apps.client(app).post("/v1/sign-in", planted).status == 400)
      let proven = try await apps.client(app).post(
        "/v1/reauthenticate", #"{"password":"\#(App.password)","refresh_token":"\#(two.refreshToken)"}"#,
        token: two.accessToken)
      #expect(proven.json["session"]?["id"]?.string == sessions[2] && proven.json.refreshToken != two.refreshToken)
      #expect(try await apps.refresh(app, proven.json.refreshToken).status == 200)
      apps.server.clock.advance(seconds: 31)
      #expect(try await apps.refresh(app, two.refreshToken).code == "session_revoked")
    }
  }

  @Test("T048 a session ends when it idles and when it is old, to the second, whatever the client believes")
  func ends() async throws {
    try await ThreeApps.run(policy: { app, text in
      app == .messai
        ? PolicyText.withoutTests(text).replacing(
          "refresh_idle_ttl: 90d, refresh_max_ttl: 365d", with: "refresh_idle_ttl: 1h, refresh_max_ttl: 150m") : text
    }) { apps in
      let idle = try await apps.signUp(.messai).json
      apps.server.clock.advance(seconds: 3599)
      let kept = try await apps.refresh(.messai, idle.refreshToken)
      #expect(kept.status == 200)
      apps.server.clock.advance(seconds: 3600)
      #expect(try await apps.refresh(.messai, kept.json.refreshToken).code == "refresh_token_invalid")
      let busy = try await apps.signIn(.messai, device: nil).json
      var token = busy.refreshToken
      for _ in 0..<3 {
        apps.server.clock.advance(seconds: 2990)
        token = try await apps.refresh(.messai, token).json.refreshToken
      }
      let last = try await apps.refresh(.messai, token)
      #expect(last.status == 200)
      apps.server.clock.advance(seconds: 30)
      #expect(try await apps.refresh(.messai, last.json.refreshToken).code == "refresh_token_invalid")
      // Its last access token is good for a while by itself, and not for this server.
      #expect(try await apps.me(.messai, last.json.accessToken).code == "session_revoked")
    }
  }

  @Test("T048 T057 a policy that shortens the times shortens the sessions that run")
  func shortened() async throws {
    try await ThreeApps.run { apps in
      let text = PolicyText.withoutTests(try TestLists.policy("messai"))
      let up = try await apps.signUp(.messai).json
      apps.server.clock.advance(seconds: 7200)
      let fresh = try await apps.refresh(.messai, up.refreshToken).json
      apps.server.clock.advance(seconds: 600)
      let short = text.replacing(
        "refresh_idle_ttl: 90d, refresh_max_ttl: 365d", with: "refresh_idle_ttl: 1h, refresh_max_ttl: 3h")
      #expect(try await apps.server.apply(short, to: "messai") == .applied(revision: 2))
      #expect(try await apps.hears(of: 2, .messai))
      let items = try await apps.messai.get("/v1/me/sessions", token: fresh.accessToken).json["items"]?.array
      #expect(items?.count == 1)
      apps.server.clock.advance(seconds: 3000)
      #expect(try await apps.refresh(.messai, fresh.refreshToken).code == "refresh_token_invalid")
      // The oldest age counts from the sign-in.
      let other = try await apps.signIn(.messai, device: up.deviceID).json
      #expect(try await apps.refresh(.messai, other.refreshToken).status == 200)
    }
  }

  @Test("T057 a refresh speaks of the account and the policy of now", arguments: App.allCases)
  func reevaluated(app: App) async throws {
    try await ThreeApps.share { apps in
      let up = try await apps.signUp(app).json
      let code = try #require(try await apps.server.latestMail(to: app.email())?.code)
      let confirm = #"{"email":"\#(app.email())","code":"\#(code)"}"#
      #expect(
        try await apps.client(app).post("/v1/email-verification/confirm", confirm, token: up.accessToken).status == 200)
      let fresh = try await apps.refresh(app, up.refreshToken).json
      let claims = try Token.claims(of: fresh.accessToken)
      #expect(claims["email_verified"] == .bool(true))
      #expect(fresh.next == app.standing.verified)
      try await Operator.disable(app, "pat", apps)
      #expect(try await apps.refresh(app, fresh.refreshToken).status != 200)
    }
  }

  @Test("T058 a refresh token is nothing in another app", arguments: App.allCases)
  func foreign(app: App) async throws {
    try await ThreeApps.share { apps in
      let token = try await apps.signUp(app).json.refreshToken
      for other in App.allCases where other != app {
        #expect(try await apps.refresh(other, token).code == "refresh_token_invalid")
      }
      let wider = #"{"refresh_token":"\#(token)","scope":"admin","audience":"other"}"#
      #expect(try await apps.client(app).post("/v1/token", wider).status == 400)
      #expect(try await apps.refresh(app, token).status == 200)
    }
  }

  @Test("T052 T059 a new password ends the other sessions, and needs the old one however recent the sign-in is")
  func passwordChange() async throws {
    try await ThreeApps.run { apps in
      let one = try await apps.signUp(.messai).json
      let two = try await apps.signIn(.messai, device: nil).json
      let bare = try await apps.messai.post(
        "/v1/me/password", #"{"password":"\#(App.otherPassword)"}"#, token: two.accessToken)
      #expect(bare.status == 400)
      let change = #"{"current_password":"\#(App.password)","password":"\#(App.otherPassword)"}"#
      #expect(try await apps.messai.post("/v1/me/password", change, token: two.accessToken).status == 200)
      #expect(try await apps.refresh(.messai, one.refreshToken).code == "session_revoked")
      #expect(try await apps.refresh(.messai, two.refreshToken).status == 200)
      // T059: five minutes after the proof a new address needs another one.
      apps.server.clock.advance(seconds: 299)
      let token = try await apps.signIn(.messai, password: App.otherPassword).json.accessToken
      apps.server.clock.advance(seconds: 300)
      let late = try await apps.messai.post("/v1/me/email", #"{"email":"n@example.com"}"#, token: token)
      #expect(late.code == "reauthentication_required")
    }
  }
}
