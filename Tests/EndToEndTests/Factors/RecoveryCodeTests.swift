import Foundation
import GatehouseIdentity
import GatehousePostgres
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Recovery codes")
struct RecoveryCodeTests {
  private func make(_ token: String, _ scene: FactorScene) async throws -> TestClient.Answer {
    try await scene.client.post("/v1/me/recovery-codes", token: token)
  }

  private func enter(_ code: String, _ scene: FactorScene) async throws -> TestClient.Answer {
    try await scene.verify(scene.challenge(), recovery: code)
  }

  @Test("T107 a code opens a session once, and one less is left")
  func once() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      let entered = try await enter(phone.recoveryCodes[3], scene)
      #expect(entered.status == 200, "\(entered.text)")
      let claims = try Token.claims(of: entered.json.accessToken)
      #expect(claims["amr"] == .array([.string("pwd"), .string("otp"), .string("mfa")]))
      #expect(claims["acr"] == .string("aal2"))
      #expect(try await scene.factors(entered.json.accessToken).codesLeft == 9)
      let again = try await enter(phone.recoveryCodes[3], scene)
      #expect(again.status == 400 && again.code == "code_invalid", "\(again.text)")
      #expect(try await enter(phone.recoveryCodes[4], scene).status == 200)
    }
  }

  /// The same code as people write it down and type it.
  private static let spellings: [(name: String, typed: @Sendable (String) -> String)] = [
    ("small", { $0.lowercased() }), ("without hyphens", { $0.replacing("-", with: "") }),
    ("with spaces", { "  " + $0.replacing("-", with: " ") + "\n" }), ("with dashes", { $0.replacing("-", with: "–") }),
    ("with look-alikes", { $0.replacing("0", with: "O").replacing("1", with: "l") }),
    ("with other look-alikes", { $0.replacing("0", with: "o").replacing("1", with: "I") }),
  ]

  @Test("case, separators and look-alikes do not matter", arguments: spellings.map(\.name))
  func spelled(name: String) async throws {
    let typed = try #require(Self.spellings.first { $0.name == name }?.typed)
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      let code = phone.recoveryCodes.first { $0.contains("0") && $0.contains("1") } ?? phone.recoveryCodes[0]
      #expect(try await enter(typed(code), scene).status == 200, "\(typed(code))")
      #expect(try await enter(code, scene).code == "code_invalid")
    }
  }

  @Test("what is no code is a wrong one", arguments: ["", "x", "0000-0000-0000-0000-0000-0000", "123456"])
  func wrong(code: String) async throws {
    try await FactorScene.run { scene in
      _ = try await scene.enrol()
      let refused = try await enter(code, scene)
      #expect(refused.code == "code_invalid", "\(refused.text)")
      #expect(try await scene.rows(.secondProofFailed).map { $0.details["method"] } == ["recovery_code"])
    }
  }

  @Test("after the last one only the app is asked for, and a new set may be made")
  func last() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      var token = ""
      for code in phone.recoveryCodes {
        scene.clock.advance(seconds: 1)
        let entered = try await enter(code, scene)
        try #require(entered.status == 200, "\(entered.text)")
        token = entered.json.accessToken
      }
      #expect(try await scene.factors(token).codesLeft == 0)
      #expect(try await scene.signIn().json["factors"] == .array([.string("totp")]))
      #expect(try await make(token, scene).status == 200)
      #expect(try await scene.signIn().json["factors"] == .array([.string("totp"), .string("recovery_code")]))
    }
  }

  @Test("T107 a new set voids the one before, and is made by a fresh proof of a second factor")
  func renewed() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      let made = try await make(phone.token, scene)
      let codes = (made.json["recovery_codes"]?.array ?? []).compactMap(\.string)
      #expect(made.status == 200 && codes.count == 10, "\(made.text)")
      #expect(Set(codes).isDisjoint(with: phone.recoveryCodes))
      #expect(made.headers["cache-control"] == "no-store")
      for code in phone.recoveryCodes.prefix(2) { #expect(try await enter(code, scene).code == "code_invalid") }
      #expect(try await enter(codes[0], scene).status == 200)
      scene.clock.advance(seconds: 301)
      let late = try await make(phone.token, scene)
      #expect(late.code == "reauthentication_required", "\(late.text)")
      #expect(late.json["methods"] == .array([.string("totp"), .string("recovery_code")]))
    }
  }

  @Test("without a second factor there are none")
  func alone() async throws {
    try await FactorScene.run { scene in
      let refused = try await make(scene.up.accessToken, scene)
      #expect(refused.status == 404 && refused.code == "not_found", "\(refused.text)")
    }
  }

  @Test("T107 a database that is read gives no code: what is stored opens nothing")
  func dump() async throws {
    try await FactorScene.run { scene in
      let phone = try await scene.enrol()
      let all = try await scene.apps.server.storage.connect(user: Embedded.superuser)
      let rows = try await all.read(nil, "SELECT mac FROM gatehouse.recovery_code").map { try $0[0] as [UInt8] }
      await all.stop()
      try #require(rows.count == 10)
      for mac in rows.prefix(1) {
        for text in [Hex.encode(mac), Base32.encode(mac), String(Base32.encode(mac).prefix(24))] {
          #expect(try await enter(text, scene).code == "code_invalid")
        }
      }
      for code in phone.recoveryCodes {
        let plain = code.replacing("-", with: "")
        for form in [Array(plain.utf8), Array(code.utf8)] { #expect(!rows.contains(SHA256.digest(form))) }
      }
    }
  }
}
