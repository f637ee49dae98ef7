import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("What is stored and told of second factors")
struct FactorDataTests {
  /// What `VocabularyTests` finds here.
  static let routes: Set<String> = [
    "POST /v1/mfa/verify", "POST /v1/me/factors/totp/confirm", "DELETE /v1/me/factors/{id}",
    "POST /v1/me/recovery-codes",
  ]

  @Test("M11 the export has the apps by name and time, the codes by time, and no secret")
  func export() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol(name: "Phone")
      let entered = try await scene.enter(phone, device: scene.up.device, remember: true)
      #expect(try await scene.verify(scene.challenge(), recovery: phone.recoveryCodes[0]).status == 200)
      let export = try await scene.client.get("/v1/me/export", token: entered.accessToken)
      let app = export.json["authenticator_apps"]?.array?.first
      #expect(app?.names == ["id", "name", "created_at", "last_used_at"], "\(export.text)")
      #expect(app?["id"] == .string(phone.id) && app?["name"] == .string("Phone"))
      let codes = export.json["recovery_codes"]?.array ?? []
      #expect(codes.count == 10 && codes.count { $0["used_at"]?.string != nil } == 1, "\(export.text)")
      #expect(export.json["devices"]?.array?.count { $0["remembered_at"]?.string != nil } == 1)
      for form in forms(phone) { #expect(!export.text.contains(form), "\(form)") }
    }
  }

  /// Every form in which a seed or a code could lie somewhere.
  private func forms(_ phone: FactorScene.PhoneApp) -> [String] {
    let seed = phone.seed.expose { $0 }
    var forms = [
      Base32.encode(seed), Hex.encode(seed), Data(seed).base64EncodedString(), Base64URL.encode(seed),
      Hex.encode(Array(Base32.encode(seed).utf8)), seed.map(String.init).joined(separator: ","),
    ]
    for code in phone.recoveryCodes {
      let plain = code.replacing("-", with: "")
      forms += [code, plain, plain.lowercased(), Hex.encode(Array(plain.utf8)), Hex.encode(SHA256.digest(plain))]
    }
    return forms
  }

  /// All rows of all tables as text.
  private func dump(_ scene: FactorScene) async throws -> String {
    let all = try await scene.apps.server.storage.connect(user: Embedded.superuser)
    let tables = try await all.read(
      nil, "SELECT relname::text FROM pg_class WHERE relnamespace = 'gatehouse'::regnamespace AND relkind = 'r'"
    ).map { try $0[0] as String }
    var text = ""
    for table in tables {
      text += try await all.read(nil, "SELECT to_jsonb(t)::text FROM gatehouse.\(identifier: table) AS t")
        .map { try $0[0] as String }.joined(separator: "\n")
    }
    await all.stop()
    return text
  }

  @Test("T107 T109 a dump has no seed and no code in clear: not of an app, of an enrolment or of a sign-in that waits")
  func secrets() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      let begun = try await scene.start(phone.token)
      scene.nextStep()
      let challenge = try await scene.challenge()
      _ = try await scene.verify(challenge, totp: scene.wrong(phone))
      let waiting = FactorScene.PhoneApp(id: "", seed: try begun.seed(), recoveryCodes: [], session: .null)
      let text = try await dump(scene)
      // The search finds what is there.
      #expect(text.contains(phone.id) && text.contains(scene.up.userID))
      for form in forms(phone) + forms(waiting) { #expect(!text.contains(form), "\(form)") }
      for token in [challenge, begun.enrolment, App.password] { #expect(!text.contains(token), "\(token)") }
    }
  }

  @Test("a seed is sealed for its row: in the place of another one it opens nothing")
  func moved() async throws {
    try await FactorScene.run { scene in
      let kim = try await scene.enrol(try await scene.apps.signUp(FactorScene.app, "kim").json.accessToken)
      let phone = try await scene.enrol()
      try await scene.write(
        """
        UPDATE gatehouse.totp SET sealed_seed = (SELECT sealed_seed FROM gatehouse.totp WHERE id = \(try #require(UUID(uuidString: kim.id))))
        WHERE id = \(try #require(UUID(uuidString: phone.id)))
        """)
      scene.nextStep()
      let refused = try await scene.verify(scene.challenge(), totp: scene.code(kim))
      #expect(refused.status >= 400 && refused.json["access_token"] == nil, "\(refused.text)")
    }
  }

  // MARK: The trail

  @Test("T121 the trail has each step with the account, and names no secret")
  func trail() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      scene.nextStep()
      let challenge = try await scene.challenge(device: scene.up.device)
      _ = try await scene.verify(challenge, totp: scene.wrong(phone))
      let entered = try await scene.verify(challenge, totp: scene.code(phone), remember: true).json
      _ = try await scene.verify(scene.challenge(), recovery: phone.recoveryCodes[0])
      _ = try await scene.client.post("/v1/me/recovery-codes", token: entered.accessToken)
      _ = try await scene.remove(phone, entered.accessToken)
      let user = try await scene.stored().id
      let all = try await scene.store().audit(AuditQuery(), limit: 200)
      let events: [AuditEvent] = [
        .factorAdded, .secondProofRequired, .secondProofFailed, .deviceRemembered, .recoveryCodeUsed,
        .recoveryCodesMade, .factorRemoved,
      ]
      for event in events {
        let rows = all.filter { $0.event == event }
        #expect(!rows.isEmpty && rows.allSatisfy { $0.user == user }, "\(event)")
      }
      #expect(all.first { $0.event == .factorAdded }?.details["kind"] == "totp")
      #expect(all.first { $0.event == .factorRemoved }?.details["kind"] == "totp")
      let text = "\(all)"
      for form in forms(phone) + [challenge] { #expect(!text.contains(form), "\(form)") }
    }
  }

  // MARK: Mails

  @Test("the person is told of a factor more or less, of new codes and of one that was used, and no mail has a secret")
  func mails() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      var subjects: [String] = []
      func told(_ what: String, _ work: () async throws -> Void) async throws {
        let before = try await scene.apps.server.mailCount(to: scene.email)
        try await work()
        #expect(try await scene.apps.server.mailCount(to: scene.email) == before + 1, "\(what)")
        let mail = try #require(try await scene.apps.server.latestMail(to: scene.email))
        #expect(mail.code == nil, "\(what)")
        for form in forms(phone) { #expect(!mail.text.contains(form), "\(what)") }
        subjects.append(mail.subject)
        scene.clock.advance(seconds: 1)
      }
      var token = phone.token
      try await told("added") { token = try await scene.enrol(token).token }
      try await told("made") { _ = try await scene.client.post("/v1/me/recovery-codes", token: token) }
      try await told("removed") { _ = try await scene.remove(phone, token) }
      let codes = try await scene.client.post("/v1/me/recovery-codes", token: token).json["recovery_codes"]?.array
      scene.clock.advance(seconds: 1)
      try await told("used") {
        _ = try await scene.prove(#"{"recovery_code":"\#(codes?.first?.string ?? "")"}"#, token)
      }
      #expect(Set(subjects).count == 4, "\(subjects)")
    }
  }
}
