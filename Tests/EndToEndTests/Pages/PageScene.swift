import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import GatehouseServer

/// An app that opens the hosted pages, and takes its user back.
enum Opening {
  static let state = "state-of-the-app"
  static let verifier = String(repeating: "v", count: 43)
  static let challenge = Base64URL.encode(SHA256.digest(verifier))

  /// The address at which an app opens the pages, below `/ui/`.
  static func page(_ target: String, _ more: [String: String] = [:]) -> String {
    let query = [
      "continue": target, "state": state, "code_challenge": challenge, "code_challenge_method": "S256",
    ].merging(more) { $1 }
    return "sign-in?" + FormClient.encoded(query)
  }
}

extension App {
  /// Where pages lead back to: the app itself, by its scheme.
  var scheme: String { self == .ride ? "ddride://signed-in" : "\(rawValue)://signed-in" }
  /// The same as a web address, where a test's policy lists it.
  var web: String { "https://app.\(rawValue).example/back" }

  /// What its sign-up page asks for.
  func typed(_ local: String = "pat", password: String = password) -> [String: String] {
    let profile: [String: String] =
      switch self {
      case .messai: ["profile.displayName": local]
      case .ride: ["profile.name": local, "profile.phoneNumber": "785-555-0123"]
      case .vibes: ["profile.username": local]
      }
    return profile.merging(["email": email(local), "password": password, "again": password]) { $1 }
  }

  /// Its policy with the web address listed, and without the file's own tests.
  func withWeb(_ text: String) -> String {
    PolicyText.withoutTests(text).replacing("continue: [\(scheme)]", with: "continue: [\(scheme), \"\(web)\"]")
  }
}

/// One screen, and how a browser comes to see it.
struct PageScene: Sendable {
  /// Its row of the table, without `{…}` filled in.
  let row: String
  /// The stable name of its pictures.
  let name: String
  let app: App
  /// Brings a client to the page.
  let reach: @Sendable (FormClient) async throws -> FormClient.Page
  /// What a person does then until the screen is there.
  var then: [Browser.Step] = []
  /// Whether its title says that something is wrong.
  var isTrouble = false

  /// A scene for each row of the table, and for each other face of a row.
  static var all: [PageScene] { own + links + accountRows + accountFaces + factorFaces }

  private static let own: [PageScene] = [
    PageScene(row: "sign-in", name: "sign-in", app: .messai) { try await $0.open(Opening.page(App.messai.scheme)) },
    PageScene(row: "sign-in", name: "sign-in-provider", app: .vibes) {
      try await $0.open(Opening.page(App.vibes.scheme))
    },
    PageScene(
      row: "sign-in", name: "sign-in-refused", app: .messai, reach: { try await $0.open("sign-in") },
      then: [
        .type("pat@example.com", into: Pick.field("email")), .type("wrong", into: Pick.field("password")),
        .press(Pick.main),
      ], isTrouble: true),
    PageScene(row: "sign-in", name: "sign-in-again", app: .messai) {
      _ = try await $0.signUp(.messai, "again")
      return try await $0.open(Opening.page(App.messai.scheme))
    },
    PageScene(row: "second-step", name: "second-step", app: .messai) { try await $0.secondStep("second") },
    PageScene(row: "sign-up", name: "sign-up", app: .ride) { try await $0.open("sign-up") },
    PageScene(
      row: "sign-up", name: "sign-up-refused", app: .ride, reach: { try await $0.open("sign-up") },
      then: [.type("pat@example.com", into: Pick.field("email")), .press(Pick.main)], isTrouble: true),
    PageScene(row: "sign-up", name: "sign-up-spanish", app: .ride) { try await $0.open("sign-up?lang=es") },
    PageScene(
      row: "sign-up", name: "sign-up-weak", app: .ride, reach: { try await $0.open("sign-up") },
      then: [
        .type("pat@ksu.edu", into: Pick.field("email")), .type("x", into: Pick.field("password")),
        .press(Pick.main),
      ], isTrouble: true),
    PageScene(row: "check-mail", name: "check-mail", app: .ride) { try await $0.signUp(.ride, "mail") },
    PageScene(row: "forgot", name: "forgot", app: .messai) { try await $0.open("forgot") },
    PageScene(row: "reset", name: "reset", app: .messai) { try await $0.forget("reset") },
    PageScene(row: "reset", name: "reset-password", app: .messai) {
      _ = try await $0.join(.messai, "forgetful")
      return try await $0.send($0.forget("forgetful"), ["code": $0.code(to: App.messai.email("forgetful"))])
    },
    PageScene(row: "complete", name: "complete", app: .vibes) { try await $0.signUp(.vibes, "bare") },
    PageScene(row: "connect/{provider}", name: "connect", app: .vibes) {
      let page = try await $0.signUp(.vibes, "listener")
      _ = try await $0.send(page, ["profile.bio": "A listener"])
      return try await $0.open("connect/spotify")
    },
    PageScene(row: "continue", name: "continue", app: .messai) { try await $0.signUp(.messai, "goer") },
    PageScene(row: "sign-out", name: "sign-out", app: .messai) {
      _ = try await $0.signUp(.messai, "leaver")
      return try await $0.open("sign-out")
    },
    PageScene(row: "advice", name: "advice", app: .messai) { browser in
      let body = App.messai.signUp("advised", password: "kt49xw")
      try await browser.post(.messai, "sign-up", body)
      return try await browser.send("sign-in", ["email": App.messai.email("advised"), "password": "kt49xw"])
    },
    PageScene(row: "signed-out", name: "signed-out", app: .messai) { try await $0.open("signed-out") },
  ]

