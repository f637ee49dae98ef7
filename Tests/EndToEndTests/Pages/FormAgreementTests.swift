import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@testable import GatehouseServer

@Suite("Pages and API are one")
struct FormAgreementTests {
  /// One input of a sign-up, as the API and as a form take it.
  struct Input: Sendable, CustomTestStringConvertible {
    let name: String
    let app: App
    var email: String?
    var password = App.password
    var profile: [String: String]?

    var testDescription: String { "\(app): \(name)" }

    private var given: [String: String] {
      if let profile { return profile }
      let own = app.typed().filter { $0.key.hasPrefix("profile.") }
      return own.reduce(into: [:]) { $0[String($1.key.dropFirst(8))] = $1.value }
    }

    var body: String {
      let fields = given.reduce(into: JSONObject()) { $0[$1.key] = .string($1.value) }
      let input = JSONValue.object([
        "email": .string(email ?? app.email()), "password": .string(password), "profile": .object(fields),
      ])
      return String(decoding: input.bytes, as: UTF8.self)
    }

    var typed: [String: String] {
      given.reduce(into: ["email": email ?? app.email(), "password": password, "again": password]) {
        $0["profile." + $1.key] = $1.value
      }
    }
  }

  private static let inputs: [Input] = [
    Input(name: "all is well", app: .messai), Input(name: "all is well", app: .ride),
    Input(name: "all is well", app: .vibes),
    Input(name: "no address", app: .messai, email: ""), Input(name: "half an address", app: .messai, email: "pat@"),
    Input(name: "another domain", app: .ride, email: "pat@notksu.edu"),
    Input(name: "a domain that begins alike", app: .ride, email: "pat@ksu.edu.example.com"),
    Input(name: "no password", app: .messai, password: ""),
    Input(name: "a short password", app: .messai, password: "kt4"),
    Input(name: "a password without digits", app: .ride, password: "Wildcatsss"),
    Input(name: "a password that is too long", app: .vibes, password: String(repeating: "Kq7!", count: 40)),
    Input(name: "no name", app: .messai, profile: ["displayName": ""]),
    Input(name: "a name of blanks", app: .ride, profile: ["name": "   ", "phoneNumber": "785-555-0123"]),
    Input(name: "no number", app: .ride, profile: ["name": "Pat", "phoneNumber": "12"]),
    Input(name: "a reserved name", app: .vibes, profile: ["username": "Admin"]),
    Input(name: "a name with a blank", app: .vibes, profile: ["username": "user name"]),
    Input(name: "everything wrong", app: .ride, email: "x", password: "x", profile: ["name": "", "phoneNumber": ""]),
  ]

  @Test("H11 page and API give the same verdict on the same sign-up", arguments: inputs)
  func signUp(_ input: Input) async throws {
    try await ThreeApps.share { apps in
      let page = try await FormClient(apps, input.app).send("sign-up", input.typed)
      if page.path != "sign-up" {
        // Both of the same address cannot succeed: the second is told that it is taken.
        let answer = try await apps.client(input.app).post("/v1/sign-up", input.body)
        #expect(answer.status == 409 || answer.status == 422, "\(answer.text)")
        let again = try await FormClient(apps, input.app).send("sign-up", input.typed)
        #expect(again.status == answer.status && !marked(again).isEmpty, "\(again.text)")
        return
      }
      let answer = try await apps.client(input.app).post("/v1/sign-up", input.body)
      #expect(page.status == answer.status, "\(answer.text) \(page.text)")
      let errors = answer.json["errors"]?.array ?? []
      #expect(!errors.isEmpty)
      #expect(marked(page) == Set(errors.compactMap { $0["pointer"]?.string }.map(FieldName.of)))
      let text = FormClient.Form.plain(page.text)
      for error in errors {
        let sentences = [error["sentence"]?.string, error["message"]?.string].compactMap(\.self)
        #expect(sentences.contains { text.contains($0) }, "\(error)")
      }
      #expect(!page.text.contains(input.password) || input.password.count < 4, "no password comes back")
      let kept = try FormClient.fields(page)
      #expect(kept["email"] == input.typed["email"], "what was typed is kept")
    }
  }

  /// The fields of a page that say of themselves that they are wrong.
  private func marked(_ page: FormClient.Page) -> Set<String> {
    let tags = page.text.matches(of: /<(?:input|select)\b([^>]*)>/).map { String($0.output.1) }
    return Set(
      tags.filter { FormClient.Form.attribute("aria-invalid", of: $0) == "true" }.compactMap {
        FormClient.Form.attribute("name", of: $0)
      })
  }

  @Test("H11 page and API give the same verdict on the same sign-in")
  func signIn() async throws {
    try await ThreeApps.share { apps in
      #expect(try await apps.signUp(.ride).status == 201)
      #expect(try await apps.signUp(.ride, "off").status == 201)
      try await Operator.disable(.ride, "off", apps)
      for (local, password) in [
        ("pat", App.otherPassword), ("nobody", App.password), ("off", App.password), ("off", App.otherPassword),
        ("pat", ""),
      ] {
        let answer = try await apps.signIn(.ride, local, password: password)
        let page = try await FormClient(apps, .ride).send(
          "sign-in", ["email": App.ride.email(local), "password": password])
        #expect(page.status == answer.status && page.path == "sign-in", "\(local) \(page.status) \(answer.text)")
        guard let title = answer.json["title"]?.string, answer.status != 422 else { continue }
        #expect(FormClient.Form.plain(page.text).contains(title), "\(title)")
      }
    }
  }

  @Test("H11 page and API count the same attempts")
  func counted() async throws {
    try await ThreeApps.run { apps in
      #expect(try await apps.signUp(.messai).status == 201)
      for attempt in 1...5 {
        let status =
          attempt.isMultiple(of: 2)
          ? try await apps.signIn(.messai, password: App.otherPassword).status
          : try await FormClient(apps, .messai).send(
            "sign-in", ["email": App.messai.email(), "password": App.otherPassword]
          ).status
        #expect(status == 401, "\(attempt)")
      }
      let answer = try await apps.signIn(.messai)
      let page = try await FormClient(apps, .messai).send(
        "sign-in", ["email": App.messai.email(), "password": App.password])
      #expect(answer.status == 429 && page.status == 429)
      #expect(page.answer.headers["retry-after"] != nil && page.path == "sign-in")
    }
  }

  @Test("H11 a form takes as long as the operation behind it")
  func even() {
    let behind: [String: [String]] = [
      "sign-in": ["/v1/sign-in"], "sign-up": ["/v1/sign-up", "/v1/passkeys/sign-up/complete"],
      "check-mail": ["/v1/email-verification", "/v1/email-verification/confirm"],
      "forgot": ["/v1/password-reset"], "reset": ["/v1/password-reset/confirm"], "account/email": ["/v1/me/email"],
    ]
    let even = Set(Routes.all.filter { $0.method == .post && $0.traits.contains(.isEven) }.map { $0.path })
    #expect(even == Set(behind.values.joined()), "each operation that hides accounts is behind a page")
    for page in PageTable.all {
      let isEven = (behind[page.path] ?? []).contains { even.contains($0) }
      #expect(page.isEven == isEven, "\(page.path)")
    }
  }
}
