import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// An attacker waits at a foreign address until its owner comes (Sudhodanan and Paverd, "Pre-hijacked accounts",
/// 2022). Whatever was prepared, the owner comes in and the attacker is out.
@Suite("T098 T099 Accounts that an attacker prepared for another person")
struct PreHijackTests {
  private let email = "g1@gmail.com"
  private static let attackers = "Attacker1!"

  /// The attacker signs up at messAI with the victim's address.
  private func prepare(_ provided: ProvidedApps) async throws -> JSONValue {
    let up = try await provided.apps.messai.post(
      "/v1/sign-up",
      #"{"email":"\#(email)","password":"\#(Self.attackers)","profile":{"displayName":"Attacker"}}"#)
    #expect(up.status == 201, "\(up.text)")
    return up.json
  }

  /// Whatever the attacker has left: nothing of it works.
  private func expectNothing(_ attacker: JSONValue, _ provided: ProvidedApps) async throws {
    let client = provided.apps.messai
    let old = try await client.post("/v1/sign-in", #"{"email":"\#(email)","password":"\#(Self.attackers)"}"#)
    #expect(old.code == "invalid_credentials", "\(old.text)")
    #expect(try await provided.apps.me(.messai, attacker.accessToken).code == "session_revoked")
    #expect(try await provided.apps.refresh(.messai, attacker.refreshToken).code == "session_revoked")
    // Their device is a stranger's: it has no lane of its own to guess in, and its sign-in would be told.
    let device = try #require(KnownDevice.hash(presented: attacker["device"]?["id"]?.string))
    let tenant = try #require(provided.apps.server.services.registry.snapshot("messai"))
    let look = try await provided.apps.server.services.store.open(tenant.id).signInLook(email: email, device: device)
    #expect(look != nil && look?.device == nil)
  }

  /// What the trail says of links that went.
  private func unlinked(_ provided: ProvidedApps) async throws -> [[String: String]] {
    let tenant = try #require(provided.apps.server.services.registry.snapshot("messai"))
    let store = provided.apps.server.services.store.open(tenant.id)
    return try await store.audit(AuditQuery(event: "provider_unlinked"), limit: 10).map(\.details)
  }

  @Test(
    "the owner who comes by a provider is told that the old password is gone",
    arguments: [("en", "The old password is gone"), ("es", "La contraseña anterior ya no existe")])
  func told(language: String, words: String) async throws {
    let policy: (App, String) -> String = {
      $1.replacing("locales: [en]", with: "locales: [en, es]")
        .replacing("max_per_user: 20}", with: "max_per_user: 20, new_device_notice: false}")
    }
    try await ProvidedApps.run(policy: policy) { provided in
      _ = try await prepare(provided)
      let token = try provided.providers.token("g1")
      let victim = try await provided.apps.messai.send(
        "POST", "/v1/sign-in/google", #"{"id_token":"\#(token)","nonce":"n-1"}"#,
        headers: ["Accept-Language": language])
      #expect(victim.status == 200, "\(victim.text)")
      let mail = try #require(try await provided.apps.server.latestMail(to: email))
      #expect(mail.text.contains(words) && mail.text.contains("Google"), "\(mail.text)")
    }
  }

  @Test("classic-federated merge and unexpired session: password and sessions of an unproven account go")
  func classic() async throws {
    try await ProvidedApps.run { provided in
      let attacker = try await prepare(provided)
      let victim = try await provided.google(.messai)
      #expect(victim.status == 200, "\(victim.text)")
      try await expectNothing(attacker, provided)
      #expect(try await provided.user(.messai, email)?.passwordHash == nil)
      #expect(try await provided.google(.messai).json.userID == victim.json.userID)
      // The owner can have a password, by their own mail.
      provided.apps.server.clock.advance(seconds: 61)
      let asked = try await provided.apps.messai.post("/v1/password-reset", #"{"email":"\#(email)"}"#)
      let code = try #require(try await provided.apps.server.latestMail(to: email)?.code)
      let set = try await provided.apps.messai.post(
        "/v1/password-reset/confirm",
        #"{"reset_id":"\#(asked.resetID)","email":"\#(email)","code":"\#(code)","password":"\#(App.password)"}"#)
      #expect(set.status == 204, "\(set.text)")
      #expect(try await provided.google(.messai).json.userID == victim.json.userID)
    }
  }

  @Test(
    "trojan identifier: an identity of the attacker's, linked before the address was proven, goes with the rest")
  func trojan() async throws {
    try await ProvidedApps.run { provided in
      let attacker = try await prepare(provided)
      let token = try provided.providers.token("attacker")
      let linked = try await provided.apps.messai.post(
        "/v1/me/links/google/complete", #"{"id_token":"\#(token)","nonce":"n-1"}"#, token: attacker.accessToken)
      #expect(linked.status == 200, "\(linked.text)")
      #expect(try await provided.google(.messai, "attacker").json.userID == attacker.userID)
      let victim = try await provided.google(.messai)
      #expect(victim.json.userID == attacker.userID)
      try await expectNothing(attacker, provided)
      #expect(try await unlinked(provided) == [["provider": "google", "reason": "reclaimed"]])
      let other = try await provided.google(.messai, "attacker")
      #expect(other.status == 200 && other.json.userID != victim.json.userID)
    }
  }

  @Test("trojan identifier, met by a reset: who resets by mail has the account alone")
  func trojanAndReset() async throws {
    try await ProvidedApps.run { provided in
      let attacker = try await prepare(provided)
      let proof = try #require(try await provided.apps.server.latestMail(to: email)?.code)
      let token = try provided.providers.token("attacker")
      _ = try await provided.apps.messai.post(
        "/v1/me/links/google/complete", #"{"id_token":"\#(token)","nonce":"n-1"}"#, token: attacker.accessToken)
      provided.apps.server.clock.advance(seconds: 61)
      // Even where the attacker got at that mail once, and proved the address.
      let proven = try await provided.apps.messai.post(
        "/v1/email-verification/confirm",
        #"{"email":"\#(email)","code":"\#(proof)","password":"\#(Self.attackers)"}"#)
      #expect(proven.status == 200, "\(proven.text)")
      provided.apps.server.clock.advance(seconds: 61)
      let asked = try await provided.apps.messai.post("/v1/password-reset", #"{"email":"\#(email)"}"#)
      let code = try #require(try await provided.apps.server.latestMail(to: email)?.code)
      let set = try await provided.apps.messai.post(
        "/v1/password-reset/confirm",
        #"{"reset_id":"\#(asked.resetID)","email":"\#(email)","code":"\#(code)","password":"\#(App.password)"}"#)
      #expect(set.status == 204, "\(set.text)")
      try await expectNothing(attacker, provided)
      #expect(try await unlinked(provided) == [["provider": "google", "reason": "unproven"]])
      #expect(try await provided.google(.messai, "attacker").json.userID != attacker.userID)
    }
  }

  @Test("an identity that proved the address stays through a reset")
  func resetKeeps() async throws {
    try await ProvidedApps.run { provided in
      let up = try await provided.google(.messai).json
      provided.apps.server.clock.advance(seconds: 61)
      let asked = try await provided.apps.messai.post("/v1/password-reset", #"{"email":"\#(email)"}"#)
      let code = try #require(try await provided.apps.server.latestMail(to: email)?.code)
      let set = try await provided.apps.messai.post(
        "/v1/password-reset/confirm",
        #"{"reset_id":"\#(asked.resetID)","email":"\#(email)","code":"\#(code)","password":"\#(App.password)"}"#)
      #expect(set.status == 204, "\(set.text)")
      #expect(try await unlinked(provided).isEmpty)
      #expect(try await provided.google(.messai).json.userID == up.userID)
    }
  }

  @Test("unexpired e-mail change: what the attacker began to move away never moves")
  func change() async throws {
    try await ProvidedApps.run { provided in
      let attacker = try await prepare(provided)
      let begun = try await provided.apps.messai.post(
        "/v1/me/email", #"{"email":"attacker@example.com","password":"\#(Self.attackers)"}"#,
        token: attacker.accessToken)
      #expect(begun.status == 202, "\(begun.text)")
      let code = try #require(try await provided.apps.server.latestMail(to: "attacker@example.com")?.code)
      #expect(try await provided.google(.messai).status == 200)
      try await expectNothing(attacker, provided)
      let confirmed = try await provided.apps.messai.post(
        "/v1/email-change/confirm",
        #"{"email":"attacker@example.com","code":"\#(code)","password":"\#(Self.attackers)"}"#)
      #expect(confirmed.code == "invalid_credentials", "\(confirmed.text)")
      #expect(try await provided.user(.messai, email)?.user.emailVerifiedAt != nil)
    }
  }

  @Test("T099 a reset that was asked for before the owner came sets no password after it")
  func resetFromBefore() async throws {
    try await ProvidedApps.run { provided in
      _ = try await prepare(provided)
      provided.apps.server.clock.advance(seconds: 61)
      let asked = try await provided.apps.messai.post("/v1/password-reset", #"{"email":"\#(email)"}"#)
      let code = try #require(try await provided.apps.server.latestMail(to: email)?.code)
      #expect(try await provided.google(.messai).status == 200)
      let set = try await provided.apps.messai.post(
        "/v1/password-reset/confirm",
        #"{"reset_id":"\#(asked.resetID)","email":"\#(email)","code":"\#(code)","password":"\#(App.password)"}"#)
      #expect(set.code == "code_invalid", "\(set.text)")
    }
  }

  @Test("non-verifying provider: an address that the provider did not prove goes to the user who proves it")
  func nonVerifying() async throws {
    try await ProvidedApps.run { provided in
      let attacker = try await provided.google(
        .messai, "attacker", ["email": .string(email), "email_verified": .bool(false)])
      #expect(attacker.status == 200 && attacker.json["user"]?["email_verified"] == .bool(false), "\(attacker.text)")
      let victim = try await provided.google(.messai)
      #expect(victim.status == 200, "\(victim.text)")
      try await expectNothing(attacker.json, provided)
      #expect(try await provided.google(.messai, "attacker").json.userID != victim.json.userID)
    }
  }

  @Test("T098 an address is joined only where the policy says so, and both sides proved it")
  func join() async throws {
    try await ProvidedApps.run { provided in
      let up = try await provided.apps.messai.post(
        "/v1/sign-up", #"{"email":"\#(email)","password":"\#(App.password)","profile":{"displayName":"Al"}}"#)
      try await provided.verify(.messai, email)
      for claims: JSONObject in [
        ["email_verified": .bool(false)], ["email_verified": .string("yes")], ["email_verified": .integer(1)],
        ["email_verified": .null],
      ] {
        let answer = try await provided.google(.messai, "g1", claims)
        #expect(answer.status == 409 && answer.code == "account_exists", "\(answer.text)")
      }
      let joined = try await provided.google(.messai)
      #expect(joined.status == 200 && joined.json.userID == up.json.userID, "\(joined.text)")
      // Proven on both sides, it is one person: what they had stays theirs.
      #expect(try await provided.apps.me(.messai, up.json.accessToken).status == 200)
      let password = try await provided.apps.messai.post(
        "/v1/sign-in", #"{"email":"\#(email)","password":"\#(App.password)"}"#)
      #expect(password.status == 200)
      // This policy refuses Apple, whatever was proven.
      let token = try provided.providers.token(
        "a1",
        [
          "iss": .string("https://appleid.apple.com"), "aud": .string("com.example.app"), "azp": .null,
          "email": .string(email),
        ])
      let refused = try await provided.apps.messai.post(
        "/v1/sign-in/apple", #"{"id_token":"\#(token)","nonce":"n-1"}"#)
      #expect(refused.status == 409 && refused.code == "account_exists")
    }
  }

  @Test("where the tenant hides who has an account, an unproven address is refused whether or not it has one")
  func hidden() async throws {
    let hide: (App, String) -> String = { app, text in
      app == .messai
        ? PolicyText.withoutTests(text).replacing("account_exists: reveal", with: "account_exists: hide") : text
    }
    try await ProvidedApps.run(policy: hide) { provided in
      let known = try await provided.google(.messai)
      #expect(known.status == 200, "\(known.text)")
      for address in [email, "free@example.com"] {
        let answer = try await provided.google(
          .messai, "other", ["email": .string(address), "email_verified": .bool(false)])
        #expect(answer.status == 403 && answer.code == "forbidden", "\(answer.text)")
      }
      #expect(try await provided.user(.messai, "free@example.com") == nil)
    }
  }
}
