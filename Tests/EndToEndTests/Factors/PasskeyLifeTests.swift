import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("The life of a passkey")
struct PasskeyLifeTests {
  private static let synced = TestPasskey.eligible | TestPasskey.backedUp

  // MARK: Signals

  @Test("the list of factors has the signal for the person's passkey manager: all passkeys of today, and the address")
  func signal() async throws {
    try await PasskeyScene.run { keys in
      let first = try await keys.enrol()
      let second = try await keys.enrol(first.token)
      let signal = try await keys.scene.factors(second.token)["signal"]
      #expect(signal?["rpId"] == .string(PasskeyScene.host))
      #expect(signal?["userId"] == .string(Base64URL.encode(first.passkey.userHandle)))
      let accepted = [first, second].map { JSONValue.string(Base64URL.encode($0.passkey.id)) }
      #expect(signal?["allAcceptedCredentialIds"] == .array(accepted))
      #expect(signal?["name"] == .string(keys.scene.email))
    }
  }

  @Test("passkeys of another relying party are not in it")
  func otherParty() async throws {
    try await PasskeyScene.run { keys in
      let key = try await keys.enrol()
      try await keys.serve("{use: [sign_in], rp_id: messai.example}")
      let signal = try await keys.scene.factors(key.token)["signal"]
      #expect(signal?["rpId"] == .string("messai.example") && signal?["allAcceptedCredentialIds"] == .array([]))
    }
  }

  @Test("a tenant without a relying party has no signal")
  func noSignal() async throws {
    try await PasskeyScene.run(host: nil) { keys in
      let listed = try await keys.scene.factors(keys.token)
      #expect(listed["items"] == .array([]) && listed["signal"] == nil)
    }
  }

  // MARK: Backup state

  @Test("a passkey that is synced no more is told by mail and in the audit log, once for each change")
  func unsynced() async throws {
    try await PasskeyScene.run { keys in
      let key = try await keys.enrol { $0.flags |= Self.synced }
      let subject = "A passkey of your messAI account is no longer synced"
      func told() async throws -> (mails: Int, rows: Int) {
        let mails = try await keys.scene.apps.server.mailCount(to: keys.scene.email, subject: subject)
        return (mails, try await keys.scene.rows(.passkeyChanged).count { $0.details["backed_up"] == "false" })
      }
      #expect(try await keys.enter(key.passkey) { $0.flags |= Self.synced }.status == 200)
      let before = try await told()
      #expect(before == (0, 0))
      for _ in 0..<2 { #expect(try await keys.enter(key.passkey) { $0.flags |= TestPasskey.eligible }.status == 200) }
      let once = try await told()
      #expect(once == (1, 1))
      #expect(try await keys.enter(key.passkey) { $0.flags |= Self.synced }.status == 200)
      #expect(try await keys.enter(key.passkey) { $0.flags |= TestPasskey.eligible }.status == 200)
      let twice = try await told()
      #expect(twice == (2, 2))
    }
  }

  // MARK: Loss

  @Test("a removal says in mail and audit log whether the device was lost", arguments: [true, false])
  func lost(isLost: Bool) async throws {
    try await PasskeyScene.run { keys in
      let key = try await keys.enrol()
      let removed = try await keys.client.send(
        "DELETE", "/v1/me/factors/\(key.id)", isLost ? #"{"lost":true}"# : nil, token: key.token)
      #expect(removed.status == 204, "\(removed.text)")
      #expect(try await keys.scene.rows(.factorRemoved).map { $0.details["lost"] } == [isLost ? "true" : nil])
      let subject = try await keys.mail("pat").subject
      #expect(subject.contains("lost device") == isLost, "\(subject)")
    }
  }

  // MARK: The last way in

  /// An account of a provider's, with a passkey and without a password.
  private func joined(_ keys: PasskeyScene) async throws -> PasskeyScene.Key {
    // A provider that does not say when its user signed in proves only an account whose address is not proven.
    let google = try await keys.scene.provided.google(
      .messai, "g1", ["email": .string("kim@example.com"), "email_verified": .bool(false)])
    try #require(google.json.accessToken != "", "\(google.text)")
    return try await keys.enrol(google.json.accessToken)
  }

  private func unlink(_ key: PasskeyScene.Key, _ keys: PasskeyScene) async throws -> TestClient.Answer {
    try await keys.client.send("DELETE", "/v1/me/links/google", "{}", token: key.token)
  }

  @Test(
    "a passkey that signs in is a way in beside a provider's link, and one that is a second factor alone is none",
    arguments: [true, false])
  func unlinked(signsIn: Bool) async throws {
    try await PasskeyScene.run(mfa: "{factors: [passkey]}") { keys in
      let key = try await joined(keys)
      try await keys.serve(
        "{use: [\(signsIn ? "sign_in" : "second_factor")]}", mfa: signsIn ? nil : "{factors: [passkey]}")
      let unlinked = try await unlink(key, keys)
      #expect(unlinked.status == (signsIn ? 204 : 409), "\(unlinked.text)")
      #expect(unlinked.code == (signsIn ? nil : "last_sign_in_method"))
    }
  }

  @Test("the last passkey of an account without another way in stays, also a lost one")
  func last() async throws {
    try await PasskeyScene.run("{use: [sign_in]}", mfa: nil) { keys in
      let key = try await joined(keys)
      try #require(try await unlink(key, keys).status == 204)
      let path = "/v1/me/factors/\(key.id)"
      let refused = try await keys.client.send("DELETE", path, #"{"lost":true}"#, token: key.token)
      #expect(refused.status == 409 && refused.code == "last_sign_in_method", "\(refused.text)")
      #expect(try await keys.enter(key.passkey).status == 200)
      let second = try await keys.enrol(key.token)
      #expect(try await keys.client.send("DELETE", path, token: second.token).status == 204)
    }
  }

  @Test("a password is another way in")
  func besidePassword() async throws {
    try await PasskeyScene.run("{use: [sign_in]}", mfa: nil) { keys in
      let key = try await keys.enrol()
      #expect(try await keys.client.send("DELETE", "/v1/me/factors/\(key.id)", token: key.token).status == 204)
    }
  }

  // MARK: The offer

  @Test("a person with a password and no passkey is offered one from the policy's day on")
  func offered() async throws {
    try await PasskeyScene.run("{use: [sign_in]}", mfa: nil) { keys in
      let day = try keys.day(in: 1)
      try await keys.serve("{use: [sign_in], upgrade: {from: \(day)}}")
      #expect(try await keys.scene.signIn().json["offers"] == nil)
      keys.scene.clock.advance(seconds: 86_400)
      let entered = try await keys.scene.signIn()
      #expect(entered.json["offers"] == .array([.string("add_passkey")]), "\(entered.text)")
      let me = try await keys.client.get("/v1/me", token: entered.json.accessToken)
      #expect(me.json["offers"] == .array([.string("add_passkey")]), "\(me.text)")
      let key = try await keys.enrol(entered.json.accessToken)
      #expect(try await keys.client.get("/v1/me", token: key.token).json["offers"] == nil)
    }
  }

  @Test("a tenant without a relying party offers none")
  func notOffered() async throws {
    try await PasskeyScene.run("{use: [sign_in]}", mfa: nil, host: nil) { keys in
      let today = try keys.day(in: 0)
      try await keys.serve("{use: [sign_in], upgrade: {from: \(today)}}")
      let entered = try await keys.scene.signIn()
      #expect(entered.status == 200 && entered.json["offers"] == nil, "\(entered.text)")
    }
  }
}
