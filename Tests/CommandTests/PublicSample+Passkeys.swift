import GatehousePolicy
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@testable import GatehouseIdentity

/// Requests of passkeys. They need a host of the tenant's own, which is this machine by another name.
extension PublicSample {
  static let passkeys: [String: Make] = [
    "POST /v1/passkeys/sign-up/start": { world, _ in
      _ = try await world.ownOrigin()
      return PublicSample(
        path: "/v1/passkeys/sign-up/start", body: #"{"email":"key@example.com"}"#, isSignedIn: false)
    },
    "POST /v1/passkeys/sign-up/complete": { world, _ in
      let origin = try await world.ownOrigin()
      let begun = try await world.users.post("/v1/passkeys/sign-up/start", "{}")
      let made = try world.made(begun, origin)
      let input = CompletePasskeySignUpEndpoint.Input(
        challengeID: begun.json["challenge_id"]?.string ?? "", credential: made.answer, email: "keeper@example.com",
        profile: ["username": .string("keeper")], name: "Blue")
      return PublicSample(path: "/v1/passkeys/sign-up/complete", body: try text(input), isSignedIn: false)
    },
    "POST /v1/passkeys/sign-in/start": { world, _ in
      _ = try await world.ownOrigin()
      return PublicSample(path: "/v1/passkeys/sign-in/start", body: "{}", isSignedIn: false)
    },
    "POST /v1/passkeys/sign-in/complete": { world, user in
      let key = try await world.passkey(user)
      let begun = try await world.users.post("/v1/passkeys/sign-in/start", "{}")
      let answer = try world.answer(key.passkey, begun, key.origin)
      let id = begun.json["challenge_id"]?.string ?? ""
      return PublicSample(
        path: "/v1/passkeys/sign-in/complete",
        body: try text(CompletePasskeySignInEndpoint.Input(challengeID: id, credential: answer)), isSignedIn: false)
    },
    "POST /v1/passkeys/register/start": { world, _ in
      _ = try await world.ownOrigin()
      return PublicSample(path: "/v1/passkeys/register/start", body: "{}")
    },
    "POST /v1/passkeys/register/complete": { world, user in
      PublicSample(path: "/v1/passkeys/register/complete", body: try await world.beginPasskey(user).body)
    },
    "POST /v1/reauthenticate/start": { world, user in
      let key = try await world.passkey(user)
      return PublicSample(path: "/v1/reauthenticate/start", body: "{}", access: key.access)
    },
  ]

  fileprivate static func text(_ input: some Encodable) throws -> String {
    String(decoding: try ContractJSON.encode(input), as: UTF8.self)
  }
}

extension ServedWorld {
  /// The origin of the tenant's own host, which it gets where it has none yet.
  fileprivate func ownOrigin() async throws -> String {
    let host = "vibes.localhost:\(try #require(app.url.split(separator: ":").last))"
    let hosts = "/admin/v1/tenants/vibes/hosts"
    if try await admin.get(hosts, token: token).text.contains("\"\(host)\"") == false {
      let noted = try await admin.post(hosts, #"{"host":"\#(host)"}"#, token: token)
      try #require(noted.status == 201, "\(noted.text)")
      let leadsHere = try await eventually {
        try await TestClient(app.url).send("GET", TenantHost.proofPath, headers: ["Host": host]).status == 200
      }
      try #require(leadsHere)
    }
    _ = try await admin.post("\(hosts)/\(host)/verify", token: token)
    let hasParty = try await eventually {
      try await users.post("/v1/passkeys/sign-in/start", "{}").status == 200
    }
    try #require(hasParty)
    return "http://\(host)"
  }

  /// The body that adds a passkey.
  fileprivate func beginPasskey(_ user: ServedUser) async throws -> (passkey: TestPasskey, origin: String, body: String)
  {
    let origin = try await ownOrigin()
    let begun = try await users.post("/v1/passkeys/register/start", "{}", token: user.access)
    let made = try made(begun, origin)
    let input = AddPasskeyEndpoint.Input(challengeID: begun.json["challenge_id"]?.string ?? "", credential: made.answer)
    return (made.passkey, origin, try PublicSample.text(input))
  }

  /// A new passkey for these options, and the answer of its client.
  fileprivate func made(
    _ begun: TestClient.Answer, _ origin: String
  ) throws -> (passkey: TestPasskey, answer: RegistrationAnswer) {
    let options = begun.json["public_key"]
    let bytes = { (text: JSONValue?) in text?.string.flatMap { Base64URL.decode($0) } }
    let passkey = try TestPasskey(
      rpID: try #require(options?["rp"]?["id"]?.string, "\(begun.text)"),
      userHandle: try #require(bytes(options?["user"]?["id"])))
    let made = try passkey.registration(try #require(bytes(options?["challenge"]))) { $0.origin = origin }
    return (
      passkey,
      RegistrationAnswer(id: made.id, clientData: made.clientDataJSON, attestationObject: made.attestationObject)
    )
  }

  /// Adds a passkey: it, and the access token of the session from then on.
  fileprivate func passkey(_ user: ServedUser) async throws -> (passkey: TestPasskey, origin: String, access: String) {
    let begun = try await beginPasskey(user)
    let done = try await users.post("/v1/passkeys/register/complete", begun.body, token: user.access)
    let access = try #require(done.json["session"]?["access_token"]?.string, "\(done.text)")
    return (begun.passkey, begun.origin, access)
  }

  fileprivate func answer(
    _ passkey: TestPasskey, _ begun: TestClient.Answer, _ origin: String
  ) throws -> AuthenticationAnswer {
    let challenge = try #require(begun.json["public_key"]?["challenge"]?.string.flatMap { Base64URL.decode($0) })
    let made = try passkey.assertion(challenge) { $0.origin = origin }
    return AuthenticationAnswer(
      id: made.id, clientData: made.clientDataJSON, authenticatorData: made.authenticatorData,
      signature: made.signature, userHandle: made.userHandle)
  }
}