  /// The pages behind the links of mails, each reached from a mail.
  private static let links: [PageScene] = [
    PageScene(row: "verify-email", name: "verify-email", app: .ride) { browser in
      _ = try await browser.join(.ride, "linker")
      return try await browser.openLink(to: App.ride.email("linker"))
    },
    PageScene(row: "verify-email", name: "verify-email-none", app: .ride) { try await $0.open("verify-email") },
    PageScene(row: "verify-email", name: "verify-email-done", app: .ride) { try await $0.open("verify-email?done=1") },
    PageScene(
      row: "reset-password", name: "reset-password-differ", app: .messai,
      reach: { browser in
        _ = try await browser.join(.messai, "loser")
        try await browser.post(.messai, "password-reset", #"{"email":"\#(App.messai.email("loser"))"}"#)
        return try await browser.openLink(to: App.messai.email("loser"))
      },
      then: [
        .type(App.password, into: Pick.field("password")), .type("other", into: Pick.field("again")),
        .press(Pick.main),
      ], isTrouble: true),
    PageScene(row: "confirm-email", name: "confirm-email", app: .ride) { try await $0.move("changer") },
    PageScene(row: "undo-email", name: "undo-email", app: .ride) { browser in
      let page = try await browser.move("returner")
      _ = try await browser.send(page, ["password": App.password])
      return try await browser.openLink(to: App.ride.email("returner"))
    },
  ]

  /// Shown only where the last proof of a person is old: the clock has to move after the sign-up.
  static let stale = [
    PageScene(row: "reauthenticate", name: "reauthenticate", app: .messai) { try await $0.open("reauthenticate") }
  ]

  /// The same of an account without a password, with a proven address.
  static let staleWithoutPassword = [
    PageScene(row: "reauthenticate", name: "reauthenticate-mail", app: .messai) {
      try await $0.open("reauthenticate")
    },
    PageScene(row: "reauthenticate", name: "reauthenticate-code", app: .messai) {
      try await $0.send($0.open("reauthenticate"), intent: "mail")
    },
  ]

  /// Shown only at a relying party: `PasskeyOfferBrowserTests` looks at them.
  static let ofPasskeys: Set<String> = [PagePath.passkey]

  /// Pages of the account are all reached alike.
  private static var accountRows: [PageScene] {
    PageTable.all.map { $0.path }.filter { $0.hasPrefix("account") && !$0.contains("{") }
      .map { row in
        PageScene(row: row, name: row.replacing("/", with: "-"), app: .messai) {
          _ = try await $0.signUp(.messai, "owner-" + row.replacing("/", with: "-"))
          return try await $0.open(row)
        }
      }
  }

  private static let accountFaces: [PageScene] = [
    PageScene(row: "account", name: "account-unverified", app: .messai) {
      _ = try await $0.signUp(.messai, "unproven")
      return try await $0.open("account")
    },
    PageScene(row: "account/devices", name: "account-devices-several", app: .messai) {
      _ = try await $0.signUp(.messai, "traveller")
      for device in ["Pat's phone", "The computer at the library"] { try await $0.signIn(on: device, "traveller") }
      return try await $0.open("account/devices")
    },
    PageScene(row: "account/email", name: "account-email-code", app: .messai) {
      _ = try await $0.signUp(.messai, "mover")
      return try await $0.send("account/email", ["email": "moved@example.com"])
    },
  ]

  /// The three apps such that each row has something to show.
  static func policy(_ app: App, _ text: String) -> String {
    let text = app.withWeb(text)
    if app == .messai {
      return PolicyText.limits(
        "sign_in_per_ip: 300/15m, sign_up_per_ip: 200/1h", in: PageAuthenticator.policy(text))
    }
    guard app == .vibes else { return text }
    let bio = "    bio: {type: string, max_length: 100, write: user, visible_to: users}\n"
    // With a client a browser can be sent to Google.
    let audiences = "    audiences: [REPLACE.apps.googleusercontent.com]\n"
    return text.replacing(audiences, with: "    client_id: vibes-web\n" + audiences)
      .replacing("    username:\n", with: bio + "    username:\n").replacing(
        "requires: [\"profile:username\"", with: "requires: [\"profile:bio\", \"profile:username\"")
  }
}

extension FormClient {
  /// Signs a new user up, on the way to the app; the page after it.
  func signUp(_ app: App, _ local: String = "pat", to target: String? = nil) async throws -> Page {
    let page = try await open(Opening.page(target ?? app.scheme, ["screen": "sign-up"]))
    return try await send(page, app.typed(local))
  }

