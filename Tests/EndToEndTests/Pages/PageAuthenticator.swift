import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// An authenticator app that took its seed from a page.
struct PageAuthenticator: Sendable {
  let seed: Secret<[UInt8]>

  /// With the key that a page shows for typing.
  init(_ html: String) throws {
    let shown = try #require(html.firstMatch(of: /<code class="key" dir="ltr">([A-Z2-7 ]+)<\/code>/), "\(html)")
    seed = Secret(try #require(Base32.decode(String(shown.output.1.replacing(" ", with: "")))))
  }

  func code(at moment: Date) -> String { TOTP.code(seed: seed, step: TOTP.step(at: moment)) }

  /// Six digits that are the code of no step near this one.
  func wrong(at moment: Date) -> String {
    let near = (-1...1).map { TOTP.code(seed: seed, step: TOTP.step(at: moment) + Int64($0)) }
    return ["000000", "111111", "222222", "333333"].first { !near.contains($0) } ?? ""
  }

  /// A policy with second factors.
  static func policy(_ text: String) -> String {
    PolicyText.withoutTests(text) + "\nmfa: {factors: [totp], remember_device: 30d}\n"
  }

  /// Three apps, of which messAI has second factors.
  static func run(
    _ more: (App, String) -> String = { $1 }, _ body: (ThreeApps) async throws -> Void
  ) async throws {
    try await ThreeApps.run(policy: { more($0, $0 == .messai ? policy($1) : $1) }, body)
  }

  /// The recovery codes that a page shows.
  static func codes(_ html: String) -> [String] {
    html.matches(of: /<li><code>([0-9A-Z-]+)<\/code><\/li>/).map { String($0.output.1) }
  }
}

extension PageBrowser {
  /// Adds an authenticator app to the account that is signed in. The page with the recovery codes is shown then.
  func enrol(_ apps: ThreeApps, named name: String = "") async throws -> PageAuthenticator {
    if location != "account/factors" { try await open("account/factors") }
    try await send("account/factors", ["factor_name": name], intent: "start")
    let app = try PageAuthenticator(text)
    try await send("account/factors", ["code": app.code(at: apps.server.clock.now)], intent: "confirm")
    return app
  }
}

extension FormClient {
  /// Adds an authenticator app to the account that is signed in; the app, and the page with the recovery codes.
  func enrol() async throws -> (app: PageAuthenticator, page: Page) {
    let adding = try await send(open("account/factors"), intent: "start")
    let app = try PageAuthenticator(adding.text)
    return (app, try await send(adding, ["code": app.code(at: now())], intent: "confirm"))
  }

  /// A new messAI user with an authenticator app comes again, on the way to the app; the page that asks for its code.
  func secondStep(_ local: String) async throws -> Page {
    _ = try await signUp(.messai, local)
    _ = try await enrol()
    forget()
    let page = try await open(Opening.page(App.messai.scheme))
    return try await send(page, ["email": App.messai.email(local), "password": App.password])
  }
}

extension PageScene {
  /// Shown only where the proof of a person with an authenticator app is old.
  static let staleWithFactor = [
    PageScene(row: "reauthenticate", name: "reauthenticate-factor", app: .messai) {
      try await $0.open("reauthenticate")
    }
  ]

  static let factorFaces: [PageScene] = [
    PageScene(row: "second-step", name: "second-step-recovery", app: .messai) {
      try await $0.send($0.secondStep("recovering"), ["other-factor": "1"], intent: "totp")
    },
    PageScene(
      row: "second-step", name: "second-step-wrong", app: .messai, reach: { try await $0.secondStep("mistyping") },
      then: [.type("12345", into: Pick.field("code")), .press(Pick.intent("totp"))], isTrouble: true),
    PageScene(row: "account/factors", name: "account-factors-adding", app: .messai) {
      _ = try await $0.signUp(.messai, "adding")
      return try await $0.send($0.open("account/factors"), intent: "start")
    },
    PageScene(row: "account/factors", name: "account-factors-some", app: .messai) {
      _ = try await $0.signUp(.messai, "careful")
      _ = try await $0.enrol()
      return try await $0.open("account/factors")
    },
    PageScene(
      row: "account/factors", name: "account-factors-codes", app: .messai,
      reach: {
        _ = try await $0.signUp(.messai, "keeping")
        _ = try await $0.enrol()
        return try await $0.open("account/factors")
      }, then: [.press(Pick.intent("codes"))]),
    PageScene(row: "account/factors", name: "account-factors-remove", app: .messai) {
      _ = try await $0.signUp(.messai, "removing")
      _ = try await $0.enrol()
      return try await $0.send($0.open("account/factors"), intent: "remove")
    },
    PageScene(row: "account/factors", name: "account-factors-rename", app: .messai) {
      _ = try await $0.signUp(.messai, "renaming")
      _ = try await $0.enrol()
      return try await $0.send($0.open("account/factors"), intent: "rename")
    },
  ]
}
