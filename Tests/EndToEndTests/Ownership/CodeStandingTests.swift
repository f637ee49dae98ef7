import Foundation
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// A door that takes mailed digits: what a stranger sends there who has no standing, and what the owner sends.
struct DigitsDoor: Sendable, CustomTestStringConvertible {
  struct Mailed: Sendable {
    var path: String
    /// The request without its code, and the code.
    var members: String
    var code: String
    /// The owner's access token, where they have one.
    var token: String?
    var done: Int
    /// What a stranger adds or replaces.
    var strangers: String?
    var strangersToken: String?
    var refusal: (status: Int, code: String)

    func body(_ code: String, isOwner: Bool) -> String {
      #"{\#(isOwner ? members : strangers ?? members),"code":"\#(code)"}"#
    }
  }

  let testDescription: String
  var isHiding = false
  let mailed: @Sendable (ThreeApps) async throws -> Mailed

  static func code(_ apps: ThreeApps, _ local: String = "pat") async throws -> String {
    try #require(try await apps.server.latestMail(to: App.ride.email(local))?.code)
  }

  static let all: [DigitsDoor] = [
    DigitsDoor(testDescription: "verification, without session or password") { apps in
      let token = try await apps.signUp(.ride).json.accessToken
      return Mailed(
        path: "/v1/email-verification/confirm", members: #""email":"pat@ksu.edu""#, code: try await code(apps),
        token: token, done: 200, refusal: (403, "reauthentication_required"))
    },
    DigitsDoor(testDescription: "verification, in another person's session") { apps in
      let token = try await apps.signUp(.ride).json.accessToken
      let mailed = try await code(apps)
      return Mailed(
        path: "/v1/email-verification/confirm", members: #""email":"pat@ksu.edu""#, code: mailed, token: token,
        done: 200, strangersToken: try await apps.signUp(.ride, "kim").json.accessToken,
        refusal: (403, "reauthentication_required"))
    },
    DigitsDoor(testDescription: "verification, by the owner's password") { apps in
      _ = try await apps.signUp(.ride)
      return Mailed(
        path: "/v1/email-verification/confirm", members: #""email":"pat@ksu.edu","password":"\#(App.password)""#,
        code: try await code(apps), done: 200, strangers: #""email":"pat@ksu.edu""#,
        refusal: (403, "reauthentication_required"))
    },
    DigitsDoor(testDescription: "change of address, without a session") { apps in try await change(apps) },
    DigitsDoor(testDescription: "change of address, in another session of the account") { apps in
      var mailed = try await change(apps)
      mailed.strangersToken = try await apps.signIn(.ride).json.accessToken
      return mailed
    },
    DigitsDoor(testDescription: "reset, with the id of a stranger's own request") { apps in
      let strangers = try await reset(apps)
      var mailed = try await reset(apps)
      mailed.strangers = strangers.members
      return mailed
    },
    DigitsDoor(testDescription: "reset, with an id that was told to no client") { apps in
      var mailed = try await reset(apps)
      mailed.strangers = #""reset_id":"\#(UUID().text)","email":"pat@ksu.edu","password":"\#(App.otherPassword)""#
      return mailed
    },
    DigitsDoor(testDescription: "reset, without an id") { apps in
      var mailed = try await reset(apps)
      mailed.strangers = #""email":"pat@ksu.edu","password":"\#(App.otherPassword)""#
      mailed.refusal = (400, "malformed_request")
      return mailed
    },
    DigitsDoor(testDescription: "sign-up that waits, with the id of a stranger's own", isHiding: true) { apps in
      let strangers = try await apps.signUp(.ride, password: App.otherPassword).signUpID
      apps.server.clock.advance(seconds: 61)
      let owners = try await apps.signUp(.ride).signUpID
      return Mailed(
        path: "/v1/email-verification/confirm", members: #""sign_up_id":"\#(owners)","email":"pat@ksu.edu""#,
        code: try await code(apps), done: 200, strangers: #""sign_up_id":"\#(strangers)","email":"pat@ksu.edu""#,
        refusal: (400, "code_invalid"))
    },
    DigitsDoor(testDescription: "sign-up that waits, without an id", isHiding: true) { apps in
      let owners = try await apps.signUp(.ride).signUpID
      return Mailed(
        path: "/v1/email-verification/confirm", members: #""sign_up_id":"\#(owners)","email":"pat@ksu.edu""#,
        code: try await code(apps), done: 200, strangers: #""email":"pat@ksu.edu""#,
        refusal: (403, "reauthentication_required"))
    },
  ]

