import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// The relying party moves from the host to the domain above it. Passkeys of the host prove until a day.
@Suite("Passkeys of the relying party before")
struct PasskeyMoveTests {
  private static let use = "use: [sign_in, second_factor], rp_id: messai.example"

  /// Pat's passkey is of the host. The policy names the domain, and the host as the party before for so many days.
  private func moved(
    days: Double = 10, more: String = "", _ body: (PasskeyScene, PasskeyScene.Key) async throws -> Void
  ) async throws {
    try await PasskeyScene.run { keys in
      let key = try await keys.enrol()
      let until = try keys.day(in: days)
      try await keys.serve(
        "{\(Self.use), rp_id_from: {id: \(PasskeyScene.host), until: \(until)}\(more)}",
        mfa: "{factors: [totp, passkey]}")
      try await body(keys, key)
    }
  }

  @Test("a sign-in has the options of both parties, with one challenge")
  func options() async throws {
    try await moved { keys, _ in
      let begun = try await keys.startSignIn()
      #expect(begun.json["public_key"]?["rpId"] == .string("messai.example"), "\(begun.text)")
      let former = begun.json["former_public_key"]
      #expect(former?["rpId"] == .string(PasskeyScene.host))
      #expect(former?["challenge"] == begun.json["public_key"]?["challenge"])
    }
  }

  @Test("a passkey of the party before signs in until its day, and not from then on")
  func signsIn() async throws {
    try await moved { keys, key in
      let entered = try await keys.enter(key.passkey)
      #expect(entered.status == 200, "\(entered.text)")
      keys.scene.clock.advance(seconds: 10 * 86_400)
      #expect(try await keys.startSignIn().json["former_public_key"] == nil)
      #expect(try await keys.enter(key.passkey).code == "passkey_invalid")
    }
  }

  @Test("the origins are those of today's party, and on Apple's platforms the former domain", arguments: [true, false])
  func origins(isAtApple: Bool) async throws {
    let apps = isAtApple ? ", apps: {apple: [TEAM123456.com.example.messai]}" : ""
    try await moved(more: apps) { keys, key in
      let answer = try await keys.enter(key.passkey) { $0.origin = "https://\(PasskeyScene.host)" }
      #expect(answer.status == (isAtApple ? 200 : 401), "\(answer.text)")
    }
  }

  @Test("a passkey of a party that the policy never named proves nothing")
  func unnamed() async throws {
    try await PasskeyScene.run { keys in
      let key = try await keys.enrol()
      try await keys.serve("{\(Self.use)}", mfa: "{factors: [totp, passkey]}")
      #expect(try await keys.enter(key.passkey).code == "passkey_invalid")
    }
  }

  @Test("T111 an answer that is signed for today's party is none of a passkey of the one before")
  func otherParty() async throws {
    try await moved { keys, key in
      let refused = try await keys.enter(key.passkey) { $0.rpID = "messai.example" }
      #expect(refused.code == "passkey_invalid", "\(refused.text)")
    }
  }

  @Test("after a password an account is asked for passkeys of the party before where it has no other ones")
  func second() async throws {
    try await moved { keys, key in
      let asked = try await keys.scene.signIn()
      #expect(asked.json["passkey"]?["rpId"] == .string(PasskeyScene.host), "\(asked.text)")
      let entered = try await keys.verify(asked, key.passkey)
      #expect(entered.status == 200, "\(entered.text)")
      let added = try await keys.enrol(entered.json.accessToken)
      let again = try await keys.scene.signIn()
      #expect(again.json["passkey"]?["rpId"] == .string("messai.example"))
      let allowed = (again.json["passkey"]?["allowCredentials"]?.array ?? []).map { $0["id"]?.string }
      #expect(allowed == [Base64URL.encode(added.passkey.id)])
    }
  }

  @Test("new passkeys are of today's party")
  func new() async throws {
    try await moved { keys, key in
      let entered = try await keys.enter(key.passkey)
      let begun = try await keys.start(entered.json.accessToken)
      #expect(begun.json["public_key"]?["rp"]?["id"] == .string("messai.example"), "\(begun.text)")
      #expect(begun.json["public_key"]?["excludeCredentials"] == .array([]))
    }
  }
}
