import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

/// Factors and what their enrolment and their challenges hand out.
extension ForeignCredential {
  static let factors: [ForeignCredential] =
    [
      ForeignCredential("GET /v1/me/factors", "access token", home: 200) { _, user in
        Sent(path: "/v1/me/factors", token: user.access)
      },
      ForeignCredential("POST /v1/me/factors/totp", "access token", home: 200) { _, user in
        Sent(path: "/v1/me/factors/totp", body: "{}", token: user.access)
      },
      // The account has no factor: at home the answer says so.
      ForeignCredential("POST /v1/me/recovery-codes", "access token", home: 404) { _, user in
        Sent(path: "/v1/me/recovery-codes", body: "{}", token: user.access)
      },
      ForeignCredential("POST /v1/me/factors/totp/confirm", "access token", home: 200) { neighbours, user in
        let begun = try await begun(neighbours, user)
        return Sent(path: "/v1/me/factors/totp/confirm", body: begun.body, token: user.access)
      },
      ForeignCredential("POST /v1/me/factors/totp/confirm", "enrolment id", home: 200) { neighbours, user in
        let begun = try await begun(neighbours, user)
        return Sent(path: "/v1/me/factors/totp/confirm", body: begun.body, token: user.access, asStranger: true)
      },
      ForeignCredential("PATCH /v1/me/factors/{id}", "factor id", home: 200) { neighbours, user in
        let phone = try await phone(neighbours, user)
        return Sent(path: "/v1/me/factors/\(phone.id)", body: #"{"name":"x"}"#, token: phone.token, asStranger: true)
      },
      ForeignCredential("DELETE /v1/me/factors/{id}", "factor id", home: 204) { neighbours, user in
        let phone = try await phone(neighbours, user)
        return Sent(path: "/v1/me/factors/\(phone.id)", token: phone.token, asStranger: true)
      },
      ForeignCredential("POST /v1/mfa/verify", "challenge", home: 200) { neighbours, user in
        let phone = try await phone(neighbours, user)
        neighbours.server.clock.advance(seconds: Double(TOTP.period))
        let asked = try await neighbours.north.post(
          "/v1/sign-in", #"{"email":"\#(user.email)","password":"\#(App.password)"}"#)
        let challenge = try #require(asked.json["challenge_id"]?.string, "\(asked.text)")
        let code = TOTP.code(seed: phone.seed, step: TOTP.step(at: neighbours.server.clock.now))
        return Sent(path: "/v1/mfa/verify", body: #"{"challenge_id":"\#(challenge)","totp":"\#(code)"}"#)
      },
    ] + passkeys

  private static let passkeys: [ForeignCredential] = [
    ForeignCredential("POST /v1/passkeys/register/start", "access token", home: 200) { _, user in
      Sent(path: "/v1/passkeys/register/start", body: "{}", token: user.access)
    },
    ForeignCredential("POST /v1/passkeys/register/complete", "access token", home: 201) { neighbours, user in
      let begun = try await making(neighbours, user)
      return Sent(path: "/v1/passkeys/register/complete", body: begun.body, token: user.access)
    },
    ForeignCredential("POST /v1/passkeys/register/complete", "challenge", home: 201) { neighbours, user in
      let begun = try await making(neighbours, user)
      return Sent(path: "/v1/passkeys/register/complete", body: begun.body, token: user.access, asStranger: true)
    },
    ForeignCredential("POST /v1/passkeys/sign-up/complete", "challenge", home: 201) { neighbours, _ in
      let begun = try await neighbours.north.post("/v1/passkeys/sign-up/start", "{}")
      let passkey = try PasskeyScene.passkey(begun.json["public_key"])
      let members = #""email":"new@ksu.edu","profile":\#(App.ride.profile("new"))"#
      let body = try PasskeyScene.form(begun, passkey, members: members) { $0.origin = origin("north") }
      return Sent(path: "/v1/passkeys/sign-up/complete", body: body)
    },
    ForeignCredential("POST /v1/passkeys/sign-in/complete", "challenge", home: 200) { neighbours, user in
      let key = try await key(neighbours, user)
      let begun = try await neighbours.north.post("/v1/passkeys/sign-in/start", "{}")
      return Sent(path: "/v1/passkeys/sign-in/complete", body: try entering(begun, key.passkey))
    },
    // T115: the challenge is the southern tenant's own there, and the relying party is the same.
    ForeignCredential("POST /v1/passkeys/sign-in/complete", "passkey", home: 200) { neighbours, user in
      let key = try await key(neighbours, user)
      let (home, abroad) = (
        try await neighbours.north.post("/v1/passkeys/sign-in/start", "{}"),
        try await neighbours.south.post("/v1/passkeys/sign-in/start", "{}")
      )
      return Sent(
        path: "/v1/passkeys/sign-in/complete", body: try entering(home, key.passkey),
        abroadBody: try entering(abroad, key.passkey, at: "south"))
    },
    ForeignCredential("POST /v1/reauthenticate/start", "access token", home: 200) { _, user in
      Sent(path: "/v1/reauthenticate/start", body: "{}", token: user.access)
    },
  ]

  private static func origin(_ name: String) -> String { "http://\(name).\(Neighbours.party)" }

  /// The body that completes a registration at home.
  private static func making(
    _ neighbours: Neighbours, _ user: Neighbours.Person
  ) async throws -> (passkey: TestPasskey, body: String) {
    let begun = try await neighbours.north.post("/v1/passkeys/register/start", "{}", token: user.access)
    let passkey = try PasskeyScene.passkey(begun.json["public_key"])
    let answer = try passkey.registration(begun.passkeyChallenge) { $0.origin = origin("north") }
    let input = AddPasskeyEndpoint.Input(
      challengeID: begun.challenge,
      credential: RegistrationAnswer(
        id: answer.id, clientData: answer.clientDataJSON, attestationObject: answer.attestationObject))
    return (passkey, try PasskeyScene.text(input))
  }

  /// A passkey of the person's, and the access token after it was added.
  private static func key(
    _ neighbours: Neighbours, _ user: Neighbours.Person
  ) async throws -> (passkey: TestPasskey, token: String) {
    let made = try await making(neighbours, user)
    let added = try await neighbours.north.post("/v1/passkeys/register/complete", made.body, token: user.access)
    return (made.passkey, try #require(added.json["session"]?["access_token"]?.string, "\(added.text)"))
  }

  private static func entering(
    _ begun: TestClient.Answer, _ passkey: TestPasskey, at name: String = "north"
  ) throws -> String {
    let credential = try PasskeyScene.answer(passkey, begun.passkeyChallenge) { $0.origin = origin(name) }
    return try PasskeyScene.text(
      CompletePasskeySignInEndpoint.Input(challengeID: begun.challenge, credential: credential))
  }

  private static func begun(
    _ neighbours: Neighbours, _ user: Neighbours.Person
  ) async throws -> (seed: Secret<[UInt8]>, body: String) {
    let begun = try await neighbours.north.post("/v1/me/factors/totp", "{}", token: user.access)
    let seed = Secret(
      try #require(begun.json["secret"]?.string.flatMap { Base32.decode($0) }, "\(begun.text)"))
    let enrolment = try #require(begun.json["enrolment_id"]?.string)
    let code = TOTP.code(seed: seed, step: TOTP.step(at: neighbours.server.clock.now))
    return (seed, #"{"enrolment_id":"\#(enrolment)","code":"\#(code)"}"#)
  }

  /// An authenticator app of the person's, and the access token after it was added.
  private static func phone(
    _ neighbours: Neighbours, _ user: Neighbours.Person
  ) async throws -> (id: String, seed: Secret<[UInt8]>, token: String) {
    let begun = try await begun(neighbours, user)
    let added = try await neighbours.north.post("/v1/me/factors/totp/confirm", begun.body, token: user.access)
    let id = try #require(added.json["factor"]?["id"]?.string, "\(added.text)")
    return (id, begun.seed, try #require(added.json["session"]?["access_token"]?.string))
  }
}