  private static func change(_ apps: ThreeApps) async throws -> Mailed {
    let token = try await apps.signUp(.ride).json.accessToken
    let asked = try await apps.ride.post(
      "/v1/me/email", #"{"email":"moved@ksu.edu","password":"\#(App.password)"}"#, token: token)
    #expect(asked.status == 202, "\(asked.text)")
    return Mailed(
      path: "/v1/email-change/confirm", members: #""email":"moved@ksu.edu""#, code: try await code(apps, "moved"),
      token: token, done: 200, refusal: (403, "reauthentication_required"))
  }

  private static func reset(_ apps: ThreeApps) async throws -> Mailed {
    if try await apps.signIn(.ride).status != 200 { _ = try await apps.signUp(.ride) }
    apps.server.clock.advance(seconds: 61)
    let id = try await apps.ride.post("/v1/password-reset", #"{"email":"pat@ksu.edu"}"#).resetID
    return Mailed(
      path: "/v1/password-reset/confirm",
      members: #""reset_id":"\#(id)","email":"pat@ksu.edu","password":"\#(App.otherPassword)""#,
      code: try await code(apps), done: 204, refusal: (400, "code_invalid"))
  }
}

@Suite("Who may try mailed digits")
struct CodeStandingTests {
  private static func run(_ door: DigitsDoor, _ body: (ThreeApps, DigitsDoor.Mailed) async throws -> Void) async throws
  {
    try await ThreeApps.run(policy: { _, text in
      door.isHiding ? PolicyText.hiding(PolicyText.withoutTests(text)) : text
    }) { apps in
      try await body(apps, try await door.mailed(apps))
    }
  }

  private static func wrong(_ mailed: DigitsDoor.Mailed) -> String { mailed.code == "111111" ? "222222" : "111111" }

  @Test(
    "T184 six requests without standing, right digits and wrong ones, from here and elsewhere, use up no owner's try",
    arguments: DigitsDoor.all)
  func owner(door: DigitsDoor) async throws {
    try await Self.run(door) { apps, mailed in
      for number in 0..<6 {
        let body = mailed.body(number.isMultiple(of: 2) ? mailed.code : Self.wrong(mailed), isOwner: false)
        _ = try await apps.ride.post(mailed.path, body, token: mailed.strangersToken)
        _ = try Elsewhere.post(apps.server.url + "/t/dd-ride" + mailed.path, body, from: "127.0.0.\(number + 2)")
      }
      let done = try await apps.ride.post(
        mailed.path, mailed.body(mailed.code, isOwner: true), token: mailed.token)
      #expect(done.status == mailed.done, "\(done.text)")
    }
  }

  @Test("T184 without standing right digits and wrong ones get one answer", arguments: DigitsDoor.all)
  func oracle(door: DigitsDoor) async throws {
    try await Self.run(door) { apps, mailed in
      var answers: [TestClient.Answer] = []
      for code in [mailed.code, Self.wrong(mailed)] {
        answers.append(
          try await apps.ride.post(mailed.path, mailed.body(code, isOwner: false), token: mailed.strangersToken))
      }
      #expect(answers[0].seen == answers[1].seen)
      let (status, code) = mailed.refusal
      #expect(answers[0].status == status && answers[0].code == code, "\(answers[0].text)")
    }
  }

  @Test("T184 the owner has five tries, and a right code behind them is none", arguments: DigitsDoor.all)
  func tries(door: DigitsDoor) async throws {
    try await Self.run(door) { apps, mailed in
      var codes: [String?] = []
      for code in Array(repeating: Self.wrong(mailed), count: 5) + [mailed.code] {
        codes.append(try await apps.ride.post(mailed.path, mailed.body(code, isOwner: true), token: mailed.token).code)
      }
      #expect(codes == Array(repeating: "code_invalid", count: 6))
    }
  }

  @Test("T184 a wrong password at a door of digits counts as a failed sign-in, for an unknown address as well")
  func password() async throws {
    try await ThreeApps.run { apps in
      _ = try await apps.signUp(.ride)
      for path in ["/v1/email-verification/confirm", "/v1/email-change/confirm"] {
        for email in ["pat@ksu.edu", "nobody@ksu.edu"] {
          let body = #"{"email":"\#(email)","code":"123456","password":"\#(App.otherPassword)"}"#
          #expect(try await apps.ride.post(path, body).code == "invalid_credentials", "\(path) \(email)")
        }
      }
      for _ in 0..<3 { _ = try await apps.signIn(.ride, password: App.otherPassword) }
      #expect(try await apps.signIn(.ride).code == "too_many_attempts")
    }
  }

  @Test("T186 where the policy takes the mail alone, strangers' tries leave the owner's session its own")
  func click() async throws {
    try await ThreeApps.run(policy: { _, text in
      text.replacing("email: {method: link_and_code,", with: "email: {method: link_and_code, confirm: click,")
    }) { apps in
      let token = try await apps.signUp(.ride).json.accessToken
      let right = try await DigitsDoor.code(apps)
      let wrong = right == "111111" ? "222222" : "111111"
      var codes: [String?] = []
      for code in Array(repeating: wrong, count: 5) + [right] {
        codes.append(
          try await apps.ride.post(
            "/v1/email-verification/confirm", #"{"email":"pat@ksu.edu","code":"\#(code)"}"#
          ).code)
      }
      #expect(codes == Array(repeating: "code_invalid", count: 5) + ["rate_limited"])
      let owner = try await apps.ride.post(
        "/v1/email-verification/confirm", #"{"email":"pat@ksu.edu","code":"\#(right)"}"#, token: token)
      #expect(owner.status == 200, "\(owner.text)")
    }
  }

  @Test("T186 where the policy takes the mail alone, its digits prove the address without a session")
  func clickAlone() async throws {
    try await ThreeApps.run(policy: { _, text in
      text.replacing("email: {method: link_and_code,", with: "email: {method: link_and_code, confirm: click,")
    }) { apps in
      _ = try await apps.signUp(.ride)
      let body = #"{"email":"pat@ksu.edu","code":"\#(try await DigitsDoor.code(apps))"}"#
      #expect(try await apps.ride.post("/v1/email-verification/confirm", body).status == 200)
    }
  }
}