  /// Another session of a messAI user, in the app on a device.
  func signIn(on device: String, _ local: String) async throws {
    let body = #"{"email":"\#(App.messai.email(local))","password":"\#(App.password)","device":{"name":"\#(device)"}}"#
    let answer = try await send(
      "POST", "/t/messai/v1/sign-in", body, headers: ["Content-Type": "application/json", "Cookie": ""])
    try #require(answer.status == 200, "\(answer.text)")
  }

  /// One POST to the API, as an app makes it.
  @discardableResult
  func post(_ app: App, _ path: String, _ body: String, token: String? = nil) async throws -> TestClient.Answer {
    var fields = ["Content-Type": "application/json", "Cookie": ""]
    if let token { fields["Authorization"] = "Bearer " + token }
    let answer = try await send("POST", "/t/\(app.rawValue)/v1/\(path)", body, headers: fields)
    try #require((200...299).contains(answer.status), "\(path): \(answer.text)")
    return answer
  }

  /// Signs a new user up in the app. The access token.
  func join(_ app: App, _ local: String) async throws -> String {
    try await post(app, "sign-up", app.signUp(local)).json.accessToken
  }

  /// A DD Ride user with a proven address asks for another one. The page that confirms it.
  func move(_ local: String) async throws -> Page {
    let token = try await join(.ride, local)
    _ = try await send(openLink(to: App.ride.email(local)), ["password": App.password])
    let body = #"{"email":"moved-\#(App.ride.email(local))","password":"\#(App.password)"}"#
    try await post(.ride, "me/email", body, token: token)
    return try await openLink(to: "moved-" + App.ride.email(local))
  }

  /// Asks for a mail with which messAI's password is set anew; the page after it.
  func forget(_ local: String) async throws -> Page {
    try await send("forgot", ["email": App.messai.email(local)])
  }
}

/// Elements of pages, by what the contract says of them.
enum Pick {
  /// The button of a page's main form.
  static let main = "main form:not(:has(input[name=do])) button[type=submit]:not([name])"

  /// The button of another form.
  static func intent(_ name: String) -> String {
    "main form:has(input[name=do][value=\"\(name)\"]) button[type=submit]:not([name])"
  }

  static func field(_ name: String) -> String { "main form [name=\"\(name)\"]" }

  /// A link of the page's own part, by a part of its address.
  static func link(_ part: String) -> String { "main a[href*=\"\(part)\"]" }
}
