import Foundation
import GatehouseOutbound
import GatehousePolicy
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("A mailed link or code proves an address, and no account")
struct ConfirmationTests {
  private func link(_ apps: ThreeApps, _ app: App = .ride) async throws -> String {
    let mail = try await apps.server.latestMail(to: app.email())
    return try #require(mail?.link?.split(separator: "=").last.map(String.init))
  }

  private func confirm(_ apps: ThreeApps, _ members: String, _ app: App = .ride, token: String? = nil) async throws
    -> TestClient.Answer
  {
    try await apps.client(app).post("/v1/email-verification/confirm", "{\(members)}", token: token)
  }

  // MARK: An account that exists

  @Test("T132 one click on the mail of a stranger's sign-up verifies nothing, and spends nothing")
  func click() async throws {
    try await ThreeApps.share { apps in
      let stranger = try await apps.signUp(.ride).json
      let mailed = #""token":"\#(try await link(apps))""#
      let refused = try await confirm(apps, mailed)
      #expect(refused.status == 403 && refused.code == "reauthentication_required", "\(refused.text)")
      #expect(try await apps.me(.ride, stranger.accessToken).json["access"] == .string("limited"))
      #expect(try await confirm(apps, mailed, token: stranger.accessToken).status == 200)
    }
  }

  @Test("T132 another person's session is not a proof; the account's password is")
  func proofs() async throws {
    try await ThreeApps.share { apps in
      _ = try await apps.signUp(.ride)
      let other = try await apps.signUp(.ride, "kim").json.accessToken
      let mailed = #""token":"\#(try await link(apps))""#
      #expect(try await confirm(apps, mailed, token: other).code == "reauthentication_required")
      let wrong = try await confirm(apps, mailed + #","password":"\#(App.otherPassword)""#)
      #expect(wrong.code == "invalid_credentials")
      #expect(try await confirm(apps, mailed + #","password":"\#(App.password)""#).status == 200)
    }
  }

  @Test("T132 a policy may be content with a click")
  func relaxed() async throws {
    try await ThreeApps.run(policy: { _, text in
      text.replacing("email: {method: link_and_code,", with: "email: {method: link_and_code, confirm: click,")
    }) { apps in
      let up = try await apps.signUp(.ride).json
      #expect(try await confirm(apps, #""token":"\#(try await link(apps))""#).status == 200)
      #expect(try await apps.me(.ride, up.accessToken).json["access"] == .string("full"))
    }
  }

  @Test("T132 the page asks for the password in the same form, and says when it is not the right one")
  func page() async throws {
    try await ThreeApps.share { apps in
      let up = try await apps.signUp(.ride).json
      let page = try await LinkPage(opening: try await apps.server.latestMail(to: App.ride.email())?.link)
      #expect(page.page.text.contains(#"autocomplete="current-password""#))
      let empty = try await page.press()
      #expect(empty.status == 422 && empty.text.contains("Type the password."))
      let wrong = try await page.confirm(App.otherPassword)
      #expect(wrong.status == 422 && wrong.text.contains("not the right password"))
      #expect(try await page.confirm().status == 200)
      #expect(try await apps.me(.ride, up.accessToken).json["access"] == .string("full"))
    }
  }

  // MARK: A sign-up that waits (account_exists: hide)

  private func hiding(_ body: (ThreeApps) async throws -> Void) async throws {
    try await ThreeApps.run(policy: { PolicyText.hiding(PolicyText.withoutTests($1)) }, body)
  }

  private func code(_ apps: ThreeApps) async throws -> String {
    try #require(try await apps.server.latestMail(to: App.ride.email())?.code)
  }

  @Test("T131 two sign-ups of one address wait side by side, and each is completed by its own id and digits alone")
  func sideBySide() async throws {
    try await hiding { apps in
      let stranger = try await apps.signUp(.ride, password: App.otherPassword)
      let strangers = try await code(apps)
      apps.server.clock.advance(seconds: 61)
      let owner = try await apps.signUp(.ride)
      let owners = try await code(apps)
      func complete(_ id: String, _ digits: String) async throws -> TestClient.Answer {
        try await confirm(apps, #""sign_up_id":"\#(id)","email":"pat@ksu.edu","code":"\#(digits)""#)
      }
      if strangers != owners {
        #expect(try await complete(stranger.signUpID, owners).code == "code_invalid")
        #expect(try await complete(owner.signUpID, strangers).code == "code_invalid")
      }
      #expect(try await complete(owner.signUpID, owners).status == 200)
      #expect(try await apps.signIn(.ride, password: App.otherPassword).code == "invalid_credentials")
      #expect(try await apps.signIn(.ride).status == 200)
      #expect(try await complete(stranger.signUpID, strangers).status == 400)
    }
  }

  @Test("T131 digits without the id of their sign-up complete nothing")
  func withoutID() async throws {
    try await hiding { apps in
      _ = try await apps.signUp(.ride)
      let refused = try await confirm(apps, #""email":"pat@ksu.edu","code":"\#(try await code(apps))""#)
      #expect(refused.code == "reauthentication_required")
    }
  }

  @Test("T131 tries at the digits are counted for each sign-up")
  func tries() async throws {
    try await hiding { apps in
      let stranger = try await apps.signUp(.ride, password: App.otherPassword)
      apps.server.clock.advance(seconds: 61)
      let owner = try await apps.signUp(.ride)
      let right = try await code(apps)
      let wrong = right == "111111" ? "222222" : "111111"
      for _ in 0..<40 {
        _ = try await confirm(
          apps, #""sign_up_id":"\#(stranger.signUpID)","email":"pat@ksu.edu","code":"\#(wrong)""#)
      }
      let done = try await confirm(
        apps, #""sign_up_id":"\#(owner.signUpID)","email":"pat@ksu.edu","code":"\#(right)""#)
      #expect(done.status == 200, "\(done.text)")
    }
  }

  @Test("T131 of the sign-ups at one address the newest three live")
  func most() async throws {
    try await hiding { apps in
      var mailed: [(id: String, code: String)] = []
      for _ in 0..<4 {
        mailed.append((try await apps.signUp(.ride).signUpID, try await code(apps)))
        apps.server.clock.advance(seconds: 61)
      }
      func complete(_ place: Int) async throws -> TestClient.Answer {
        let (id, digits) = mailed[place]
        return try await confirm(apps, #""sign_up_id":"\#(id)","email":"pat@ksu.edu","code":"\#(digits)""#)
      }
      #expect(try await complete(0).code == "code_invalid")
      #expect(try await complete(1).status == 200)
    }
  }

  @Test("T131 a sign-up within the cooldown is answered alike and mails nothing; one from elsewhere has its own mail")
  func cooldown() async throws {
    try await hiding { apps in
      let first = try await apps.signUp(.ride, password: App.otherPassword)
      let second = try await apps.signUp(.ride, password: App.otherPassword)
      #expect(first.unnamed == second.unnamed && first.signUpID != second.signUpID)
      #expect(try await apps.server.mailCount(to: App.ride.email()) == 1)
      let url = apps.server.url + "/t/dd-ride/v1/sign-up"
      #expect(try Elsewhere.post(url, App.ride.signUp()) == 202)
      #expect(try await apps.server.mailCount(to: App.ride.email()) == 2)
    }
  }

  @Test("T131 the link alone makes nothing; it takes that sign-up's password, or another one")
  func byLink() async throws {
    for (member, password) in [("password", App.otherPassword), ("new_password", App.password)] {
      try await hiding { apps in
        _ = try await apps.signUp(.ride, password: App.otherPassword)
        let mailed = #""token":"\#(try await link(apps))""#
        #expect(try await confirm(apps, mailed).code == "reauthentication_required")
        let wrong = #"\#(mailed),"\#(member)":"Wro""#
        #expect(try await confirm(apps, wrong).status == (member == "password" ? 401 : 422))
        #expect(try await apps.signIn(.ride, password: App.otherPassword).code == "invalid_credentials")
        #expect(try await confirm(apps, #"\#(mailed),"\#(member)":"\#(password)""#).status == 200)
        #expect(try await apps.signIn(.ride, password: password).status == 200)
      }
    }
  }

  @Test("T131 the link's page shows what was typed, and lets its reader choose another password")
  func signUpPage() async throws {
    try await hiding { apps in
      let body =
        #"{"email":"pat@ksu.edu","password":"\#(App.otherPassword)","profile":{"name":"Stranger <b>","phoneNumber":"785-555-0123"}}"#
      #expect(try await apps.ride.post("/v1/sign-up", body).status == 202)
      let page = try await LinkPage(opening: try await apps.server.latestMail(to: App.ride.email())?.link)
      #expect(page.page.text.contains("Stranger &lt;b&gt;") && page.page.text.contains("(785) 555-0123"))
      let typed = "Kq7%21vmTz9"
      #expect(try await page.press("&do=other&new_password=short").status == 422)
      #expect(try await page.press("&do=other&new_password=\(typed)").status == 200)
      #expect(try await apps.signIn(.ride).status == 200)
      #expect(try await apps.signIn(.ride, password: App.otherPassword).code == "invalid_credentials")
    }
  }

  @Test("T131 an invalid id, and two ways of consent at once, are malformed")
  func malformed() async throws {
    try await hiding { apps in
      for members in [
        #""sign_up_id":"x","email":"pat@ksu.edu","code":"123456""#,
        #""token":"gh_ev_x","password":"a","new_password":"b""#,
      ] {
        let refused = try await confirm(apps, members)
        #expect(refused.code == "malformed_request")
      }
    }
  }
}
