import Foundation
import GatehouseIdentity
import GatehouseServerTesting
import GatehouseTesting
import GatehousePrimitives
import Testing

/// What a person does in an app, and the sentence that the app shows.
private struct Said {
  enum Deed {
    /// A sign-up with these instead of good values; the profile as JSON.
    case signUp(email: String? = nil, password: String = App.password, profile: String? = nil)
    /// A sign-up with the address of an account.
    case again
    case wrongPassword
    case unknownAddress
    case withoutToken
    /// A call that needs full access.
    case limited
    /// The access token is over.
    case late
  }

  let deed: Deed
  let english: String
  let spanish: String

  init(_ deed: Deed, _ english: String, _ spanish: String) {
    (self.deed, self.english, self.spanish) = (deed, english, spanish)
  }

  static func of(_ app: App) -> [Said] {
    switch app {
    case .messai: messAI
    case .ride: ride
    case .vibes: vibes
    }
  }

  private static let messAI = [
    Said(.again, "This email is already registered.", "Este correo ya está registrado."),
    Said(
      .signUp(password: "kt49x"), "Password must be at least 6 characters.",
      "La contraseña debe tener al menos 6 caracteres."),
    Said(
      .signUp(profile: #"{"displayName":" A "}"#), "Display name must be at least 2 characters.",
      "El campo «Nombre visible» debe tener al menos 2 caracteres."),
    Said(.signUp(email: "pat"), "Enter a valid email address.", "Escribe un correo electrónico válido."),
    Said(.wrongPassword, "Invalid email or password.", "Correo o contraseña incorrectos."),
    Said(.unknownAddress, "Invalid email or password.", "Correo o contraseña incorrectos."),
  ]

  private static let domain = (
    "Use your K-State email (ends in @ksu.edu).", "Usa tu correo de K-State (termina en @ksu.edu)."
  )
  private static let phone = (
    "Phone number must be a 10-digit US number.",
    "El campo «Número de teléfono» debe ser un teléfono de EE. UU. de 10 dígitos."
  )

  private static let ride = [
    Said(.again, "This email is already registered.", "Este correo ya está registrado."),
    Said(.wrongPassword, "Invalid email or password.", "Correo o contraseña incorrectos."),
    Said(.unknownAddress, "Invalid email or password.", "Correo o contraseña incorrectos."),
    Said(.signUp(email: "w@gmail.com"), domain.0, domain.1),
    Said(.signUp(email: "w@notksu.edu"), domain.0, domain.1),
    Said(.signUp(email: "w@ksu.edu.evil.com"), domain.0, domain.1),
    Said(
      .signUp(profile: #"{"name":"  ","phoneNumber":"785-555-0123"}"#), "Name is required.",
      "El campo «Nombre» es obligatorio."),
    Said(.signUp(profile: #"{"name":"Willie","phoneNumber":"555-1234"}"#), phone.0, phone.1),
    Said(.signUp(profile: #"{"name":"Willie","phoneNumber":"+44 20 7946 0958"}"#), phone.0, phone.1),
    Said(
      .signUp(password: "Wildca1"), "Password must be at least 8 characters.",
      "La contraseña debe tener al menos 8 caracteres."),
    Said(
      .signUp(password: "wildcat1"), "Password must contain at least one uppercase letter.",
      "La contraseña debe contener al menos una mayúscula."),
    Said(
      .signUp(password: "WILDCAT1"), "Password must contain at least one lowercase letter.",
      "La contraseña debe contener al menos una minúscula."),
    Said(
      .signUp(password: "Wildcats"), "Password must contain at least one number.",
      "La contraseña debe contener al menos un número."),
    Said(.limited, "Please verify your email address", "Verifica tu correo electrónico"),
    Said(.withoutToken, "You must be signed in to continue", "Inicia sesión para continuar"),
  ]

  // The words of its own are in English alone.
  private static let vibes = [
    Said(.withoutToken, "You must be signed in to continue", "Inicia sesión para continuar"),
    Said(.limited, "Please connect your Spotify account", "Conecta tu cuenta de Spotify"),
    Said(.wrongPassword, "Invalid email or password", "Invalid email or password"),
    Said(.unknownAddress, "Invalid email or password", "Invalid email or password"),
    Said(.again, "This email is already registered.", "Este correo ya está registrado."),
    Said(.late, "Session expired. Please sign in again", "La sesión caducó. Inicia sesión otra vez"),
  ]
}

extension ThreeApps {
  fileprivate func answer(_ deed: Said.Deed, _ app: App, _ token: String, in language: String) async throws
    -> TestClient.Answer
  {
    func post(_ path: String, _ body: String) async throws -> TestClient.Answer {
      try await client(app).send("POST", path, body, headers: ["Accept-Language": language])
    }
    func get(_ path: String, _ token: String?) async throws -> TestClient.Answer {
      try await client(app).send("GET", path, nil, token: token, headers: ["Accept-Language": language])
    }
    switch deed {
    case .signUp(let email, let password, let profile):
      let (email, profile) = (email ?? app.email("new"), profile ?? app.profile("new"))
      return try await post("/v1/sign-up", #"{"email":"\#(email)","password":"\#(password)","profile":\#(profile)}"#)
    case .again: return try await post("/v1/sign-up", app.signUp())
    case .wrongPassword: return try await post("/v1/sign-in", app.signIn(password: App.otherPassword))
    case .unknownAddress: return try await post("/v1/sign-in", app.signIn("nobody"))
    case .withoutToken: return try await get("/v1/me", nil)
    case .limited: return try await get("/v1/users/\(server.clock.clock.makeID().uuidString.lowercased())", token)
    case .late:
      server.clock.advance(seconds: 931)
      return try await get("/v1/me", token)
    }
  }
}

extension JSONValue {
  /// What a client shows of a problem: the one violation's sentence, the first step to full access, else the title.
  fileprivate var shown: String? {
    let errors = self["errors"]?.array ?? []
    if errors.count == 1 { return errors[0]["sentence"]?.string }
    return self["requirements"]?.array?.first?["message"]?.string ?? self["title"]?.string
  }

  /// The steps, with their words.
  fileprivate var requirements: [String]? {
    self["requirements"]?.array?.map { "\($0["need"]?.string ?? ""): \($0["message"]?.string ?? "")" }
  }
}

@Suite("The sentences that the apps show")
struct AppSentencesTests {
  @Test("each of them is the server's, to the byte, in English and in Spanish", arguments: App.allCases)
  func sentences(app: App) async throws {
    func both(_ app: App, _ text: String) -> String {
      text.replacing(/locales: \[[^\]]*\]/, with: "locales: [en, es]")
    }
    try await ThreeApps.run(policy: both) { apps in
      let token = try await apps.signUp(app).json.accessToken
      for said in Said.of(app) {
        let english = try await apps.answer(said.deed, app, token, in: "en-US,en;q=0.9")
        #expect(english.json.shown == said.english, "\(said.deed): \(english.text)")
        let spanish = try await apps.answer(said.deed, app, token, in: "es-MX,es;q=0.9")
        #expect(spanish.json.shown == said.spanish, "\(said.deed): \(spanish.text)")
      }
    }
  }

  @Test("an app that speaks English alone says nothing in another language")
  func oneLanguage() async throws {
    try await ThreeApps.run { apps in
      let token = try await apps.signUp(.messai).json.accessToken
      for said in Said.of(.messai) {
        let answer = try await apps.answer(said.deed, .messai, token, in: "es-MX,es;q=0.9")
        #expect(answer.json.shown == said.english, "\(said.deed): \(answer.text)")
      }
    }
  }

  @Test("of several violations each has its row and its sentence")
  func several() async throws {
    try await ThreeApps.run { apps in
      let body = #"{"email":"w@ksu.edu","password":"cat","profile":{"name":"","phoneNumber":"785-555-0123"}}"#
      let refused = try await apps.ride.post("/v1/sign-up", body).json
      #expect(refused["title"] == .string("Please check the form"))
      let rows = (refused["errors"]?.array ?? []).map { [$0["message"]?.string, $0["sentence"]?.string] }
      #expect(
        rows == [
          ["At least 8 characters", "Password must be at least 8 characters."],
          ["At least one uppercase letter", "Password must contain at least one uppercase letter."],
          ["At least one number", "Password must contain at least one number."],
          ["This field is required", "Name is required."],
        ])
    }
  }

  @Test("a warning, a verdict while a password is typed, and the public rules have the sentence as well")
  func elsewhere() async throws {
    try await ThreeApps.run { apps in
      let sentence = JSONValue.string("Password must be at least 8 characters.")
      func min8(_ list: JSONValue?, _ key: String = "rule") -> JSONValue? {
        list?.array?.first { $0[key] == .string("password.min8") }
      }
      let up = try await apps.writer()
      #expect(min8(up["warnings"])?["sentence"] == sentence)
      #expect(min8(up["warnings"])?["message"] == .string("At least 8 characters"))
      let check = try await apps.messai.post("/v1/password-check", #"{"password":"kt49xw"}"#).json
      #expect(min8(check["rules"])?["sentence"] == sentence)
      let policy = try await apps.messai.get("/v1/policy").json
      #expect(min8(policy["rules"], "id")?["sentence"] == sentence)
    }
  }

  @Test("what limits access is said in words wherever next stands, and nothing is where nothing is missing")
  func requirements() async throws {
    try await ThreeApps.run { apps in
      let up = try await apps.signUp(.ride).json
      let wanted = ["verify_email: Please verify your email address"]
      let proof = #"{"password":"\#(App.password)"}"#
      let body = #"{"profile":{"name":"Pat"}}"#
      let answers = [
        up, try await apps.signIn(.ride).json, try await apps.refresh(.ride, up.refreshToken).json,
        try await apps.me(.ride, up.accessToken).json,
        try await apps.ride.send("PATCH", "/v1/me", body, token: up.accessToken).json,
        try await apps.ride.post("/v1/reauthenticate", proof, token: up.accessToken).json,
        try await apps.ride.get("/v1/users/\(up.userID)", token: up.accessToken).json,
      ]
      for answer in answers { #expect(answer.next == ["verify_email"] && answer.requirements == wanted, "\(answer)") }
      let full = try await apps.signUp(.messai).json
      for answer in [full, try await apps.me(.messai, full.accessToken).json] {
        #expect(answer["next"] == .array([]) && answer["requirements"] == nil)
      }
    }
  }

  @Test("several steps are said in the order of next")
  func order() async throws {
    let three: (App, String) -> String = { app, text in
      app == .ride
        ? text.replacing(
          "{requires: [email_verified]}", with: #"{requires: ["profile:chapterId", email_verified]}"#) : text
    }
    try await ThreeApps.run(policy: { three($0, PolicyText.withoutTests($1)) }) { apps in
      let up = try await apps.ride.send(
        "POST", "/v1/sign-up", App.ride.signUp(), headers: ["Accept-Language": "es"]
      ).json
      #expect(up.next == ["profile:chapterId", "verify_email"])
      #expect(
        up.requirements == [
          "profile:chapterId: Completa tu perfil: Capítulo", "verify_email: Verifica tu correo electrónico",
        ])
    }
  }

  @Test("a sign-up that waits says what it waits for, the same to a free address and to a taken one")
  func hidden() async throws {
    let hide: (App, String) -> String = { $1.replacing("account_exists: reveal", with: "account_exists: hide") }
    try await ThreeApps.run(policy: { hide($0, PolicyText.withoutTests($1)) }) { apps in
      for _ in 1...2 {
        let up = try await apps.signUp(.messai)
        #expect(up.status == 202 && up.json.names == ["next", "requirements", "sign_up_id"], "\(up.text)")
        #expect(up.json.requirements == ["verify_email: Please verify your email address"])
      }
    }
  }

  @Test(
    "own words for a refusal tell a known address from an unknown one no more than ours do", arguments: App.allCases)
  func even(app: App) async throws {
    let words = "messages: {invalid_credentials: {en: \"Nothing matches\"}}\n"
    let own: (App, String) -> String = { _, text in
      let text = PolicyText.withoutTests(text)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      return lines.filter { !$0.hasPrefix("messages:") }.joined(separator: "\n") + "\n" + words
    }
    try await ThreeApps.run(policy: own) { apps in
      _ = try await apps.signUp(app)
      let wrong = try await apps.signIn(app, password: App.otherPassword)
      let unknown = try await apps.signIn(app, "nobody")
      #expect(wrong.status == 401 && wrong.json["title"] == .string("Nothing matches"))
      #expect(wrong.seen == unknown.seen && wrong.body.count == unknown.body.count)
    }
  }
}
